// Whole models from folders of Hugging Face, from texts to vectors and from ids to ids: fovea/models and transformers.js, each in a page
// of its own, in turns. What they give is compared before it is timed.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { numbers } from './arrays.mjs';
import { checkNumbers } from './compare.mjs';
import { bertPieces } from './models/bert_folder.mjs';
import { models } from './models/models.mjs';
import { folderOf, writeFolders } from './models/write_folders.mjs';
import { rootDir } from './paths.mjs';
import { summary } from './stats.mjs';

const turn = 30; // milliseconds that a sample of an encoder takes at least
export const rounds = { encoder: 7, decoder: 3, cold: 5 };
/** Largest difference from the first way's numbers, as a part of the largest of them. */
const tolerance = 1e-4;

const peerWays = ['transformers', 'transformers-three', 'transformers-q8', 'transformers-three-q8'];
const prompt = { tokens: 128, written: 128 };
const isOfEightBits = (way) => /int8|q8/.test(way);
export const titleOf = (way) =>
  way
    .replace('-', ' ')
    .replace(/^transformers/, 'transformers.js')
    .replace('-', ' ');

/** Inputs of an encoder: single texts of 16 to 256 tokens, and 32 texts at once. */
export const questions = [
  ...[16, 64, 128, 256].map((tokens) => ({ id: `${tokens}`, title: `${tokens} tokens`, lengths: [tokens] })),
  { id: 'batch', title: '32 texts of 8 to 256 tokens', lengths: lengthsOf(32), only: ['minilm'] },
];

/** Lengths whose logarithms are normal, around 50, from 8 to 256: the quantiles, in a seeded order. */
function lengthsOf(count) {
  const draws = numbers([count * 12], 7);
  return Array.from({ length: count }, (_, n) => {
    const normal = draws.subarray(n * 12, n * 12 + 12).reduce((a, b) => a + b) / Math.sqrt(12); // of variance 1
    return Math.round(Math.min(256, Math.max(8, Math.exp(Math.log(50) + 0.8 * normal))));
  });
}

/** Texts of these lengths in tokens, [CLS] and [SEP] included; each word is one token. */
function textsOf(lengths) {
  const words = bertPieces().filter((piece) => /^[a-z]{2,12}$/.test(piece));
  const draws = numbers([lengths.reduce((a, b) => a + b)], 8);
  let at = 0;
  const word = () => words[Math.floor(((draws[at++] / Math.sqrt(3) + 1) / 2) * (words.length - 1))];
  return lengths.map((length) => Array.from({ length: length - 2 }, word).join(' '));
}

/**
 * @param {object} engine - a browser
 * @param {number} threads
 * @returns {Promise<Record<string, object>>} by model: results by question and way, or { failure }; 'cold': see `measureCold`
 */
export async function measureModels(engine, threads, progress) {
  await writeFolders(progress);
  const results = {};
  for (const model of models) {
    progress(`${engine.name}, ${model.title}`);
    const pages = [];
    const open = async (by, ways) => {
      const page = await engine.open(`${model.id}-${by}`);
      pages.push(page);
      await page.call('openModel', { id: model.id, by, ways, threads });
      return ways.map((way) => ({ way, page }));
    };
    try {
      results[model.id] = await (model.kind === 'encoder' ? measureEncoder(model, open) : measureDecoder(model, open));
    } catch (error) {
      results[model.id] = { failure: String(error.message).split('\n')[0] };
    } finally {
      for (const page of pages) await page.close();
    }
  }
  if (threads === 1) results.cold = await measureCold(engine, threads);
  return results;
}

async function measureEncoder(model, open) {
  const taking = [...(await open('fovea', ['fovea', 'fovea-int8', 'layers'])), ...(await open('transformers', peerWays))];
  const results = {};
  for (const { id, lengths, only } of questions) {
    if (only && !only.includes(model.id)) continue;
    const single = lengths.length === 1;
    const texts = textsOf(lengths);
    const ways = taking
      .filter(({ way }) => way !== 'layers' || single)
      .map((one) => ({ ...one, input: one.way === 'layers' ? lengths[0] : texts }));
    const cosines = await compare(ways.filter(({ way }) => way !== 'layers'));
    results[id] = withCosines(await takeTurns(ways, rounds.encoder, (call) => Math.max(1, Math.ceil(turn / call))), cosines);
  }
  return results;
}

