/** Efficient forms of attention are slightly worse and faster: those of the laboratory, trained on a task that needs a far pair. */
import type { Fovea, Tensor } from 'fovea';
import { linformer } from 'fovea/linear-attention';
import { randomParams } from 'fovea/mechanisms';
import { add, embedding, matmul, multiply } from 'fovea/ops';
import { adam, crossEntropy, Trainer, warmupLinear } from 'fovea/train';
import { METHODS, ready, type Method } from '../../web/laboratory/methods.ts';
import { Random } from '../train/examples.ts';
import { choose } from '../train/figures.ts';
import { dispose, tensors, type Params } from '../train/task.ts';

const [KEYS, VALUES, PAIRS, WIDTH] = [16, 8, 8, 32];
/** A batch has so many tokens in all. */
const [TOKENS, TESTED] = [4096, 256];
const [SEEDS, STEPS] = [[1, 2, 3], 150];

interface Batch {
  /** [B, n]: 0 of a token without. */
  readonly keys: { data: Int32Array; shape: number[] };
  readonly values: { data: Int32Array; shape: number[] };
  readonly answers: Int32Array;
}

/** n tokens: noise with values alone, 8 pairs of a key and a value among them, and at both ends one of these keys: its value is the answer. */
function draw(random: Random, n: number, size: number): Batch {
  const [keys, values, answers] = [new Int32Array(size * n), new Int32Array(size * n), new Int32Array(size)];
  const all = Array.from({ length: KEYS }, (_, key) => key + 1);
  for (let b = 0; b < size; b++) {
    for (let t = 1; t < n - 1; t++) values[b * n + t] = random.integer(1, VALUES);
    const places = new Set<number>();
    while (places.size < PAIRS) places.add(random.integer(1, n - 2));
    const own = random.sample(all, PAIRS);
    [...places].forEach((t, pair) => (keys[b * n + t] = own[pair]!));
    const [asked] = places;
    for (const end of [0, n - 1]) keys[b * n + end] = own[0]!;
    answers[b] = values[b * n + asked!]! - 1;
  }
  return { keys: { data: keys, shape: [size, n] }, values: { data: values, shape: [size, n] }, answers };
}

/** x = key + value; u = x·Wu are queries and keys at once; logits = (the mean of attention(u, u, x·Wv) at both ends)·head. */
function logits(fovea: Fovea, params: Params, method: Method, { keys, values }: Batch): Tensor {
  const [size, n] = keys.shape as [number, number];
  const x = add(fovea, embedding(fovea, keys, params['keys']!), embedding(fovea, values, params['values']!));
  const [u, v] = [matmul(fovea, x, params['Wu']!), matmul(fovea, x, params['Wv']!)];
  const read =
    method.id === 'linformer'
      ? linformer(fovea, u, u, v, { E: params['E']! }).output
      : ready(fovea, method, n, (tensor) => tensor)(u, v);
  const ends = add(fovea, read.slice(1, 0, 1), read.slice(1, n - 1, n));
  return matmul(fovea, multiply(fovea, ends, 0.5), params['head']!).reshape([size, VALUES]);
}

/** The share of right answers on other examples, and the processor time of a step in milliseconds. */
function trained(fovea: Fovea, method: Method, n: number, seed: number): { right: number; time: number } {
  const shapes = {
    ...{ keys: [KEYS + 1, WIDTH], values: [VALUES + 1, WIDTH], Wu: [WIDTH, WIDTH], Wv: [WIDTH, WIDTH] },
    ...{ head: [WIDTH, VALUES], E: [64, n] },
  };
  const weights = randomParams(fovea, shapes, { seed });
  // Embeddings of variance 1: a key is like itself from the first step on.
  for (const [name, rows] of [
    ['keys', KEYS + 1],
    ['values', VALUES + 1],
  ] as const) {
    const { data } = weights[name]!;
    data.forEach((value, i) => (data[i] = value * Math.sqrt(rows)));
  }
  const params = tensors(fovea, weights);
  const random = new Random(2 * seed);
  const trainer = new Trainer<Batch>(params, {
    loss: (batch) => crossEntropy(fovea, logits(fovea, params, method, batch), batch.answers),
    optimizer: adam({ learningRate: warmupLinear(1e-2, { warmup: 20, steps: STEPS, final: 1e-3 }) }),
    clipNorm: 1,
  });
  const size = TOKENS / n;
  const begin = process.cpuUsage();
  for (let step = 0; step < STEPS; step++) trainer.step(draw(random, n, size));
  const { user, system } = process.cpuUsage(begin);
  trainer.dispose();
  const test = new Random(1);
  let right = 0;
  for (let part = 0; part < TESTED / size; part++)
    fovea.scope(() => {
      const batch = draw(test, n, size);
      const { chosen } = choose(logits(fovea, params, method, batch), VALUES);
      right += chosen.filter((one, b) => one === batch.answers[b]).length;
    });
  dispose(params);
  return { right: right / TESTED, time: (user + system) / 1000 / STEPS };
}

/** The table for some lengths, such as `256,1024`. */
export function run(fovea: Fovea, lengths = '256'): void {
  const tokens = lengths.split(',').map(Number);
  console.log(`| kind | ${tokens.map((n) => `${n} tokens: right, seeds 1 to 3 | ms`).join(' | ')} |`);
  console.log(`|---|${'---|---|'.repeat(tokens.length)}`);
  for (const method of METHODS) {
    const cells = tokens.map((n) => {
      const runs = SEEDS.map((seed) => trained(fovea, method, n, seed));
      const milliseconds = runs.reduce((sum, { time }) => sum + time, 0) / runs.length;
      return `${runs.map(({ right }) => right.toFixed(2)).join(' ')} | ${milliseconds.toFixed(1)}`;
    });
    console.log(`| ${method.id} | ${cells.join(' | ')} |`);
  }
}
