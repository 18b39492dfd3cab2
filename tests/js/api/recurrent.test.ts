/** rnn, gru and lstm of fovea/ops: how weights are named, what calls return, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionError, load, toNested, type ArrayInput, type NDArray } from 'fovea';
import { GRU } from 'fovea/nn';
import { gru, lstm, rnn, type RecurrentParams, type RnnOptions } from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

/** Weights of `layers` layers, the directions by their suffixes. */
function weights(gates: number, width: number, hidden: number, layers = 1, suffixes = [''], projected = 0): RecurrentParams {
  const params: Record<string, NDArray> = {};
  const state = projected || hidden;
  for (let layer = 0; layer < layers; layer++)
    for (const suffix of suffixes) {
      const inner = layer === 0 ? width : suffixes.length * state;
      const add = (name: string, shape: number[]): void => {
        params[`${name}_l${layer}${suffix}`] = numbers(shape, Object.keys(params).length + 1);
      };
      add('weight_ih', [gates * hidden, inner]);
      add('weight_hh', [gates * hidden, state]);
      add('bias_ih', [gates * hidden]);
      add('bias_hh', [gates * hidden]);
      if (projected) add('weight_hr', [projected, hidden]);
    }
  return params;
}

test('shapes: batched, one sequence, seq-first, layers, directions and projection', () => {
  const both = ['', '_reverse'];
  const shapes = ({ output, hidden, cell }: { output: NDArray; hidden: NDArray; cell?: NDArray }): unknown[] =>
    [output, hidden, cell].map((array) => array?.shape);
  const x = numbers([2, 5, 3]);
  assert.deepEqual(shapes(rnn(fovea, x, weights(1, 3, 4))), [[2, 5, 4], [1, 2, 4], undefined]);
  assert.deepEqual(shapes(gru(fovea, x, weights(3, 3, 4, 2, both))), [[2, 5, 8], [4, 2, 4], undefined]);
  assert.deepEqual(shapes(lstm(fovea, x, weights(4, 3, 4, 3, [''], 2))), [
    [2, 5, 2],
    [3, 2, 2],
    [3, 2, 4],
  ]);
  assert.deepEqual(shapes(lstm(fovea, numbers([5, 3]), weights(4, 3, 4, 1, both))), [
    [5, 8],
    [2, 4],
    [2, 4],
  ]);
  assert.deepEqual(shapes(rnn(fovea, x, weights(1, 3, 4), { layout: 'tbd' })), [[2, 5, 4], [1, 5, 4], undefined]);
  assert.deepEqual(shapes(rnn(fovea, numbers([2, 0, 3]), weights(1, 3, 4))), [[2, 0, 4], [1, 2, 4], undefined]);
  assert.deepEqual(shapes(gru(fovea, numbers([0, 5, 3]), weights(3, 3, 4))), [[0, 5, 4], [1, 0, 4], undefined]);
});

test('one sequence is a batch of one', () => {
  const params = weights(4, 3, 4, 2, ['', '_reverse']);
  const x = numbers([6, 3]);
  const one = lstm(fovea, x, params);
  const batch = lstm(fovea, { data: x.data, shape: [1, 6, 3] }, params);
  same(one.output.data, batch.output.data);
  same(one.hidden.data, batch.hidden.data);
  same(one.cell.data, batch.cell.data);
});

test('two layers are one after the other, two directions side by side', () => {
  const params = weights(3, 3, 4, 2, ['', '_reverse']) as Record<string, NDArray>;
  const pick = (layer: number, suffix: string): RecurrentParams =>
    Object.fromEntries(
      Object.entries(params)
        .filter(([name]) => name.endsWith(`_l${layer}${suffix}`))
        .map(([name, array]) => [name.replace(/_l\d/, '_l0'), array]),
    );
  const x = numbers([2, 5, 3]);
  let below: ArrayInput = x;
  for (const layer of [0, 1]) {
    const forward = gru(fovea, below, pick(layer, '')).output;
    const backward = gru(fovea, below, pick(layer, '_reverse')).output;
    const data = new Float32Array(2 * 5 * 8);
    for (let row = 0; row < 10; row++) {
      data.set(forward.data.subarray(row * 4, row * 4 + 4), row * 8);
      data.set(backward.data.subarray(row * 4, row * 4 + 4), row * 8 + 4);
    }
    below = { data, shape: [2, 5, 8] };
  }
  same(gru(fovea, x, params).output.data, (below as NDArray).data);
});

test('the backward direction sees the tokens from the last one on', () => {
  const params = { weight_ih_l0_reverse: [[1]], weight_hh_l0_reverse: [[2]] };
  const { output, hidden } = rnn(fovea, [[1], [0], [0], [1]], params, { nonlinearity: 'relu' });
  assert.deepEqual(toNested(output), [[9], [4], [2], [1]]);
  assert.deepEqual(toNested(hidden), [[9]]);
  const shorter = rnn(fovea, [[1], [0], [0], [1]], params, { nonlinearity: 'relu', lengths: [3] });
  assert.deepEqual(toNested(shorter.output), [[1], [0], [0], [0]]);
});

