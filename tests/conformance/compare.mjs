/**
 * How far a result may be from a published value. The published values are float32 (a few float16) of other
 * implementations, with errors of their own, so there are two bounds:
 *   derived   2^-20 * max|want| + half a unit in the last place of the published type: 16 roundings of the largest value
 *   source    what the case's own test suite allows
 * A result within the first is counted as such; beyond the second it has failed.
 */

const HALF_ULP = { float16: 2 ** -11, float32: 2 ** -24, float64: 2 ** -53 };

/** The suites' tolerance where a case does not say: |got - want| <= abs + rel * |want|. */
const DEFAULTS = {
  onnx: { abs: 1e-7, rel: 1e-3 }, // onnx.backend.test
  'ort/jsonc': { abs: 1e-3, rel: 1e-5 }, // onnxruntime js/web/test/test-runner.ts, webgpu: attention runs there
  'ort/cc': { abs: 1e-5, rel: 1e-4 }, // onnxruntime/test/unittest_util/checkers.cc
};

export function sourceTolerance(path, stated) {
  const suite = Object.keys(DEFAULTS).find((part) => path.replaceAll('\\', '/').includes(`/${part}/`)) ?? 'onnx';
  return { abs: stated?.abs ?? DEFAULTS[suite].abs, rel: stated?.rel ?? DEFAULTS[suite].rel };
}

/**
 * @returns { failure: null or why it failed, ratio: the worst error over the derived bound, error: the worst error }
 */
export function compare(name, got, want, tolerance) {
  if (got === undefined) return { failure: `no output ${name}`, ratio: Infinity, error: NaN };
  if (!sameShape(got.shape, want.shape))
    return { failure: `${name}: shape [${got.shape}], not [${want.shape}]`, ratio: Infinity, error: NaN };
  const largest = want.data.reduce((max, x) => (Number.isFinite(x) ? Math.max(max, Math.abs(x)) : max), 0);
  let ratio = 0;
  let worst = 0;
  for (let n = 0; n < want.data.length; n++) {
    const [g, w] = [got.data[n], want.data[n]];
    if (!Number.isFinite(w)) {
      if (!Object.is(g, w)) return { failure: `${name}[${n}]: ${g}, not ${w}`, ratio: Infinity, error: NaN };
      continue;
    }
    const error = Math.abs(g - w);
    if (!(error <= tolerance.abs + tolerance.rel * Math.abs(w)))
      return { failure: `${name}[${n}]: ${g}, not ${w} (error ${error})`, ratio: Infinity, error };
    const derived = 2 ** -20 * largest + (HALF_ULP[want.dtype] ?? 0) * Math.abs(w);
    ratio = Math.max(ratio, error === 0 ? 0 : error / derived);
    worst = Math.max(worst, error);
  }
  return { failure: null, ratio, error: worst };
}

/** The first index where two Float32Arrays differ in their bits (all NaNs are equal), or -1. */
export function firstDifference(a, b) {
  if (a.length !== b.length) return 0;
  return a.findIndex((x, n) => !Object.is(x, b[n]));
}

function sameShape(a, b) {
  return a.length === b.length && a.every((n, axis) => n === b[axis]);
}
