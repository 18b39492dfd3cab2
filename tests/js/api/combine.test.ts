/** combine: what it takes, gives and refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, Tensor, toNested, type CombineOptions, type CombinePart, type NDArray } from 'fovea';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

const q = numbers([2, 3, 4], 1);
const k = numbers([2, 5, 4], 2);
const v = numbers([2, 5, 6], 3);
const over = (from: number, to: number, more = {}) =>
  fovea.scope(() => {
    const { output, lse, weights } = fovea.attention(
      q,
      fovea.tensor(k).slice(1, from, to).toArray(),
      fovea.tensor(v).slice(1, from, to).toArray(),
      {
        returnLse: true,
        ...more,
      },
    );
    return weights === undefined ? { output, lse } : { output, lse, weights };
  });
const parts = [over(0, 2), over(2, 5)];
const whole = fovea.attention(q, k, v, { returnLse: true });
const refused = (given: unknown, options?: unknown) => () => fovea.combine(given as CombinePart[], options as CombineOptions);
const changed = (n: number, change: object) => parts.map((part, place) => (place === n ? { ...part, ...change } : part));

test('two ranges of keys give what one call gives, lse too; results are parts for a further call', () => {
  const { output, lse } = leavesNothing(() => fovea.combine(parts));
  assert.deepEqual(
    [output.shape, lse.shape],
    [
      [2, 3, 6],
      [2, 3],
    ],
  );
  near(output, toNested(whole.output));
  near(lse, toNested(whole.lse!));
  const steps = fovea.combine([fovea.combine([over(0, 1), over(1, 2)]), over(2, 4), over(4, 5)]);
  near(steps.output, toNested(whole.output));
  near(steps.lse, toNested(whole.lse!));
});

test('what attention returns is taken as it is, with weights and all else', () => {
  same(
    fovea.combine([over(0, 2, { returnWeights: true }), over(2, 5, { trace: true })]).output.data,
    fovea.combine(parts).output.data,
  );
});

test('one part is itself', () => {
  const { output, lse } = fovea.combine([parts[0]!]);
  same(output.data, parts[0]!.output.data);
  same(lse.data, parts[0]!.lse!.data);
  assert.notEqual(output.data, parts[0]!.output.data);
});

test('sinks take their share once, of the output alone', () => {
  for (const sinks of [0.5, [0.5, -1], Float32Array.of(3, 0)]) {
    const { output, lse } = fovea.combine(parts, { sinks });
    near(output, toNested(fovea.attention(q, k, v, { sinks }).output));
    same(lse.data, fovea.combine(parts).lse.data);
  }
});

test('a part without keys for a row is skipped whatever it holds; without any the row is 0 and -Infinity', () => {
  const empty = { output: [[NaN, Infinity]], lse: [-Infinity] };
  assert.deepEqual(toNested(fovea.combine([empty, { output: [[1, 2]], lse: [3] }, empty]).output), [[1, 2]]);
  const none = fovea.combine([empty, empty], { sinks: 1 });
  assert.deepEqual([toNested(none.output), toNested(none.lse)], [[[0, 0]], [-Infinity]]);
});

test('a NaN or +Infinity lse makes its own row NaN and no other', () => {
  for (const broken of [NaN, Infinity]) {
    const { output, lse } = fovea.combine([
      { output: [[1], [1]], lse: [broken, 0] },
      { output: [[3], [3]], lse: [0, 0] },
    ]);
    assert.deepEqual(
      [toNested(output), toNested(lse)],
      [
        [[NaN], [2]],
        [NaN, Math.fround(Math.LN2)],
      ],
    );
  }
});

test('parts are summed in the order given', () => {
  const of = (...values: number[]) => toNested(fovea.combine(values.map((x) => ({ output: [[x]], lse: [0] }))).output);
  assert.deepEqual(of(1e8, 1, -1e8), [[0]]);
  assert.deepEqual(of(1e8, -1e8, 1), [[Math.fround(1 / 3)]]);
});

test('Tensors stay Tensors, by the first output; parts may mix, and slices are read where they are', () => {
  leavesNothing(() =>
    fovea.scope(() => {
      const want = fovea.combine(parts);
      const all = fovea.tensor({
        data: Float32Array.from([...parts[0]!.output.data, ...parts[1]!.output.data]),
        shape: [4, 3, 6],
      });
      const lses = fovea.tensor({ data: Float32Array.from([...parts[0]!.lse!.data, ...parts[1]!.lse!.data]), shape: [4, 3] });
      const slices = [0, 2].map((from) => ({ output: all.slice(0, from, from + 2), lse: lses.slice(0, from, from + 2) }));
      const { output, lse } = fovea.combine(slices);
      assert.ok(output instanceof Tensor && lse instanceof Tensor);
      same(output.data, want.output.data);
      same(lse.data, want.lse.data);
      assert.ok(fovea.combine([slices[0]!, parts[1]!]).output instanceof Tensor);
      const plain: NDArray | Tensor = fovea.combine([{ ...parts[0]!, lse: slices[0]!.lse }, slices[1]!]).output;
      assert.ok(!(plain instanceof Tensor));

      // Strides that no plain array has: the first queries, and some of the width.
      const cut = slices.map((part) => ({ output: part.output.slice(1, 1, 3).slice(2, 1, 4), lse: part.lse.slice(1, 1, 3) }));
      same(fovea.combine(cut).output.data, fovea.tensor(want.output).slice(1, 1, 3).slice(2, 1, 4).toArray().data);
      same(fovea.combine(cut).lse.data, fovea.tensor(want.lse).slice(1, 1, 3).toArray().data);
    }),
  );
});

test('any layout: lse lacks the axes that output lacks', () => {
  const twice = (shape: number[], lse: number[]) => [
    { output: numbers(shape, 4), lse: numbers(lse, 5) },
    { output: numbers(shape, 6), lse: numbers(lse, 7) },
  ];
  const straight = fovea.combine(twice([2, 3, 4], [2, 3]));
  same(fovea.combine(twice([2, 3, 4], [2, 3]), { layout: 'btd' }).output.data, straight.output.data);
  assert.deepEqual(fovea.combine(twice([3, 4], [3])).lse.shape, [3]);
  assert.deepEqual(fovea.combine(twice([1, 3, 2, 4], [1, 2, 3]), { layout: 'bthd' }).lse.shape, [1, 2, 3]);
  assert.deepEqual(fovea.combine(twice([3, 2, 4], [2, 3]), { layout: 'bthd' }).output.shape, [3, 2, 4]);
  assert.deepEqual(fovea.combine(twice([5, 3, 8], [5, 2, 3]), { heads: 2 }).output.shape, [5, 3, 8]);
  assert.deepEqual(fovea.combine(twice([3, 8], [4, 3]), { heads: 4 }).lse.shape, [4, 3]);
  fails('shape', /parts\[0\]\.lse must be \[B, H, Tq\].* = \[4, 3\], got \[3\]/, refused(twice([3, 8], [3]), { heads: 4 }));
});

test('no rows, no width', () => {
  const none = (shape: number[], lse: number[]) => fovea.combine([{ output: numbers(shape), lse: numbers(lse) }]);
  assert.deepEqual(none([0, 3, 4], [0, 3]).output.shape, [0, 3, 4]);
  assert.deepEqual(none([2, 0, 4], [2, 0]).lse.shape, [2, 0]);
  assert.deepEqual(none([2, 3, 0], [2, 3]).lse.data, numbers([2, 3]).data);
});

test('out writes into given arrays and Tensors', () => {
  const want = fovea.combine(parts);
  const out = { output: numbers([2, 3, 6], 8), lse: numbers([2, 3], 9) };
  const got = leavesNothing(() => fovea.combine(parts, { out }));
  assert.ok(got.output === out.output && got.lse === out.lse);
  same(out.output.data, want.output.data);
  same(out.lse.data, want.lse.data);
  const target = fovea.tensor(numbers([2, 3]));
  assert.equal(fovea.combine(parts, { out: { lse: target } }).lse, target);
  same(target.data, want.lse.data);
  target.dispose();
  fails(
    'option',
    /unknown out target 'weights'; known are output, lse/,
    refused(parts, { out: { weights: numbers([2, 3, 5]) } }),
  );
  fails('option', /out must be an object of output or lse, got 4/, refused(parts, { out: 4 }));
  fails('shape', /out\.lse must have the shape \[2, 3\], got \[3, 2\]/, refused(parts, { out: { lse: numbers([3, 2]) } }));
  fails('value', /out\.output must not overlap parts\[1\]\.output/, refused(parts, { out: { output: parts[1]!.output } }));
  fails('value', /out\.lse must not overlap parts\[0\]\.lse/, refused(parts, { out: { lse: parts[0]!.lse } }));
});

test('parts that are none are refused, and the message says which', () => {
  fails('value', /^combine: parts must be an array of at least one \{ output, lse \}, got \[\]$/, refused([]));
  fails('value', /parts must be an array.*got an object/, refused(parts[0]));
  fails('value', /parts must be an array.*got undefined/, refused(undefined));
  fails(
    'value',
    /parts\[1\] must be \{ output, lse \}, as .* returnLse: true, got an object$/,
    refused(changed(1, { lse: undefined })),
  );
  fails('value', /parts\[1\]\.output must be \{ data, shape \}, .* got undefined/, refused(changed(1, { output: undefined })));
  fails('value', /parts\[0\] must be .* got null/, refused([null, parts[1]]));
  fails('value', /parts must have no holes, got one at 1 of 3$/, refused([parts[0], , parts[1]]));
  fails('value', /parts\[0\]\.lse must be \{ data, shape \}.*got 3/, refused(changed(0, { lse: 3 })));
  fails('value', /parts\[0\]\.output must hold numbers only/, refused(changed(0, { output: [['1']] })));
});

test('shapes that differ are refused, and the message says which', () => {
  fails(
    'shape',
    /^combine: parts\[1\]\.output must be shaped as parts\[0\]\.output = \[2, 3, 6\], got \[2, 3, 5\]$/,
    refused(changed(1, { output: numbers([2, 3, 5]) })),
  );
  fails(
    'shape',
    /parts\[1\]\.output must be shaped as .* got \[1, 2, 3, 6\]/,
    refused(changed(1, { output: numbers([1, 2, 3, 6]) })),
  );
  fails(
    'shape',
    /^combine: parts\[1\]\.lse must be \[B, H, Tq\] less the axes that output lacks = \[2, 3\], got \[3, 2\]$/,
    refused(changed(1, { lse: numbers([3, 2]) })),
  );
  fails('shape', /parts\[0\]\.lse must be .* got \[2, 3, 1\]/, refused(changed(0, { lse: numbers([2, 3, 1]) })));
  fails(
    'shape',
    /parts\[0\]\.output must be \[T, D\], \[H, T, D\], \[B, H, T, D\], got \[6\]/,
    refused([{ output: numbers([6]), lse: [1] }]),
  );
});

test('options are checked by name and value', () => {
  fails('option', /^combine: unknown option 'sink'; did you mean 'sinks'\?$/, refused(parts, { sink: 1 }));
  fails('option', /unknown option 'kvHeads'/, refused(parts, { heads: 2, kvHeads: 1 }));
  fails('option', /unknown option 'causal'; known are sinks, out, layout, heads/, refused(parts, { causal: true }));
  fails('option', /options must be an object, got 3/, refused(parts, 3));
  fails('option', /layout must be 'bhtd' or 'bthd' or 'btd', got 'bdth'/, refused(parts, { layout: 'bdth' }));
  fails('shape', /sinks's data must fill its shape, got 3 numbers for \[2\]/, refused(parts, { sinks: [1, 2, 3] }));
  fails('value', /sinks must be a finite number \(in float32\), got NaN/, refused(parts, { sinks: NaN }));
  fails(
    'value',
    /sinks must hold finite numbers \(in float32\), got -Infinity at index 1/,
    refused(parts, { sinks: [1, -Infinity] }),
  );
  same(
    fovea.combine(parts, { sinks: undefined, out: undefined, layout: undefined, heads: undefined }).output.data,
    fovea.combine(parts).output.data,
  );
});

test('Tensors that are disposed or of another instance are refused', async () => {
  const [output, lse] = [fovea.tensor(parts[1]!.output), fovea.tensor(parts[1]!.lse!)];
  const own = await load({ deterministic: true });
  const foreign = own.tensor(parts[0]!.lse!);
  fails('value', /parts\[0\]\.lse/, refused(changed(0, { lse: foreign })));
  own.dispose();
  lse.dispose();
  fails('disposed', /parts\[1\]\.lse/, refused([parts[0], { output, lse }]));
  output.dispose();
});

test('more than 4 GB is a memory error before anything is allocated', () => {
  const row = { data: new Float32Array(40_000), shape: [40_000, 1] };
  const many = Array.from({ length: 30_000 }, () => ({
    output: { ...row, data: row.data.subarray() },
    lse: { data: row.data, shape: [40_000] },
  }));
  fails('memory', /^combine: needs 4\d{9} bytes of WebAssembly memory/, refused(many));
});

test('data of one array, given in many parts, is copied once', () => {
  const part = { output: numbers([2, 3, 6]), lse: numbers([2, 3]) };
  const { output, lse } = fovea.combine(Array.from({ length: 8 }, () => part));
  near(output, toNested(part.output));
  near(
    lse,
    Array.from(part.lse.data, (x) => x + 3 * Math.LN2),
  );
});
