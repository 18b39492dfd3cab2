import type { Fovea } from 'fovea';
import type { XformerCost } from 'fovea/mechanisms';
import { xformerCost } from 'fovea/mechanisms';
import type { Method } from './methods.ts';
import { WIDTH } from './methods.ts';

/** Which lengths are counted and timed, and where a method stops. */

/** Why a method goes no further: its next call would take so long, or so much memory. */
export interface Stop {
  readonly at: number;
  readonly reason: 'time' | 'memory';
  /** Milliseconds, or bytes. */
  readonly predicted: number;
}

/** Shorter texts are counted: a call is shorter than what surrounds it. */
export const [LEAST_COUNTED, LEAST_TIMED, MOST_TIMED] = [64, 256, 262144];
/** Errors and ranks are those of so many tokens: ranks need the whole matrix. */
export const QUALITY_TOKENS = 256;
/** A call that hurts: milliseconds, bytes. */
export const [LONGEST_CALL, MOST_BYTES] = [3000, 2 ** 30];
/** x, the output, and what kernels rearrange: about so many arrays as large as x. */
const ARRAYS = 4;

export const lengthsTo = (least: number, most: number): number[] =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, i) => least * 2 ** i);

/** A method's counts over n tokens, by the package. */
export function costOf(fovea: Fovea, { id, countsOf }: Method, n: number): XformerCost {
  return xformerCost(fovea, {}, {}, { n, d: WIDTH, kinds: { [id]: countsOf(n) } } as never)[id as never] as XformerCost;
}

/** Whether a method goes on to n tokens: time grows with the counted work from its last point. */
export function stopOf(fovea: Fovea, method: Method, n: number, last: { n: number; median: number } | null): Stop | null {
  const bytes = ARRAYS * n * WIDTH * Float32Array.BYTES_PER_ELEMENT;
  if (bytes > MOST_BYTES) return { at: n, reason: 'memory', predicted: bytes };
  if (!last) return null;
  const growth = costOf(fovea, method, n).multiplyAdds / costOf(fovea, method, last.n).multiplyAdds;
  const predicted = last.median * growth;
  return predicted > LONGEST_CALL ? { at: n, reason: 'time', predicted } : null;
}
