// Calls of many shapes and mechanisms, the same in Node and in a page: each is named, takes arrays made once, and its bytes must never change.

import { load } from 'fovea';
import { kvCache } from 'fovea/cache';
import { list, run } from 'fovea/catalog';
import { linearAttention } from 'fovea/linear-attention';
import { TransformerEncoder } from 'fovea/nn';
import * as ops from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';

/** Numbers from -1 to 1, the same everywhere. */
function numbers(shape, seed) {
  let state = seed >>> 0;
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return { data, shape };
}

/** FNV-1a of the bytes of float32 arrays. */
function hash(arrays) {
  let h = 0x811c9dc5;
  for (const { data } of arrays)
    for (const word of new Uint32Array(data.slice().buffer)) h = Math.imul(h ^ word, 0x01000193) >>> 0;
  return h;
}

function callsOf(fovea) {
  const encoder = new TransformerEncoder(fovea, { numLayers: 2, dModel: 32, nHead: 4, seed: 1 });
  const calls = {};
  for (const [n, [heads, queries, keys, width]] of [
    [1, 1, 1, 1],
    [2, 3, 5, 7],
    [4, 63, 65, 80],
    [8, 200, 200, 64],
    [2, 1, 1000, 256],
  ].entries()) {
    const [q, k, v] = [
      numbers([heads, queries, width], n),
      numbers([heads, keys, width], n + 50),
      numbers([heads, keys, width], n + 90),
    ];
    calls[`attention ${q.shape} over ${keys}`] = () => {
      const { output, weights } = fovea.attention(q, k, v, { causal: n % 2 === 0, returnWeights: n < 3 });
      return weights ? [output, weights] : [output];
    };
  }
  const x = numbers([300, 16], 7);
  const window = pattern.window(9, 4).or(pattern.globalTokens([0]));
  calls.sparse = () => [fovea.attention(x, x, x, { pattern: window }).output];
  calls.linear = () => [linearAttention(fovea, x, x, x, { causal: true }).output];
  calls.tensors = () => [
    fovea.scope(() => {
      const t = fovea.tensor(x);
      const made = ops.softmax(fovea, ops.matmul(fovea, t, ops.transpose(fovea, t)));
      return { data: made.data.slice(), shape: made.shape };
    }),
  ];
  const tokens = numbers([1, 20, 32], 8);
  calls.encoder = () => [encoder.forward(tokens)];
  calls.cache = () => {
    const cache = kvCache(fovea, { kvHeads: 2, width: 8, capacity: 16, window: 8 });
    const outputs = [];
    for (let step = 0; step < 20; step++) {
      const row = numbers([2, 1, 8], step);
      cache.append(row, row);
      outputs.push(fovea.attention(row, cache).output);
    }
    cache.dispose();
    return outputs;
  };
  for (const { id } of list())
    calls[id] = () => run(fovea, id).trace.flatMap(({ array }) => (array?.data instanceof Float32Array ? [array] : []));
  return { calls, end: () => encoder.dispose?.() };
}

const PLAIN = Float32Array.from({ length: 1 << 16 }, (_, n) => Math.sin(n));
/** Plain JavaScript of some 20 ms: what it takes tells how fast the machine is at the moment. */
function plainLoop() {
  let sum = 0;
  for (let round = 0; round < 200; round++)
    for (let n = 0; n < PLAIN.length; n++) sum += PLAIN[n] * PLAIN[(n + round) & 0xffff];
  return sum;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds. */
async function timeOf(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** One instance, and a worker beside it; `segment(seconds)` computes everything over and over, and tells what it saw. */
export async function makeSoak({ withWorker = true } = {}) {
  const fovea = await load({ deterministic: true });
  const remote = withWorker ? await connect({ deterministic: true }) : null;
  const { calls } = callsOf(fovea);
  const far = numbers([4, 40, 16], 3);
  const names = Object.keys(calls);
  const known = new Map();
  const faults = [];

  async function cycle() {
    for (const name of names) {
      const got = hash(calls[name]());
      if (!known.has(name)) known.set(name, got);
      else if (known.get(name) !== got) faults.push(`${name}: other bytes than at first`);
    }
    if (!remote) return;
    const got = hash([(await remote.attention(far, far, far)).output]);
    if (!known.has('worker')) known.set('worker', got);
    else if (known.get('worker') !== got) faults.push('worker: other bytes than at first');
  }

  await cycle();
  const { live } = fovea.memory();

  return {
    async segment(seconds) {
      const start = performance.now();
      const [cycles, loops] = [[], []];
      do {
        cycles.push(await timeOf(cycle));
        loops.push(await timeOf(plainLoop));
        const now = fovea.memory().live;
        if (now !== live) faults.push(`${now} bytes are live, ${live} after the first cycle`);
      } while (performance.now() - start < 1000 * seconds && faults.length === 0);
      return {
        calls: cycles.length * (names.length + 1),
        perLoop: ((names.length + 1) * median(loops)) / median(cycles),
        wasm: fovea.memory().total,
        faults,
      };
    },
    end() {
      remote?.terminate();
      fovea.dispose();
    },
  };
}
