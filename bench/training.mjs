// Training: steps of a GPT and attention with its gradient, by fovea/train, jax-js and TensorFlow.js, each in a page of its own, in turns. The losses
// of eight steps, and gradients, are compared before anything is timed.

import { bundleTensorflow } from './contestants/training/bundle_tensorflow.mjs';
import { differenceOf } from './compare.mjs';
import { attentions } from './training_tasks.mjs';
import { summary } from './stats.mjs';
import { timeInTurns } from './turns.mjs';

const effort = { samples: 7, turn: 60 };
const comparedSteps = 8;
/** Largest difference from fovea's numbers, as a part of the largest of them. */
const tolerance = 1e-4;

export const ways = ['fovea', 'fovea-simd128', 'jax', 'tensorflow'];
export const peerWays = ['jax', 'tensorflow'];
export const titles = { fovea: 'fovea', 'fovea-simd128': 'fovea, simd128', jax: 'jax-js', tensorflow: 'TensorFlow.js' };

/**
 * @typedef {object} Task
 * @property {string} id
 * @property {string} title
 * @property {string} kind - the function of a contestant
 * @property {string[]} ways
 */

/** @type {Task[]} */
export const tasks = [
  { id: 'step', title: 'GPT step', kind: 'step', ways },
  { id: 'products', title: "the step's products alone", kind: 'products', ways: ways.slice(0, 2) },
  { id: 'attention', title: 'attention and gradient, [8, 1024, 64]', kind: 'attention', ways: ways.slice(0, 3) },
  { id: 'causal', title: 'the same, causal', kind: 'attention', ways: ways.slice(0, 3) },
  { id: 'attention-forward', title: 'attention, [8, 1024, 64], alone', of: 'attention', kind: 'forward', ways: ['fovea'] },
  { id: 'window', title: '[1, 16384, 64], window 256, and gradient', kind: 'attention', ways: ['fovea'] },
  { id: 'window-forward', title: 'the same, alone', of: 'window', kind: 'forward', ways: ['fovea'] },
  { id: 'recorded', title: '200 sums of one number, and gradient', kind: 'recorded', ways: ['fovea'] },
  { id: 'calls', title: '200 sums of one number', kind: 'call', ways: ['fovea'] },
];

/**
 * @param {(by: string) => Promise<{ call: Function, close: () => Promise<void> }>} open - a page of its own for each
 * @returns {Promise<Record<string, object>>} by task: { by way: a summary of milliseconds, with `first`, those of the first call }, or { failure };
 *   of fovea's attention `beside`, bytes of wasm memory that the first call gained beside its arrays
 */
export async function measureTraining(open, threads, progress) {
  await bundleTensorflow();
  const results = {};
  for (const task of tasks) {
    progress(`training: ${task.title}`);
    const pages = {};
    try {
      for (const way of task.ways) pages[way] = await open(`training-${task.id}-${way}`);
      results[task.id] = await measureTask(pages, task, threads);
    } catch (error) {
      results[task.id] = { failure: String(error.message).split('\n')[0] };
    } finally {
      for (const page of Object.values(pages)) await page.close();
    }
  }
  return results;
}

async function measureTask(pages, { id, of = id, kind, ways: names }, threads) {
  const results = {};
  let wanted;
  for (const way of names) {
    const page = pages[way];
    await page.call('prepareTraining', { kind, id: of, way, threads });
    const before = await page.call('memory');
    const first = await page.call('first');
    results[way] = { first, beside: (await page.call('memory')) - before - gradientBytes(kind, of) };
    for (let n = 1; n < (kind === 'step' ? comparedSteps : 1); ++n) await page.call('first');
    const got = await page.call('numbers');
    wanted ??= got;
    const difference = differenceOf(wanted, got);
    if (!(difference <= tolerance)) throw new Error(`${way}: numbers differ by ${difference.toPrecision(2)} of the largest`);
  }
  const times = await timeInTurns(pages, names, effort);
  for (const way of names) Object.assign(results[way], summary(times[way]));
  return results;
}

/** Bytes of the output, of its product with given numbers, of the gradients of both, and of those of q, k and v. */
function gradientBytes(kind, id) {
  if (kind !== 'attention') return 0;
  const { heads, tokens, width } = attentions[id];
  return 7 * 4 * heads * tokens * width;
}

/** Milliseconds of a way's steady call, or undefined. */
export const timeOf = (leg, id, way = 'fovea') => leg?.training?.[id]?.[way]?.median;

/** The fastest peer of a task as [way, result], or undefined. */
export function bestPeerOf(results) {
  return Object.entries(results ?? {})
    .filter(([way]) => peerWays.includes(way))
    .sort(([, a], [, b]) => a.median - b.median)[0];
}

/** Microseconds that recording and the gradient add to a call. */
export function addedPerCall(leg) {
  const [recorded, plain] = [timeOf(leg, 'recorded'), timeOf(leg, 'calls')];
  return recorded === undefined || plain === undefined ? undefined : (1000 * (recorded - plain)) / 200;
}
