/** The comparisons of the truth tests: the bound of tests/golden/FORMAT.md, never looser, and equality of bits. */
import assert from 'node:assert/strict';
import type { Baseline, TruthTensor } from './truth_files.ts';

export const EPS = 2 ** -24;

export interface FloatArray {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** 4 * max_abs_err + 8 * 2^-24 * ref_max_abs; without a baseline, that of an error-free one. */
export function formatBound(want: TruthTensor, baseline: Baseline | undefined): number {
  if (baseline !== undefined) return 4 * baseline.max_abs_err + 8 * EPS * baseline.ref_max_abs;
  let largest = 0;
  for (const x of want.data) if (Number.isFinite(x)) largest = Math.max(largest, Math.abs(x));
  return 8 * EPS * largest;
}

/** Every element within `bound` of `want`; what is 0 or not finite in `want` must be exactly that where `exact` says so. */
export function assertWithin(
  got: FloatArray,
  want: TruthTensor,
  bound: number,
  what: string,
  exact?: (index: number) => boolean,
): void {
  assert.deepEqual([...got.shape], [...want.shape], `${what}: shape`);
  assert.equal(got.data.length, want.data.length, `${what}: number of elements`);
  let worst = -1;
  let where = 0;
  for (let n = 0; n < want.data.length; n++) {
    const g = got.data[n] as number;
    const w = want.data[n] as number;
    if (!Number.isFinite(w) || exact?.(n) === true) {
      if (!Object.is(g + 0, w + 0)) assert.fail(`${what}: element ${n} must be exactly ${w}, got ${g}`);
      continue;
    }
    const error = Math.abs(g - w);
    if (!(error <= worst)) {
      worst = error;
      where = n;
      if (Number.isNaN(error)) break;
    }
  }
  if (!(worst <= bound)) {
    assert.fail(
      `${what}: |${got.data[where]} - ${want.data[where]}| = ${worst} is over the bound ${bound} (element ${where} of [${want.shape}])`,
    );
  }
}

/** Equal bit for bit; all NaNs count as equal. */
export function assertSameBits(got: Float32Array, want: Float32Array, what: string): void {
  const at = firstDifference(got, want);
  if (at === -1) return;
  assert.fail(
    got.length === want.length
      ? `${what}: element ${at} is ${got[at]}, not ${want[at]}`
      : `${what}: ${got.length} elements, not ${want.length}`,
  );
}

/** The first index where the bits differ (Object.is: all NaNs are equal, 0 and -0 are not), or -1. */
export function firstDifference(a: Float32Array, b: Float32Array): number {
  return a.length === b.length ? firstDifferenceIn(a, b, 0, a.length) : Math.min(a.length, b.length);
}

/** The first difference at indices [from, from + count) of both. */
export function firstDifferenceIn(a: Float32Array, b: Float32Array, from: number, count: number): number {
  for (let n = from; n < from + count; n++) if (!Object.is(a[n], b[n])) return n;
  return -1;
}
