/** `sample`: the next token, drawn by its logits. */
import { describe, fail } from '../errors/errors.ts';
import { checkFinite, checkInteger, readOptions } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { IntegerArray } from './argmax.ts';
import { exp } from './elementary.ts';
import { readArray } from './operands.ts';

export interface SampleOptions {
  /** Logits are divided by it; 0, the default, takes the largest. */
  readonly temperature?: number | undefined;
  /** Only the k largest logits, of equal ones those of lower index. Default all. */
  readonly topK?: number | undefined;
  /** The fewest likeliest of what topK leaves whose probabilities sum to at least this. Default 1, all. Source: Holtzman et al. 2020, arXiv:1904.09751. */
  readonly topP?: number | undefined;
  /** Leaves those of topP that are at least this times as likely as the likeliest. Default 0, all. Source: Nguyen et al. 2024, arXiv:2407.01082. */
  readonly minP?: number | undefined;
  /** An integer from 0 to 2^53 - 1; default 0. Each row of logits has a draw of its own. */
  readonly seed?: number | undefined;
}

export const SAMPLE_OPTIONS = [
  'temperature',
  'topK',
  'topP',
  'minP',
  'seed',
] as const satisfies readonly (keyof SampleOptions)[];

/** @internal */
export interface Sampling {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
}

/**
 * An index for each row of logits, drawn with the probabilities softmax(logits / temperature) after topK, topP and minP, in this order.
 * NaN is never drawn; a row without a finite number is a `value` error.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param logits [V], or more axes before it.
 * @returns integers in the shape of logits without the last axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed`.
 *
 * Determinism: the same draws for the same seed in every engine.
 * @example
 * import { sample } from 'fovea/ops';
 * sample(fovea, [[0, 5, 1]]).data; // Int32Array [1]
 * sample(fovea, [0, 5, 1], { temperature: 1, topK: 2, seed: 7 }).data.length; // 1
 */
export function sample(fovea: Fovea, logits: ArrayInput, options?: SampleOptions): IntegerArray {
  const fn = 'sample';
  const instance = instanceOf(fn, fovea);
  instance.engine.check(fn);
  const sampling = readSampling(fn, readOptions(fn, options, SAMPLE_OPTIONS));
  const { shape, data } = readArray(instance, fn, 'logits', logits);
  const length = shape.at(-1) ?? 0;
  if (length === 0) fail('shape', fn, `logits must have a last axis of at least one entry, got [${shape.join(', ')}]`);
  const numbers = Float32Array.from(isTensor(logits) ? logits.toArray().data : data);
  const count = sizeOf(shape) / length;
  const draws = Int32Array.from({ length: count }, (_, n) =>
    drawIndex(fovea, fn, numbers.subarray(n * length, (n + 1) * length), sampling, n),
  );
  return { data: draws, shape: shape.slice(0, -1) };
}

/** @internal */
export function readSampling(fn: string, options: SampleOptions): Sampling {
  const { temperature = 0, topK = Infinity, topP = 1, minP = 0, seed = 0 } = options;
  checkFinite(fn, 'temperature', temperature);
  if (temperature < 0) fail('value', fn, `temperature must be at least 0, got ${temperature}`);
  if (topK !== Infinity) checkInteger(fn, 'topK', topK, 1, 2 ** 31 - 1);
  for (const [name, value] of Object.entries({ topP, minP })) {
    checkFinite(fn, name, value);
    if (value < 0 || value > 1) fail('value', fn, `${name} must be from 0 to 1, got ${value}`);
  }
  checkSeed(fn, seed);
  return { temperature, topK, topP, minP, seed };
}

/**
 * The index that draw `n` of the seed takes.
 * @internal
 */
export function drawIndex(
  fovea: Fovea,
  fn: string,
  logits: Float32Array,
  { temperature, topK, topP, minP, seed }: Sampling,
  n: number,
): number {
  const best = largest(logits);
  if (best < 0 || !Number.isFinite(logits[best]))
    return fail('value', fn, `logits must have a finite largest number, got ${describe(logits[best] ?? NaN)}`);
  if (temperature === 0) return best;
  const scaled = logits.map((logit) => (logit - logits[best]!) / temperature);
  const { data: weights } = exp(fovea, { data: scaled, shape: [scaled.length] });
  // NaN has no chance.
  const weightOf = (index: number): number => weights[index]! || 0;
  const isWhole = topK >= logits.length && topP === 1 && minP === 0;
  const list: readonly number[] = isWhole
    ? Array.from(logits, (_, index) => index)
    : likeliest(logits, weightOf, { topK, topP, minP });
  let rest = uniform(seed, n) * list.reduce((sum, index) => sum + weightOf(index), 0);
  for (const index of list) {
    rest -= weightOf(index);
    if (rest < 0) return index;
  }
  // Roundings may leave a rest behind the last.
  return best;
}

/** The first of the largest numbers; NaN counts as none. */
function largest(logits: Float32Array): number {
  let best = -1;
  for (let index = 0; index < logits.length; index++) if (logits[index]! > (best < 0 ? -Infinity : logits[best]!)) best = index;
  return best;
}

/** The indices that topK, topP and minP leave, the likeliest first. */
function likeliest(
  logits: Float32Array,
  weightOf: (index: number) => number,
  { topK, topP, minP }: Pick<Sampling, 'topK' | 'topP' | 'minP'>,
): number[] {
  const next = inOrder(logits);
  const list: number[] = [];
  // Without topK the sum is that of all, and as few as topP needs are put in order.
  const isLimited = topK < logits.length;
  if (isLimited) while (list.length < topK) list.push(next());
  let all = 0;
  if (isLimited) for (const index of list) all += weightOf(index);
  else for (let index = 0; index < logits.length; index++) all += weightOf(index);
  const kept: number[] = [];
  let sum = 0;
  for (let n = 0; n < Math.min(topK, logits.length); n++) {
    const index = isLimited ? list[n]! : next();
    const weight = weightOf(index);
    if (n > 0 && (sum >= topP * all || weight < minP)) break;
    kept.push(index);
    sum += weight;
  }
  return kept;
}

/** Gives the indices one by one, those of larger numbers first, of equal ones the lower: a heap, which puts no more in order than is asked for. */
function inOrder(numbers: Float32Array): () => number {
  const heap = Int32Array.from(numbers, (_, index) => index);
  let size = heap.length;
  const valueOf = (index: number): number => (Number.isNaN(numbers[index]!) ? -Infinity : numbers[index]!);
  const isBefore = (a: number, b: number): boolean => valueOf(a) > valueOf(b) || (valueOf(a) === valueOf(b) && a < b);
  const sink = (from: number): void => {
    const moved = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  };
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at);
  return () => {
    const first = heap[0]!;
    heap[0] = heap[--size]!;
    sink(0);
    return first;
  };
}

const WORD = (1n << 64n) - 1n;

/** Draw `n` of a seed, from 0 to below 1: SplitMix64 (Steele, Lea, Flood 2014). */
function uniform(seed: number, n: number): number {
  let z = (BigInt(seed) + BigInt(n + 1) * 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
}
