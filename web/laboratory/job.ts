/** The laboratory worker's functions, with the worker's own instance of the package. */
import type { Fovea, Tensor } from 'fovea';
import type { Timing } from '../families/sparse/timing.ts';
import { smallestStep, timingOf } from '../families/sparse/timing.ts';
import type { Limit } from './limit.ts';
import { measureLimit } from './limit.ts';
import { methodOf, ready, tokens, WIDTH, type Method } from './methods.ts';
import { rankOf } from './rank.ts';

export interface Clock {
  /** The smallest step that the clock was seen to make, in milliseconds. */
  readonly resolution: number;
  readonly isolated: boolean;
  readonly limit: Limit;
}

export interface Quality {
  readonly id: Method['id'];
  /** ‖output − exact‖ / ‖exact‖. */
  readonly error: number;
  /** The rank of the matrix that takes the values to the output. */
  readonly rank: number;
}

let resolution = 0;

async function clock(fovea: Fovea): Promise<Clock> {
  resolution = await smallestStep();
  return { resolution, isolated: crossOriginIsolated, limit: await measureLimit(fovea.info.variant.startsWith('relaxed')) };
}

/** One method over n tokens. */
async function time(fovea: Fovea, { id, n }: { id: Method['id']; n: number }): Promise<Timing> {
  const kept: Tensor[] = [];
  const keep = (tensor: Tensor): Tensor => (kept.push(tensor), tensor);
  try {
    const x = keep(fovea.tensor({ data: tokens(n), shape: [n, WIDTH] }));
    const call = ready(fovea, methodOf(id), n, keep);
    const timing = await timingOf(() => fovea.scope(() => void call(x, x)), resolution, new AbortController().signal);
    return timing!;
  } finally {
    for (const tensor of kept) tensor.dispose();
  }
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let [squares, norm] = [0, 0];
  for (let i = 0; i < b.length; i++) {
    squares += (a[i]! - b[i]!) ** 2;
    norm += b[i]! ** 2;
  }
  return squares === 0 ? 0 : Math.sqrt(squares / norm);
};

/** One method beside exact attention over n tokens. The identity as values gives the matrix itself, whatever the method. */
function quality(fovea: Fovea, { id, n }: { id: Method['id']; n: number }): Quality {
  const method = methodOf(id);
  return fovea.scope(() => {
    const x = fovea.tensor({ data: tokens(n), shape: [n, WIDTH] });
    const unit = fovea.tensor({
      data: Float32Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0)),
      shape: [n, n],
    });
    const call = ready(fovea, method, n, (tensor) => tensor);
    const numbers = (tensor: Tensor): ArrayLike<number> => tensor.toArray().data;
    const exact = fovea.attention(x, x, x, { causal: method.isCausal ?? false }).output;
    return { id: method.id, error: distance(numbers(call(x, x)), numbers(exact)), rank: rankOf(numbers(call(x, unit)), n) };
  }) as Quality;
}

export const functions = { clock, time, quality };