async function measureDecoder(model, open) {
  const [own, peers] = [false, true].map((peer) => model.ways.filter((way) => way.startsWith('transformers') === peer));
  const opened = [...(await open('fovea', own)), ...(peers.length > 0 ? await open('transformers', peers) : [])];
  const ids = Array.from({ length: prompt.tokens }, (_, n) => (n * 377 + 11) % model.vocabulary);
  const taking = opened.map((one) => ({ ...one, input: { ids, tokens: prompt.written } }));
  const cosines = await compare(taking);
  const samples = new Map(taking.map(({ way }) => [way, []]));
  for (let round = 0; round < rounds.decoder; ++round)
    for (const { way, page, input } of taking) samples.get(way).push(await page.call('runModel', way, input));
  const results = {};
  for (const [way, list] of samples) {
    const rates = list.map(({ whole }) => (1000 * prompt.written) / whole);
    results[way] = { ...summary(rates), first: summary(list.map(({ first }) => first)).median };
  }
  return { generate: withCosines(results, cosines) };
}

/** Compares all ways' numbers with the first one's. @returns their cosines */
async function compare(taking) {
  const cosines = {};
  let wanted;
  for (const { way, page, input } of taking) {
    const output = await page.call('modelOutput', way, input);
    wanted ??= output;
    cosines[way] = checkNumbers(`${way}: numbers`, output, wanted, { isInt8: isOfEightBits(way), tolerance });
  }
  return cosines;
}

async function takeTurns(ways, count, repetitionsFor) {
  const repetitions = new Map();
  for (const { way, page, input } of ways) {
    await page.call('modelTimes', way, input, 2);
    repetitions.set(way, repetitionsFor(await page.call('modelTimes', way, input, 1)));
  }
  const samples = new Map(ways.map(({ way }) => [way, []]));
  for (let round = 0; round < count; ++round)
    for (let i = 0; i < ways.length; ++i) {
      const { way, page, input } = ways[(i + round) % ways.length];
      samples.get(way).push(await page.call('modelTimes', way, input, repetitions.get(way)));
    }
  return Object.fromEntries([...samples].map(([way, times]) => [way, summary(times)]));
}

/** The fastest of the peer's ways in one question's results, as [way, result]. */
export const bestPeerWay = (results, int8) =>
  Object.entries(results)
    .filter(([way]) => way.startsWith('transformers') && way.endsWith('q8') === int8)
    .sort(([, a], [, b]) => a.median - b.median)[0];

/** How many times faster than the peer's best an encoder answers a question, or undefined. */
export function embedRatio(leg, model, question, int8) {
  const results = leg?.models?.[model]?.[question];
  return results && bestPeerWay(results, int8)[1].median / results[int8 ? 'fovea-int8' : 'fovea'].median;
}

const withCosines = (results, cosines) =>
  Object.fromEntries(
    Object.entries(results).map(([way, result]) => [way, isOfEightBits(way) ? { ...result, cosine: cosines[way] } : result]),
  );

/**
 * From the import to the first vector in a page that has run nothing, all files in the browser's HTTP cache, by way: { start, a summary of
 * milliseconds; code, bytes of JavaScript and wasm that the page loaded, gzipped; weights, bytes of the file }.
 */
async function measureCold(engine, threads) {
  const texts = textsOf([16]);
  const weights = {
    fovea: 'model.safetensors',
    'fovea-int8': 'model.safetensors',
    transformers: 'onnx/model.onnx',
    'transformers-q8': 'onnx/model_quantized.onnx',
  };
  const results = {};
  const samples = new Map(Object.keys(weights).map((way) => [way, []]));
  for (let round = -1; round < rounds.cold; ++round)
    for (const [way, file] of Object.entries(weights)) {
      const [by] = way.split('-');
      const { milliseconds, files } = await engine.warm(`cold-${way}`, { model: 'minilm', by, way, threads, texts });
      if (round >= 0) samples.get(way).push(milliseconds);
      results[way] ??= { code: codeOf(files), weights: statSync(join(folderOf('minilm'), file)).size };
    }
  for (const [way, times] of samples) results[way].start = summary(times);
  return results;
}

const isModelFile = (path) => path.startsWith('/build/bench/models/');
const isBenchFile = (path) => /^\/bench\/(?!node_modules)/.test(path);

/** Bytes of a package's files of code, gzipped. */
function codeOf(files) {
  const code = files.filter((path) => /\.(m?js|wasm)$/.test(path) && !isModelFile(path) && !isBenchFile(path));
  return code.reduce((sum, path) => sum + gzipSync(readFileSync(join(rootDir, path)), { level: 9 }).length, 0);
}
