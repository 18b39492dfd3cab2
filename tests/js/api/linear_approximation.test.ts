/** `approximation` against plain loops, and `linformer`. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as ops from 'fovea/ops';
import { approximation, linearAttention, linformer, type ApproximationMethod } from 'fovea/linear-attention';
import { pattern } from 'fovea/pattern';
import type { NDArray } from 'fovea';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

after(() => fovea.dispose());

const [q, k, v] = [numbers([2, 6, 4]), numbers([2, 7, 4], 2), numbers([2, 7, 3], 3)];

/** Both figures, by loops over plain numbers. */
function figures(got: NDArray, want: NDArray): { maxError: number; relativeFrobenius: number } {
  let [maxError, error, norm] = [0, 0, 0];
  want.data.forEach((x, n) => {
    maxError = Math.max(maxError, Math.abs(got.data[n]! - x));
    error += (got.data[n]! - x) ** 2;
    norm += x ** 2;
  });
  return { maxError, relativeFrobenius: Math.sqrt(error / norm) };
}

function divergence(p: Float32Array, a: Float32Array, keys: number): number[] {
  return Array.from({ length: p.length / keys }, (_, row) => {
    let sum = 0;
    for (let n = row * keys; n < (row + 1) * keys; n++) if (p[n]! > 0) sum += p[n]! * Math.log(p[n]! / a[n]!);
    return sum;
  });
}

test('linear attention: the figures of its output, and of its weights where they are a distribution', () => {
  const exact = fovea.attention(q, k, v, { returnWeights: true });
  for (const linear of [
    {},
    { featureMap: 'favor+', features: 20 },
    { featureMap: 'softmax' },
    { featureMap: 'taylor' },
  ] as const) {
    const got = leavesNothing(() => approximation(fovea, q, k, v, { linear }));
    const { output, trace } = linearAttention(fovea, q, k, v, { ...linear, trace: true });
    const want = figures(output, exact.output);
    assert.ok(
      Math.abs(got.maxError - want.maxError) < 1e-12 && Math.abs(got.relativeFrobenius - want.relativeFrobenius) < 1e-12,
    );
    const weights = trace!.find(({ name }) => name === 'weights')!;
    assert.deepEqual(got.perRowKL!.shape, [2, 6]);
    near(got.perRowKL, divergence((exact.weights as NDArray).data, weights.data, 7), 1e-5);
  }
  assert.equal(approximation(fovea, q, k, v, { linear: { featureMap: 'identity' } }).perRowKL, undefined);
});

test('the exact attention has the same causal, lengths, layout, and a scale inside of φ', () => {
  const x = numbers([4, 3]);
  const linear = { featureMap: 'exp', causal: true, scale: 2, keyLengths: [3] } as const;
  const exact = fovea.attention(x, x, x, { causal: true, scale: 2, keyLengths: [3] }).output;
  const want = figures(linearAttention(fovea, x, x, x, linear).output, exact);
  assert.equal(approximation(fovea, x, x, x, { linear }).maxError, want.maxError);
  fovea.scope(() => assert.equal(approximation(fovea, fovea.tensor(x), x, x, { linear }).maxError, want.maxError));
  const packed = numbers([4, 6]);
  const heads = approximation(fovea, packed, packed, packed, { linear: { heads: 2 } });
  assert.deepEqual(heads.perRowKL!.shape, [2, 4]);
});

test('a pattern and linformer are compared too; a key that a pattern leaves out makes KL infinite', () => {
  const some = approximation(fovea, q, k, v, { pattern: pattern.window(1, 1), scale: 2 });
  const exact = fovea.attention(q, k, v, { scale: 2 }).output;
  const kept = fovea.attention(q, k, v, { scale: 2, pattern: pattern.window(1, 1) }).output;
  assert.equal(some.maxError, figures(kept, exact).maxError);
  assert.ok(some.perRowKL!.data.every((kl) => kl === Infinity));
  const all = approximation(fovea, q, k, v, { pattern: pattern.window(9, 9) });
  assert.equal(all.relativeFrobenius < 1e-6, true);
  near(all.perRowKL, new Array(12).fill(0), 1e-6);
  const mixed = approximation(fovea, q, k, v, { linformer: { rank: 3, seed: 4 } });
  const want = figures(linformer(fovea, q, k, v, { rank: 3, seed: 4 }).output, fovea.attention(q, k, v).output);
  assert.deepEqual(mixed, want);
});