test('a GRU resets after or before the product', () => {
  // r = σ(0) = 1/2 and n = tanh(r (h + 1)) or tanh(r h + 1), z = 1/2
  const params = { weight_ih_l0: [[0], [0], [0]], weight_hh_l0: [[0], [0], [1]], bias_hh_l0: [0, 0, 1] };
  const run = (options: object): NDArray => gru(fovea, [[0]], params, { initialState: { hidden: [[1]] }, ...options }).output;
  near(run({}), [[0.5 * Math.tanh(0.5 * 2) + 0.5]]);
  near(run({ resetAfter: true }), [[0.5 * Math.tanh(0.5 * 2) + 0.5]]);
  near(run({ resetAfter: false }), [[0.5 * Math.tanh(0.5 + 1) + 0.5]]);
});

test("a GRU's update gate is the share of the state that stays, or of what comes in", () => {
  // r = 1/2, n = tanh(1 + r h) with h = 3, z = σ(1)
  const params = { weight_ih_l0: [[0], [0], [0]], weight_hh_l0: [[0], [0], [1]], bias_ih_l0: [0, 1, 1] };
  const run = (options: object): NDArray => gru(fovea, [[0]], params, { initialState: { hidden: [[3]] }, ...options }).output;
  const [z, n] = [1 / (1 + Math.exp(-1)), Math.tanh(2.5)];
  for (const resetAfter of [true, false]) {
    near(run({ resetAfter }), [[(1 - z) * n + z * 3]]);
    near(run({ resetAfter, updateGate: 'keep' }), [[(1 - z) * n + z * 3]]);
    near(run({ resetAfter, updateGate: 'replace' }), [[(1 - z) * 3 + z * n]]);
  }
});

test('a GRU whose update gate replaces is one that keeps, with the weights of that gate negated', () => {
  const x = numbers([2, 7, 3], 9);
  const params = weights(3, 3, 5, 2, ['', '_reverse']) as Record<string, NDArray>;
  const negated = Object.fromEntries(
    Object.entries(params).map(([name, { data, shape }]) => {
      const third = data.length / 3;
      return [name, { data: data.map((value, n) => (n >= third && n < 2 * third ? -value : value)), shape }];
    }),
  );
  for (const resetAfter of [true, false]) {
    const options = { resetAfter, lengths: [7, 4] };
    const want = [...gru(fovea, x, negated, options).output.data];
    near(gru(fovea, x, params, { ...options, updateGate: 'replace' }).output, want, 2e-6);
    assert.throws(() => near(gru(fovea, x, params, options).output, want, 1e-2));
    const modules = new GRU(fovea, {
      inputSize: 3,
      hiddenSize: 5,
      numLayers: 2,
      bidirectional: true,
      resetAfter,
      updateGate: 'replace',
    });
    modules.loadStateDict(params);
    near(modules.forward(x, { lengths: [7, 4] }).output, want, 2e-6);
    modules.dispose();
  }
});

test('a Tensor in, Tensors out; slices and other arrays are taken; nothing is left held', () => {
  const params = weights(4, 3, 4);
  const x = numbers([2, 6, 3]);
  const want = lstm(fovea, { data: numbers([2, 6, 3]).data, shape: [2, 6, 3] }, params);
  leavesNothing(() => lstm(fovea, x, params));
  leavesNothing(() =>
    fovea.scope(() => {
      const wide = fovea.tensor(numbers([16, 5], 3));
      const sliced = wide.slice(1, 1, 4); // [16, 3], rows 5 apart
      const plain = { data: Float32Array.from(sliced.toArray().data), shape: [16, 3] };
      const got = lstm(fovea, fovea.tensor(x), { ...params, weight_ih_l0: sliced });
      same(got.output.data.slice(), lstm(fovea, x, { ...params, weight_ih_l0: plain }).output.data);
      assert.deepEqual(got.cell.shape, [1, 2, 4]);
      const later = fovea.tensor(x).slice(1, 2, 5);
      const first = { data: Float32Array.from(later.toArray().data), shape: [2, 3, 3] };
      same(lstm(fovea, later, params).output.data.slice(), lstm(fovea, first, params).output.data);
    }),
  );
  const out = { output: { data: new Float32Array(48), shape: [2, 6, 4] } };
  assert.equal(lstm(fovea, x, params, { out }).output, out.output);
  same(out.output.data, want.output.data);
});

