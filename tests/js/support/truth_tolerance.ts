/**
 * How far an attention result may be from the definition in double:
 *   error <= 2 * error of the same definition in plain float32 loops + 8 * 2^-24 * scale
 * The error of the loops is the largest of three: summing upwards, downwards, and with the query scaled first. `scale` is what
 * one rounding of each logit and of each term can move: Σ_j w[j] |v[j]| (1 + r[j] + Σ_k w[k] r[k]) for an output, r being the
 * largest running sum on the way to a logit. Where the logits are exact in float32 (small integers, a power of two as scale,
 * no cap), nothing is granted for them: the r are left out, and logits must be equal. Weights below float32's normal range
 * may be 0: 2^-126 is granted for each.
 */
import { EPS } from './truth_bounds.ts';
import { DOUBLE, referenceAttention, SINGLES, type Reference, type ReferenceOptions, type Values } from './truth_reference.ts';

const SMALLEST_NORMAL = 2 ** -126;
const NAMES = ['output', 'weights', 'lse', 'raw', 'capped', 'biased'] as const;
export type Part = (typeof NAMES)[number];

export interface Expected {
  readonly want: Reference;
  readonly bounds: Readonly<Record<Part, number>>;
}

export function expectedAttention(q: Values, k: Values, v: Values, options: ReferenceOptions, exactLogits: boolean): Expected {
  const want = referenceAttention(q, k, v, options, DOUBLE);
  const loops = SINGLES.map((arithmetic) => referenceAttention(q, k, v, options, arithmetic));
  const scales = scalesOf(want, k.shape[2] as number, v.shape[3] as number, exactLogits);
  const tiny: Partial<Record<Part, number>> = {
    weights: SMALLEST_NORMAL,
    output: SMALLEST_NORMAL * (k.shape[2] as number) * largest(v.data),
  };
  const bounds = Object.fromEntries(
    NAMES.map((name) => {
      const error = Math.max(...loops.map((loop) => largestDifference(loop[name], want[name])));
      return [name, 2 * error + 8 * EPS * scales[name] + (tiny[name] ?? 0)];
    }),
  ) as Record<Part, number>;
  return { want, bounds };
}

function scalesOf(want: Reference, Tk: number, Dv: number, exactLogits: boolean): Record<Part, number> {
  let output = 0;
  let weights = 0;
  let lse = 0;
  for (let row = 0; row < want.lse.length; row++) {
    if (!Number.isFinite(want.lse[row])) continue;
    let mean = 0;
    let top = 0;
    let highest = -Infinity;
    for (let j = row * Tk; j < (row + 1) * Tk; j++) {
      if (want.allowed[j] === 0) continue;
      const w = want.alignment[j] as number;
      const s = largestStage(want, j);
      highest = Math.max(highest, want.biased[j] as number);
      if (w < 2 ** -40) continue;
      mean += w * s;
      top = Math.max(top, s);
    }
    const moved = exactLogits ? 1 : 1 + top + mean;
    for (let d = row * Dv; d < (row + 1) * Dv; d++) output = Math.max(output, moved * (want.spread[d] as number));
    const factor = largest(want.weights.subarray(row * Tk, (row + 1) * Tk).map((w, j) => w / want.alignment[row * Tk + j]!));
    weights = Math.max(weights, moved * factor);
    lse = Math.max(lse, Math.abs(highest) + Math.log(Tk) + (exactLogits ? 0 : top));
  }
  if (exactLogits) return { output, weights, lse, raw: 0, capped: 0, biased: 0 };
  // The cap and the additions pass on the error of what they are given.
  const raw = largest(want.reach);
  const capped = raw + largest(want.capped);
  return { output, weights, lse, raw, capped, biased: capped + largest(want.biased) };
}

function largestStage({ reach, capped, biased }: Reference, n: number): number {
  return Math.max(reach[n] as number, Math.abs(capped[n] as number), Math.abs(biased[n] as number));
}

function largest(data: ArrayLike<number>): number {
  let max = 0;
  for (let n = 0; n < data.length; n++) if (Number.isFinite(data[n])) max = Math.max(max, Math.abs(data[n] as number));
  return max;
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  let max = 0;
  for (let n = 0; n < b.length; n++)
    if (Number.isFinite(b[n])) max = Math.max(max, Math.abs((a[n] as number) - (b[n] as number)));
  return max;
}