test('wrong methods are refused', () => {
  const wrong = (code: string, message: RegExp, method: unknown) =>
    fails(code, message, () => approximation(fovea, q, k, v, method as ApproximationMethod));
  wrong('option', /method must be \{ linear \}/, undefined);
  wrong('option', /unknown method 'lineer'; did you mean 'linear'\?/, { lineer: {} });
  wrong('option', /must have one key/, { linear: {}, linformer: { rank: 1 } });
  wrong('option', /unknown option 'casual'/, { linear: { casual: true } });
});

test('linformer mixes by E and F, in every layout, and draws E from a seed', () => {
  const [E, F] = [numbers([3, 7], 5), numbers([3, 7], 6)];
  const mix = (by: NDArray, x: NDArray): NDArray => ops.matmul(fovea, by, x);
  const want = fovea.attention(q, mix(E, k), mix(F, v), { returnWeights: true, scale: 0.3 });
  const got = leavesNothing(() => linformer(fovea, q, k, v, { E, F, returnWeights: true, scale: 0.3 }));
  near(got.output, Array.from(want.output.data));
  assert.deepEqual(got.weights!.shape, [2, 6, 3]);
  const own = linformer(fovea, q, k, v, { E });
  near(own.output, Array.from(linformer(fovea, q, k, v, { E, F: E }).output.data));
  const of = (seed: number) => linformer(fovea, q, k, v, { rank: 5, seed }).output.data.join();
  assert.equal(of(1), of(1));
  assert.notEqual(of(1), of(2));
  const turn = ({ data, shape: [h, t, d] }: NDArray): NDArray => {
    const out = new Float32Array(data.length);
    data.forEach((x, n) => (out[((Math.floor(n / d!) % t!) * h! + Math.floor(n / (t! * d!))) * d! + (n % d!)] = x));
    return { data: out, shape: [t!, h!, d!] };
  };
  const bthd = linformer(fovea, turn(q), turn(k), turn(v), { E, layout: 'bthd' }).output;
  same(bthd.data, turn(own.output).data);
  const pack = (x: NDArray): NDArray => ({ data: x.data, shape: [x.shape[0]!, x.shape[1]! * x.shape[2]!] });
  same(linformer(fovea, pack(turn(q)), pack(turn(k)), pack(turn(v)), { E, heads: 2 }).output.data, bthd.data);
  fovea.scope(() => same(linformer(fovea, fovea.tensor(q), fovea.tensor(k), v, { E }).output.toArray().data, own.output.data));
});

test('padding is in no mixture, also where batch entries share their keys', () => {
  const [x, y] = [numbers([3, 1, 4, 2]), numbers([5, 2], 9)];
  y.data.fill(NaN, 8);
  const E = numbers([2, 5], 4);
  const got = linformer(fovea, x, y, y, { E, keyLengths: [4, 2, 0] }).output;
  [4, 2].forEach((length, b) => {
    const cut = { data: y.data.slice(0, 2 * length), shape: [length, 2] };
    const mixture = {
      data: new Float32Array([0, 1].flatMap((r) => Array.from(E.data.slice(5 * r, 5 * r + length)))),
      shape: [2, length],
    };
    const one = linformer(fovea, { data: x.data.slice(8 * b, 8 * b + 8), shape: [4, 2] }, cut, cut, { E: mixture }).output;
    near({ data: got.data.slice(8 * b, 8 * b + 8), shape: [8] }, Array.from(one.data));
  });
  assert.ok(got.data.slice(16).every((z) => z === 0));
});

test('linformer refuses what it cannot mix by', () => {
  const wrong = (code: string, message: RegExp, options: object) =>
    fails(code, message, () => linformer(fovea, q, k, v, options));
  wrong('option', /needs E, or rank to draw one/, {});
  wrong('option', /F goes with E, got F alone/, { F: [[1]] });
  wrong('option', /rank draws the E that is given/, { E: numbers([2, 7]), rank: 2 });
  wrong('shape', /E must be \[r, Tk\] = \[r, 7\], got \[7, 2\]/, { E: numbers([7, 2]) });
  wrong('shape', /F must be \[r, Tk\] = \[2, 7\], got \[3, 7\]/, { E: numbers([2, 7]), F: numbers([3, 7]) });
  wrong('value', /rank must be an integer from 1/, { rank: 0 });
  wrong('option', /unknown option 'causal'/, { rank: 2, causal: true });
});
