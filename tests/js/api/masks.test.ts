import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaskInput } from 'fovea';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

const [B, H, Tq, Tk] = [2, 3, 2, 4];
const q = numbers([B, H, Tq, 4], 1);
const k = numbers([B, H, Tk, 4], 2);
const v = numbers([B, H, Tk, 4], 3);
const run = (mask: MaskInput) => leavesNothing(() => fovea.attention(q, k, v, { mask, returnWeights: true, returnLse: true }));
const bad = (mask: unknown) => () => fovea.attention(q, k, v, { mask: mask as MaskInput });

test('boolean masks: true and any byte but 0 attend', () => {
  const nested = run([
    [true, false, true, true],
    [false, false, false, true],
  ]);
  same(run({ data: Uint8Array.of(1, 0, 255, 2, 0, 0, 0, 7), shape: [2, 4] }).output.data, nested.output.data);
  same(run({ data: [true, false, true, true, false, false, false, true], shape: [2, 4] }).output.data, nested.output.data);
  nested.weights!.data.forEach((weight, at) => assert.equal(weight === 0, [0, 1, 0, 0, 1, 1, 1, 0][at % 8] === 1));
});

test('a row without an allowed key has zero weights, zero output and lse -Infinity', () => {
  const { output, weights, lse } = run([
    [true, true, true, true],
    [false, false, false, false],
  ]);
  for (let row = 1; row < B * H * Tq; row += 2) {
    near({ data: output.data.slice(4 * row, 4 * row + 4), shape: [4] }, [0, 0, 0, 0], 0);
    near({ data: weights!.data.slice(4 * row, 4 * row + 4), shape: [4] }, [0, 0, 0, 0], 0);
    assert.equal(lse!.data[row], -Infinity);
  }
});

test('float masks are added; exactly -Infinity forbids, a large finite value does not', () => {
  const added = run([
    [0.5, -Infinity, 0, 2],
    [-Infinity, -Infinity, -Infinity, 0.25],
  ]);
  same(
    run({ data: Float32Array.of(0.5, -Infinity, 0, 2, -Infinity, -Infinity, -Infinity, 0.25), shape: [2, 4] }).output.data,
    added.output.data,
  );
  same(
    run({ data: Float64Array.of(0.5, -Infinity, 0, 2, -Infinity, -Infinity, -Infinity, 0.25), shape: [2, 4] }).output.data,
    added.output.data,
  );
  const low = run([
    [-1e9, -1e9, -1e9, -1e9],
    [0.5, 0, 0, 0],
  ]);
  near({ data: low.weights!.data.slice(0, 4), shape: [4] }, [0.25, 0.25, 0.25, 0.25], 1e-6);
});

test('a Tensor and a slice of one are float masks', () => {
  const wide = fovea.tensor([
    [9, 0.5, -Infinity, 0, 2],
    [9, 0, 0, 0, 0.25],
  ]);
  same(
    run(wide.slice(1, 1)).output.data,
    run([
      [0.5, -Infinity, 0, 2],
      [0, 0, 0, 0.25],
    ]).output.data,
  );
  wide.dispose();
});

test("masks broadcast by NumPy's rule to [B, H, Tq, Tk]", () => {
  const keep = (b: number, h: number, i: number, j: number): boolean => (3 * b + 5 * h + 7 * i + j) % 4 !== 0;
  for (const shape of [
    [B, H, Tq, Tk],
    [1, H, Tq, Tk],
    [B, 1, 1, Tk],
    [H, 1, Tk],
    [Tq, Tk],
    [Tq, 1],
    [Tk],
    [1],
    [],
    [B, 1, Tq, 1],
  ]) {
    const whole = [...Array(4 - shape.length).fill(1), ...shape] as number[];
    const fill = (target: number[]): Uint8Array => {
      const data = new Uint8Array(target.reduce((product, length) => product * length, 1));
      for (let at = 0; at < data.length; at++) {
        let rest = at;
        const index = [3, 2, 1, 0].map((axis) => {
          const place = rest % target[axis]!;
          rest = Math.floor(rest / target[axis]!);
          return whole[axis] === 1 ? 0 : place;
        });
        data[at] = Number(keep(index[3]!, index[2]!, index[1]!, index[0]!));
      }
      return data;
    };
    same(run({ data: fill(whole), shape }).output.data, run({ data: fill([B, H, Tq, Tk]), shape: [B, H, Tq, Tk] }).output.data);
  }
});

