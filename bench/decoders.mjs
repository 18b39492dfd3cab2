// Decoders token by token with a cache, each way of computing them in turns, by the same seeded weights: fovea's ways in one page, the
// peer's in another.

import { checkNumbers } from './compare.mjs';
import { byInt8, byLayers, byLoops, byModel, byOps, modelOptions } from './contestants/decoder.mjs';
import { byGraph } from './contestants/decoder_graph.mjs';
import { summary } from './stats.mjs';

const rounds = 5;
/** Largest difference of logits from those of the first way, as a part of the largest. */
const tolerance = 1e-3;

/**
 * @typedef {object} Decoder
 * @property {string} id
 * @property {string} title
 * @property {number} tokens - of one sequence, decoded from the first
 * @property {Record<string, number>} goals - wanted at least by way: times the loops, or tokens per second where there are none
 * @property {string[]} ways - of fovea, the first of which the others' logits are compared with, and the floor
 * @property {string[]} peers - ways of onnxruntime-web
 */

/** @type {(Decoder & object)[]} */
export const decoders = [
  {
    ...{ id: 'llama260k', title: 'Llama of 260,000 weights', tokens: 256, llama: true },
    ...{ layers: 5, width: 64, heads: 8, kvHeads: 4, between: 172, vocabulary: 512 },
    goals: { ops: 2.5, layers: 5, model: 5 },
    ways: ['loops', 'ops', 'layers', 'model'],
    peers: [],
  },
  {
    ...{ id: 'gpt2', title: 'GPT-2: 12 layers of 768, vocabulary 50,257', tokens: 8, llama: false },
    ...{ layers: 12, width: 768, heads: 12, kvHeads: 12, between: 3072, vocabulary: 50_257 },
    goals: { model: 40 },
    ways: ['model', 'int8'],
    peers: ['onnxruntime', 'onnxruntime-int8'],
  },
];

const ways = {
  ...{ loops: byLoops, ops: byOps, layers: byLayers, model: byModel, int8: byInt8 },
  ...{ onnxruntime: byGraph(false), 'onnxruntime-int8': byGraph(true) },
};
const isInt8 = (way) => way.endsWith('int8');

/** Opens one decoder in a page, run each way with seeded weights. `kit` has fovea's entries, and `ort` for peers. */
export async function openDecoder(kit, id, by) {
  const decoder = decoders.find((one) => one.id === id);
  const model = new kit.nn.CausalDecoder(kit.fovea, { ...modelOptions(decoder), seed: 1 });
  const made = {};
  for (const way of by === 'fovea' ? decoder.ways : decoder.peers) made[way] = await ways[way](kit, decoder, model);
  if (by !== 'fovea') model.dispose();
  return { logits: (way) => lastLogits(decoder, made[way]), decode: (way) => decode(decoder, made[way]) };
}

/** The logits after some given ids. */
async function lastLogits({ vocabulary, tokens }, { step, clear }) {
  clear();
  let logits;
  for (let position = 0; position < Math.min(tokens, 12); ++position)
    logits = await step((position * 37) % vocabulary, position);
  return Array.from(logits);
}

/** Milliseconds per token of a whole sequence, each token the last one's likeliest. */
async function decode({ tokens }, { step, clear }) {
  clear();
  const start = performance.now();
  for (let position = 0, id = 1; position < tokens; ++position) {
    const pending = step(id, position);
    const logits = pending instanceof Promise ? await pending : pending;
    id = 0;
    for (let n = 1; n < logits.length; ++n) if (logits[n] > logits[id]) id = n;
  }
  return (performance.now() - start) / tokens;
}

/**
 * @param {(by: string) => Promise<{ call: Function, close: () => Promise<void> }>} open - a page of its own for each
 * @returns {Promise<Record<string, Record<string, object>>>} milliseconds per token by decoder and way, or { failure } for a way or a
 *   decoder; ways of 8 bits have the cosine of their logits with those of the first way
 */
export async function measureDecoders(open, threads) {
  const results = {};
  for (const decoder of decoders) {
    const pages = [];
    try {
      results[decoder.id] = await measureOne(decoder, async (by) => {
        const page = await open(by);
        pages.push(page);
        await page.call('openDecoder', { id: decoder.id, by, threads });
        return page;
      });
    } catch (error) {
      results[decoder.id] = { failure: String(error.message).split('\n')[0] };
    } finally {
      for (const page of pages) await page.close();
    }
  }
  return results;
}

async function measureOne({ ways, peers }, open) {
  const page = await open('fovea');
  const taking = ways.map((way) => ({ way, page, times: [] }));
  const failed = {};
  if (peers.length > 0) {
    try {
      const other = await open('onnxruntime');
      taking.push(...peers.map((way) => ({ way, page: other, times: [] })));
    } catch (error) {
      for (const way of peers) failed[way] = { failure: String(error.message).split('\n')[0] };
    }
  }
  let wanted;
  for (const one of taking) {
    const logits = await one.page.call('decoderLogits', one.way);
    wanted ??= logits;
    one.cosine = checkLogits(one.way, logits, wanted);
  }
  for (let round = 0; round <= rounds; ++round)
    for (const { way, page, times } of taking) {
      const time = await page.call('decodeOnce', way);
      if (round > 0) times.push(time); // the first warms up
    }
  const shown = taking.map(({ way, times, cosine }) => [way, { ...summary(times), ...(isInt8(way) ? { cosine } : {}) }]);
  return { ...Object.fromEntries(shown), ...failed };
}

/** @returns their cosine */
export const checkLogits = (way, logits, wanted) =>
  checkNumbers(`${way}: logits`, logits, wanted, { isInt8: isInt8(way), tolerance });

/** The number that a way's goal is about: times the loops, or tokens per second; undefined without results. */
export function decoderValue(leg, id, way) {
  const { loops, [way]: own } = leg?.decoders?.[id] ?? {};
  if (own?.median === undefined) return undefined;
  return loops === undefined ? 1000 / own.median : loops.median / own.median;
}

/** How many times faster a way is than another, or undefined. */
export function decoderRatio(leg, id, way, beside) {
  const { [way]: own, [beside]: other } = leg?.decoders?.[id] ?? {};
  return own?.median === undefined || other?.median === undefined ? undefined : other.median / own.median;
}
