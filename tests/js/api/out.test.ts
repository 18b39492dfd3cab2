import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

const q = numbers([2, 3, 4], 1);
const k = numbers([2, 5, 4], 2);
const v = numbers([2, 5, 6], 3);
const plain = fovea.attention(q, k, v, { returnWeights: true, returnLse: true });
const empty = (...shape: number[]) => ({
  data: new Float32Array(shape.reduce((product, length) => product * length, 1)),
  shape,
});

test('out writes into given arrays and hands them back; a target asks for its result', () => {
  const out = { output: empty(2, 3, 6), weights: empty(2, 3, 5), lse: empty(2, 3) };
  const got = leavesNothing(() => fovea.attention(q, k, v, { out }));
  for (const name of ['output', 'weights', 'lse'] as const) {
    assert.equal(got[name], out[name]);
    same(out[name].data, plain[name]!.data);
  }
});

test('out writes into Tensors, whether the inputs are plain or not, and into contiguous slices', () => {
  leavesNothing(() => {
    const whole = fovea.tensor(empty(2, 2, 3, 6));
    const target = whole.slice(0, 1).reshape([2, 3, 6]);
    const { output } = fovea.attention(q, k, v, { out: { output: target } });
    assert.equal(output, target);
    same(target.data, plain.output.data);
    assert.ok(whole.slice(0, 0, 1).data.every((x) => x === 0));
    whole.dispose();
  });
});

test('out in a layout of its own', () => {
  const out = { output: empty(3, 2, 4) };
  const x = numbers([3, 2, 4]);
  same(fovea.attention(x, x, x, { layout: 'bthd', out }).output.data, fovea.attention(x, x, x, { layout: 'bthd' }).output.data);
});

test('targets of another size, type or name are refused', () => {
  const bad = (out: object) => () => fovea.attention(q, k, v, { out });
  fails('shape', /out\.output must have the shape \[2, 3, 6\], got \[3, 2, 6\]/, bad({ output: empty(3, 2, 6) }));
  fails(
    'shape',
    /out\.lse's data must fill its shape, got 5 numbers for \[2, 3\]/,
    bad({ lse: { data: new Float32Array(5), shape: [2, 3] } }),
  );
  fails(
    'value',
    /out\.output must be \{ data: Float32Array, shape \} or a Tensor, got a Float64Array/,
    bad({ output: { data: new Float64Array(36), shape: [2, 3, 6] } }),
  );
  fails('value', /out\.weights must be .*got 4/, bad({ weights: 4 }));
  fails('option', /unknown out target 'outputs'; did you mean 'output'/, bad({ outputs: empty(1) }));
  fails('option', /out must be an object/, bad([] as never));
});

test('overlap with an input, or of two targets, is a value error', () => {
  const shared = new Float32Array(100);
  const input = { data: shared.subarray(0, 24), shape: [2, 3, 4] };
  fails('value', /out\.output must not overlap q in memory/, () =>
    fovea.attention(input, k, v, { out: { output: { data: shared.subarray(20, 56), shape: [2, 3, 6] } } }),
  );
  leavesNothing(() => fovea.attention(input, k, v, { out: { output: { data: shared.subarray(24, 60), shape: [2, 3, 6] } } }));
  fails('value', /out\.lse must not overlap out\.output/, () =>
    fovea.attention(q, k, v, {
      out: {
        output: { data: shared.subarray(0, 36), shape: [2, 3, 6] },
        lse: { data: shared.subarray(30, 36), shape: [2, 3] },
      },
    }),
  );
  const mask = { data: shared.subarray(0, 15), shape: [3, 5] };
  fails('value', /out\.lse must not overlap mask/, () =>
    fovea.attention(q, k, v, { mask, out: { lse: { data: shared.subarray(0, 6), shape: [2, 3] } } }),
  );
});

test('overlap of Tensors is a value error', () => {
  const x = fovea.tensor(numbers([2, 3, 4]));
  fails('value', /out\.output must not overlap q/, () => fovea.attention(x, k, k, { out: { output: x } }));
  fails('value', /out\.output must not overlap k/, () => fovea.attention(q, x, x, { out: { output: x.reshape([2, 3, 4]) } }));
  const wide = fovea.tensor(empty(2, 3, 8));
  fails('value', /out\.output must be contiguous/, () => fovea.attention(x, k, k, { out: { output: wide.slice(2, 0, 4) } }));
  fails('value', /out\.output must not be a view of wasm memory/, () =>
    fovea.attention(q, k, k, { out: { output: { data: x.data, shape: [2, 3, 4] } } }),
  );
  wide.dispose();
  x.dispose();
});
