/** The arguments and results that all functions of fovea/mechanisms share, by way of two of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, toNested, type NDArray } from 'fovea';
import { bahdanau, saliency } from 'fovea/mechanisms';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

const [Hs, S, A, E] = [4, 3, 2, 5];
const shapes = {
  ...{ Wa: [S, A], Ua: [Hs, A], va: [A] },
  ...{ W: [E, S], Wz: [E, S], Wr: [E, S], U: [S, S], Uz: [S, S], Ur: [S, S], C: [Hs, S], Cz: [Hs, S], Cr: [Hs, S] },
};
const params = Object.fromEntries(Object.entries(shapes).map(([name, shape], n) => [name, numbers(shape, n + 1)]));
const inputs = { source: numbers([6, Hs], 1), decoderInputs: numbers([3, E], 2) };
const whole = bahdanau(fovea, inputs, params);

test('a batch has the bits of its entries, lengths those of shorter sequences, whatever stands after them', () => {
  const two = (one: NDArray, other: NDArray): NDArray => ({
    data: Float32Array.of(...one.data, ...other.data),
    shape: [2, ...one.shape],
  });
  const other = { source: numbers([6, Hs], 7), decoderInputs: numbers([3, E], 8) };
  const batch = {
    source: two(inputs.source, other.source),
    decoderInputs: two(inputs.decoderInputs, other.decoderInputs),
  };
  const both = bahdanau(fovea, batch, params, { sourceLengths: [6, 4] });
  const short = bahdanau(fovea, { ...other, source: { data: other.source.data.slice(0, 4 * Hs), shape: [4, Hs] } }, params);
  assert.deepEqual(both.states.shape, [2, 3, S]);
  same(both.states.data.subarray(0, 3 * S), whole.states.data);
  same(both.states.data.subarray(3 * S), short.states.data);
  for (const lengths of [Int32Array.of(6, 4), BigInt64Array.of(6n, 4n)])
    same(bahdanau(fovea, batch, params, { sourceLengths: lengths }).states.data, both.states.data);
  assert.deepEqual(toNested(both.weights), [
    toNested(whole.weights),
    (toNested(short.weights) as number[][]).map((row) => [...row, 0, 0]),
  ]);
});

test('params are nested, flat, a Map or Tensors; what is missing or unknown is listed', () => {
  const map = new Map(Object.entries(params));
  const tensors = Object.fromEntries(Object.entries(params).map(([name, array]) => [name, fovea.tensor(array)]));
  for (const one of [map, tensors]) same(bahdanau(fovea, inputs, one).states.data, whole.states.data);
  for (const tensor of Object.values(tensors)) tensor.dispose();
  const { Wa, Ua, ...rest } = params;
  fails('value', /^bahdanau: params must have the mechanism's names, got missing Wa, Ua; unexpected Wq, deep\.er$/, () =>
    bahdanau(fovea, inputs, { ...rest, Wq: Wa!, deep: { er: Ua! } }),
  );
  fails('value', /^bahdanau: params must have Uo, Vo, Co, Wo together or none of them, got no Uo, Vo, Co$/, () =>
    bahdanau(fovea, inputs, { ...params, Wo: [[1]] }),
  );
  fails('value', /^bahdanau: params must be an object of arrays by name, got 3$/, () => bahdanau(fovea, inputs, 3 as never));
});

test("shapes are told in the paper's letters", () => {
  fails('shape', /^bahdanau: Ua must be \[Hs, A\] = \[4, 2\], got \[5, 2\]$/, () =>
    bahdanau(fovea, inputs, { ...params, Ua: numbers([5, 2]) }),
  );
  fails('shape', /^bahdanau: va must be \[A\], got \[2, 1\]$/, () => bahdanau(fovea, inputs, { ...params, va: [[1], [2]] }));
  fails('shape', /^bahdanau: Uo must be \[S, 2l\], got \[3, 5\]$/, () =>
    bahdanau(fovea, inputs, { ...params, Uo: numbers([S, 5]), Vo: numbers([E, 5]), Co: numbers([Hs, 5]), Wo: numbers([2, 7]) }),
  );
  fails('shape', /^bahdanau: source must be \[Ts, Hs\] or \[B, Ts, Hs\], got \[4\]$/, () =>
    bahdanau(fovea, { ...inputs, source: [1, 2, 3, 4] }, params),
  );
  fails(
    'shape',
    /^bahdanau: all inputs or none must have the batch's axis, of one length, got decoderInputs \[1, 3, 5\] beside source \[6, 4\]$/,
    () => bahdanau(fovea, { ...inputs, decoderInputs: numbers([1, 3, E]) }, params),
  );
});

test('inputs and options of other names, and lengths that do not fit, are errors', () => {
  fails('option', /^bahdanau: unknown input 'sources'; did you mean 'source'\?$/, () =>
    bahdanau(fovea, { ...inputs, sources: [] } as never, params),
  );
  fails('value', /^bahdanau: inputs must have source, which is missing$/, () =>
    bahdanau(fovea, { decoderInputs: [[1]] } as never, params),
  );
  fails('option', /^bahdanau: unknown option 'readOut'/, () =>
    bahdanau(fovea, inputs, params, { readOut: 'current' } as never),
  );
  fails('option', /^bahdanau: readout must be 'previous' or 'current', got 'next'$/, () =>
    bahdanau(fovea, inputs, params, { readout: 'next' as never }),
  );
  fails('value', /^bahdanau: sourceLengths must be an integer from 0 to 6, got 7$/, () =>
    bahdanau(fovea, inputs, params, { sourceLengths: 7 }),
  );
  fails('shape', /^bahdanau: sourceLengths must have one number per batch entry, 1, got 2$/, () =>
    bahdanau(fovea, inputs, params, { sourceLengths: [1, 2] }),
  );
  fails('value', /^bahdanau: trace must be true or false, got 1$/, () =>
    bahdanau(fovea, inputs, params, { trace: 1 as never }),
  );
  fails('option', /^bahdanau: unknown state 'h'/, () => bahdanau(fovea, inputs, params, { initialState: { h: [1] } as never }));
  fails('shape', /^bahdanau: initialState\.s must be \[3\], got \[2\]$/, () =>
    bahdanau(fovea, inputs, params, { initialState: { s: [1, 2] } }),
  );
  fails('value', /fovea must be what load\(\) returned/, () => saliency({} as never, { x: [[1]] }));
});

test('results are Tensors where the first input is one, nothing else stays, and state goes back in', () => {
  const source = fovea.tensor(inputs.source);
  const got = bahdanau(fovea, { ...inputs, source }, params);
  assert.ok(got.states instanceof Tensor && got.state.s instanceof Tensor && got.weights instanceof Tensor);
  same(got.states.data, whole.states.data);
  const next = bahdanau(fovea, inputs, params, { initialState: got.state });
  same(next.states.data, bahdanau(fovea, inputs, params, { initialState: whole.state }).states.data);
  for (const one of [got.states, got.state.s, got.weights, got.context]) one.dispose();
  source.dispose();
  leavesNothing(() => bahdanau(fovea, inputs, params));
  leavesNothing(() => assert.throws(() => bahdanau(fovea, inputs, { ...params, va: [1] })));
});

test('a trace has the named intermediates with their formulas and axes, and changes no bit', () => {
  const { trace, states } = bahdanau(fovea, inputs, params, { trace: true });
  same(states.data, whole.states.data);
  assert.deepEqual(
    trace!.map(({ name, shape, axes }) => [name, shape, axes]),
    [
      ['weights', [3, 6], ['step', 'token']],
      ['context', [3, Hs], ['step', 'feature']],
      ['states', [3, S], ['step', 'feature']],
    ],
  );
  assert.ok(trace!.every(({ formula }) => formula.length > 0));
  const batched = saliency(fovea, { x: numbers([2, 3, 4]) }, undefined, { trace: true });
  assert.deepEqual(
    batched.trace!.map(({ axes }) => axes),
    [
      ['batch', 'token', 'feature'],
      ['batch', 'feature'],
    ],
  );
});
