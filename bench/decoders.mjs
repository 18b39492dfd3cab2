// Decoders token by token with a cache, each way of computing them in turns in one page, by the same seeded weights.

import { byLayers, byLoops, byModel, byOps, modelOptions } from './contestants/decoder.mjs';
import { summary } from './stats.mjs';

const rounds = 5;
/** Largest difference of logits from those of the loops, as a part of the largest. */
const tolerance = 1e-3;

/**
 * @typedef {object} Decoder
 * @property {string} id
 * @property {string} title
 * @property {number} tokens - of one sequence, decoded from the first
 * @property {Record<string, number>} goals - wanted at least by way: times the loops, or tokens per second where there are none
 */

/** @type {(Decoder & object)[]} */
export const decoders = [
  {
    ...{ id: 'llama260k', title: 'Llama of 260,000 weights', tokens: 256, llama: true },
    ...{ layers: 5, width: 64, heads: 8, kvHeads: 4, between: 172, vocabulary: 512 },
    goals: { ops: 2.5, layers: 5, model: 5 },
  },
  {
    ...{ id: 'gpt2', title: 'GPT-2: 12 layers of 768, vocabulary 50,257', tokens: 8, llama: false },
    ...{ layers: 12, width: 768, heads: 12, kvHeads: 12, between: 3072, vocabulary: 50_257 },
    goals: { model: 40 },
  },
];

const ways = { loops: byLoops, ops: byOps, layers: byLayers, model: byModel };
const waysOf = ({ llama }) => (llama ? Object.keys(ways) : ['model']);

/** @returns {Record<string, Record<string, object>>} milliseconds per token by decoder and way, or { failure } */
export function measureDecoders(kit, ids) {
  return Object.fromEntries(
    decoders.filter(({ id }) => ids.includes(id)).map((decoder) => [decoder.id, measureOne(kit, decoder)]),
  );
}

function measureOne(kit, decoder) {
  const model = new kit.nn.CausalDecoder(kit.fovea, { ...modelOptions(decoder), seed: 1 });
  try {
    const made = Object.fromEntries(waysOf(decoder).map((way) => [way, ways[way](kit, decoder, model)]));
    check(decoder, made);
    const times = Object.fromEntries(Object.keys(made).map((way) => [way, []]));
    for (let round = 0; round <= rounds; ++round)
      for (const [way, one] of Object.entries(made)) {
        const time = decode(decoder, one);
        if (round > 0) times[way].push(time); // the first warms up
      }
    return Object.fromEntries(Object.entries(times).map(([way, list]) => [way, summary(list)]));
  } catch (error) {
    return { failure: error.message };
  } finally {
    model.dispose();
  }
}

/** Milliseconds per token of a whole sequence, each token the last one's likeliest. */
function decode({ tokens }, { step, clear }) {
  clear();
  const start = performance.now();
  for (let position = 0, id = 1; position < tokens; ++position) {
    const logits = step(id, position);
    id = 0;
    for (let n = 1; n < logits.length; ++n) if (logits[n] > logits[id]) id = n;
  }
  return (performance.now() - start) / tokens;
}

function check({ vocabulary }, { loops, ...others }) {
  if (loops === undefined) return;
  const ids = Array.from({ length: 12 }, (_, n) => (n * 37) % vocabulary);
  const last = ({ step, clear }) => {
    clear();
    return ids.reduce((_, id, position) => step(id, position), null).slice();
  };
  const wanted = last(loops);
  const largest = wanted.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (const [way, one] of Object.entries(others)) {
    const error = last(one).reduce((most, x, n) => Math.max(most, Math.abs(x - wanted[n])), 0) / largest;
    if (!(error <= tolerance)) throw new Error(`${way}: logits are off by ${error} of the largest, allowed ${tolerance}`);
  }
}

/** The number that a way's goal is about: times the loops, or tokens per second; undefined without results. */
export function decoderValue(leg, id, way) {
  const { loops, [way]: own } = leg?.decoders?.[id] ?? {};
  if (own === undefined) return undefined;
  return loops === undefined ? 1000 / own.median : loops.median / own.median;
}