test('weights that do not meet are refused by their names', () => {
  const x = numbers([2, 5, 3]);
  const params = weights(3, 3, 4, 2, ['', '_reverse']) as Record<string, NDArray>;
  const with_ = (changes: Record<string, unknown>): RecurrentParams => ({ ...params, ...changes }) as RecurrentParams;
  const refused = (code: string, message: RegExp, changes: Record<string, unknown>): void =>
    fails(code, message, () => gru(fovea, x, with_(changes)));
  refused('option', /unknown parameter 'weight_hr_l0'; did you mean 'weight_hh_l0'/, { weight_hr_l0: [[1]] });
  refused('option', /unknown parameter 'weights_ih_l0'; did you mean 'weight_ih_l0'/, { weights_ih_l0: [[1]] });
  refused('option', /unknown parameter 'weight_ih_l01'/, { weight_ih_l01: [[1]] });
  refused('value', /params must have weight_ih_l1_reverse/, { weight_ih_l1_reverse: undefined });
  refused('value', /params must have weight_hh_l1, as they/, { weight_hh_l1: undefined });
  refused('value', /params must have weight_hh_l0_reverse, as they have weight_ih_l0_reverse/, {
    weight_hh_l0_reverse: undefined,
  });
  refused('shape', /params\.weight_ih_l0 must be \[3·Hd, x's width\] = \[12, 3\], got \[12, 2\]/, {
    weight_ih_l0: numbers([12, 2]),
  });
  refused('shape', /params\.weight_ih_l1 must be \[3·Hd, the width below\] = \[12, 8\]/, { weight_ih_l1: numbers([12, 4]) });
  refused('shape', /params\.weight_hh_l0 must be \[3·Hd, P\], got \[13, 4\]/, { weight_hh_l0: numbers([13, 4]) });
  refused('shape', /weight_hh_l0 must be \[3·Hd, Hd\] without weight_hr, got \[12, 5\]/, { weight_hh_l0: numbers([12, 5]) });
  refused('shape', /params\.bias_hh_l1_reverse must be \[3·Hd\] = \[12\]/, { bias_hh_l1_reverse: numbers([4]) });
  fails('value', /params must be an object of arrays by name, got 3/, () => gru(fovea, x, 3 as never));
  fails('value', /got no weight_hh_l0/, () => gru(fovea, x, {}));
  fails('value', /params must have weight_hr_l1, as they have others of its kind/, () =>
    lstm(fovea, x, { ...weights(4, 3, 4, 2, [''], 4), weight_hr_l1: undefined } as RecurrentParams),
  );
});

test('inputs, states, lengths and options that do not fit are refused', () => {
  const params = weights(1, 3, 4);
  const run =
    (options: unknown, x: ArrayInput = numbers([2, 5, 3])) =>
    () =>
      rnn(fovea, x, params, options as RnnOptions);
  fails('shape', /x must be \[T, I\] or \[B, T, I\], got \[3\]/, run({}, [1, 2, 3]));
  fails('shape', /x must be \[T, I\] or \[T, B, I\], got \[2, 5, 3, 1\]/, run({ layout: 'tbd' }, numbers([2, 5, 3, 1])));
  fails('shape', /the width of x must be at least 1/, run({}, numbers([2, 5, 0])));
  fails('option', /layout must be 'btd' or 'tbd', got 'bhtd'/, run({ layout: 'bhtd' }));
  fails('option', /nonlinearity must be 'tanh' or 'relu', got 'gelu'/, run({ nonlinearity: 'gelu' }));
  fails('option', /unknown option 'resetAfter'/, run({ resetAfter: true }));
  fails('value', /resetAfter must be true or false/, () =>
    gru(fovea, [[1]], { weight_ih_l0: [[1], [1], [1]], weight_hh_l0: [[1], [1], [1]] }, { resetAfter: 1 as never }),
  );
  fails('option', /updateGate must be 'keep' or 'replace', got 'forget'/, () =>
    gru(fovea, [[1]], { weight_ih_l0: [[1], [1], [1]], weight_hh_l0: [[1], [1], [1]] }, { updateGate: 'forget' as never }),
  );
  fails('option', /updateGate must be/, () => new GRU(fovea, { inputSize: 1, hiddenSize: 1, updateGate: 1 as never }));
  fails('shape', /lengths must have one number per sequence, 2, got 3/, run({ lengths: [1, 2, 3] }));
  fails('value', /lengths\[1\] must be an integer from 0 to 5, got 6/, run({ lengths: [1, 6] }));
  fails('value', /lengths must be an array with one integer per sequence, got 3/, run({ lengths: 3 }));
  fails(
    'shape',
    /initialState\.hidden must be \[layers·directions, B, P\] = \[1, 2, 4\], got \[2, 4\]/,
    run({ initialState: { hidden: numbers([2, 4]) } }),
  );
  fails('option', /unknown option 'cell'/, run({ initialState: { cell: numbers([1, 2, 4]) } }));
  fails('option', /options must be an object, got 0/, run({ initialState: 0 }));
  const out = numbers([2, 5, 3]);
  fails('shape', /out\.output must have the shape \[2, 5, 4\]/, run({ out: { output: out } }));
  fails('value', /fovea must be what load\(\) returned/, () => rnn({} as never, [[1]], params));
});

test('an instance that is disposed says so', async () => {
  const own = await load();
  own.dispose();
  assert.throws(
    () => rnn(own, [[1]], weights(1, 1, 1)),
    (error) => error instanceof AttentionError && error.code === 'disposed',
  );
});