test('the layout does not change how a mask is read', () => {
  const mask = [[[true]], [[false]], [[true]]]; // [H, 1, 1]
  const x = numbers([B, Tk, H, 4], 4);
  const { weights } = fovea.attention(x, x, x, { layout: 'bthd', mask, returnWeights: true });
  weights!.data.forEach((weight, at) => assert.equal(weight === 0, Math.floor(at / Tk / Tk) % H === 1));
});

test('a mask that does not broadcast is a shape error', () => {
  fails('shape', /^attention: mask must broadcast to \[B, H, Tq, Tk\] = \[2, 3, 2, 4\], got \[3, 4\]$/, bad(numbers([3, 4])));
  fails('shape', /got \[1, 1, 1, 1, 4\]/, bad(numbers([1, 1, 1, 1, 4])));
  fails('shape', /got \[2, 2, 4\]/, bad(numbers([2, 2, 4])));
  fails('shape', /mask must not be ragged/, bad([[true], [true, false]]));
});

test('nested numbers that are all 0 or 1 are an error that names both remedies', () => {
  fails(
    'value',
    /boolean mask pass true and false or a Uint8Array.*these very numbers pass a Float32Array/,
    bad([
      [1, 0, 0, 1],
      [0, 0, 0, 1],
    ]),
  );
  fails('value', /only 0 and 1/, bad({ data: [1, 1, 0, 1], shape: [4] }));
  run({ data: Float32Array.of(1, 1, 0, 1), shape: [4] });
  run([0, 0, 0, -1]);
});

test('other types of masks are value errors', () => {
  fails('value', /mask\.data must be a Uint8Array or booleans/, bad({ data: new Int32Array(4), shape: [4] }));
  fails('value', /mask must hold booleans only, got 1/, bad([[true, 1, 0, 1]]));
  fails('value', /mask must hold numbers only, got false/, bad([[0, false, 0, 1]]));
  fails('value', /mask must be \{ data, shape \}/, bad('causal'));
});

test('NaN in a forbidden key or value leaks nowhere; a NaN logit makes its own row NaN', () => {
  const keys = numbers([3, 2], 5);
  keys.data.fill(NaN, 2, 4);
  const values = { data: Float32Array.of(1, 2, NaN, Infinity, 3, 4), shape: [3, 2] };
  const { output } = fovea.attention(numbers([2, 2], 6), keys, values, {
    mask: [
      [true, false, true],
      [true, true, true],
    ],
  });
  assert.ok(Number.isFinite(output.data[0]) && Number.isFinite(output.data[1]));
  assert.ok(Number.isNaN(output.data[2]) && Number.isNaN(output.data[3]));
});

test('sparse weights hold the pairs that the masks allow, whether heads and batch entries share their masks or not', () => {
  const keyLengths = [3, 4];
  for (const [batches, heads] of [
    [1, 1],
    [B, 1],
    [1, H],
    [B, H],
  ] as const) {
    const shape = [batches, heads, Tq, Tk];
    const data = Uint8Array.from(numbers(shape, 5).data, (x) => (x < 0.3 ? 1 : 0));
    const options = { mask: { data, shape }, keyLengths };
    const dense = fovea.attention(q, k, v, { ...options, returnWeights: 'dense' }).weights;
    const sparse = fovea.attention(q, k, v, { ...options, returnWeights: 'sparse' }).weights;
    let entry = 0;
    for (let row = 0; row < B * H * Tq; row++) {
      const [b, h] = [Math.floor(row / (H * Tq)), Math.floor(row / Tq) % H];
      for (let j = 0; j < Tk; j++) {
        const place = (((batches === 1 ? 0 : b) * heads + (heads === 1 ? 0 : h)) * Tq + (row % Tq)) * Tk + j;
        if (data[place] === 0 || j >= keyLengths[b]!) continue;
        assert.deepEqual([sparse.indices[entry], sparse.values[entry]], [j, dense.data[row * Tk + j]]);
        entry++;
      }
      assert.equal(sparse.indptr[row + 1], entry);
    }
  }
});
