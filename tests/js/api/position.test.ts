/** sinusoidalPositions, rotaryEmbedding, learnedPositions and recurrentPositions of fovea/position: layouts, positions, tables, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type ArrayInput, type NDArray } from 'fovea';
import { gru, lstm, rnn } from 'fovea/ops';
import { learnedPositions, recurrentPositions, rotaryEmbedding, sinusoidalPositions, type RotaryOptions } from 'fovea/position';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

test('sinusoidalPositions: widths, forms and empty results', () => {
  near(sinusoidalPositions(fovea, { tokens: 2, width: 3 }), [0, 1, 0, Math.sin(1), Math.cos(1), Math.sin(10000 ** (-2 / 3))]);
  near(sinusoidalPositions(fovea, { tokens: 1, width: 3, start: 1, form: 'splitHalf' }), [
    Math.sin(1),
    Math.sin(10000 ** (-2 / 3)),
    Math.cos(1),
  ]);
  near(sinusoidalPositions(fovea, { tokens: 1, width: 5, start: 1, base: 4, form: 'tensor2tensor' }), [
    Math.sin(1),
    Math.sin(1 / 4),
    Math.cos(1),
    Math.cos(1 / 4),
    0,
  ]);
  near(sinusoidalPositions(fovea, { tokens: 1, width: 2, start: -1 }), [Math.sin(-1), Math.cos(1)]);
  assert.deepEqual(sinusoidalPositions(fovea, { tokens: 0, width: 4 }), { data: new Float32Array(0), shape: [0, 4] });
  leavesNothing(() => sinusoidalPositions(fovea, { tokens: 9, width: 9 }));
});

test('sinusoidalPositions: what is refused', () => {
  const run = (options: object) => () => sinusoidalPositions(fovea, { tokens: 1, width: 4, ...options } as never);
  fails('value', /tokens must be an integer from 0 to \d+, got -1/, run({ tokens: -1 }));
  fails('value', /width must be an integer from 1 to \d+, got 0/, run({ width: 0 }));
  fails('value', /base must be above 0, got 0/, run({ base: 0 }));
  fails('value', /base must be a finite number/, run({ base: Infinity }));
  fails('value', /start must be an integer/, run({ start: 0.5 }));
  fails('option', /form must be 'interleaved' or 'splitHalf' or 'tensor2tensor', got 'half'/, run({ form: 'half' }));
  fails('option', /unknown option 'widht'; did you mean 'width'/, run({ widht: 4 }));
  fails('memory', /needs \d+ bytes of WebAssembly memory/, run({ tokens: 2 ** 29, width: 2 ** 20 }));
});

test('rotaryEmbedding: every layout turns the same rows', () => {
  const x = numbers([2, 3, 5, 8]);
  const want = rotaryEmbedding(fovea, x);
  const heads = (b: number, h: number): Float32Array => want.data.subarray((b * 3 + h) * 40, (b * 3 + h + 1) * 40);
  same(rotaryEmbedding(fovea, { data: x.data.slice(120, 160), shape: [5, 8] }).data, heads(1, 0).slice());
  const packed = new Float32Array(240);
  for (let b = 0; b < 2; b++)
    for (let h = 0; h < 3; h++)
      for (let t = 0; t < 5; t++)
        packed.set(x.data.subarray(((b * 3 + h) * 5 + t) * 8, ((b * 3 + h) * 5 + t + 1) * 8), ((b * 5 + t) * 3 + h) * 8);
  const got = rotaryEmbedding(fovea, { data: packed, shape: [2, 5, 24] }, { heads: 3 });
  assert.deepEqual(got.shape, [2, 5, 24]);
  same(got.data.slice(3 * 24 + 16, 4 * 24), heads(0, 2).slice(24, 32));
  same(rotaryEmbedding(fovea, { data: packed, shape: [2, 5, 3, 8] }, { layout: 'bthd' }).data, got.data);
  leavesNothing(() => fovea.scope(() => void rotaryEmbedding(fovea, fovea.tensor(x))));
});

test('rotaryEmbedding: what q·k sees is how far apart they are', () => {
  const [q, k] = [numbers([1, 16], 1), numbers([1, 16], 2)];
  const dot = (a: NDArray, b: NDArray): number => a.data.reduce((sum, value, n) => sum + value * b.data[n]!, 0);
  for (const interleaved of [false, true]) {
    const at = (m: number, n: number): number =>
      dot(rotaryEmbedding(fovea, q, { start: m, interleaved }), rotaryEmbedding(fovea, k, { start: n, interleaved }));
    assert.ok(Math.abs(at(7, 3) - at(104, 100)) < 1e-5);
    assert.ok(Math.abs(at(7, 3) - at(3, 7)) > 1e-3);
  }
});

test('rotaryEmbedding: positions of each sequence are calls of their own', () => {
  const x = numbers([2, 3, 4, 6]);
  const positions = [
    [0, 5, 5, 1],
    [9, 8, 7, 100],
  ];
  const both = rotaryEmbedding(fovea, x, { positions });
  for (const b of [0, 1]) {
    const one = { data: x.data.slice(b * 72, b * 72 + 72), shape: [3, 4, 6] };
    same(rotaryEmbedding(fovea, one, { positions: Int32Array.from(positions[b]!) }).data, both.data.slice(b * 72, b * 72 + 72));
  }
  same(rotaryEmbedding(fovea, x, { positions: [[0, 1, 2, 3]] }).data, rotaryEmbedding(fovea, x).data);
});

test('rotaryEmbedding: tables by position, or for every token', () => {
  const x = numbers([2, 1, 3, 5]);
  const cos = numbers([7, 2], 5);
  const sin = numbers([7, 2], 6);
  const positions = [6, 0, 2];
  const got = rotaryEmbedding(fovea, x, { cos, sin, positions });
  const rows = (table: NDArray): NDArray => {
    const data = positions.flatMap((p) => [...table.data.subarray(2 * p, 2 * p + 2)]);
    return { data: Float32Array.from([...data, ...data]), shape: [2, 3, 2] };
  };
  same(rotaryEmbedding(fovea, x, { cos: rows(cos), sin: rows(sin) }).data, got.data);
  same(
    rotaryEmbedding(fovea, x, { cos, sin, start: 4 }).data,
    rotaryEmbedding(fovea, x, { cos, sin, positions: [4, 5, 6] }).data,
  );
  near({ data: got.data.slice(0, 2), shape: [2] }, [
    x.data[0]! * cos.data[12]! - x.data[2]! * sin.data[12]!,
    x.data[1]! * cos.data[13]! - x.data[3]! * sin.data[13]!,
  ]);
  assert.equal(got.data[4], x.data[4]);
});

test('rotaryEmbedding: what is refused', () => {
  const run =
    (options: unknown, x: ArrayInput = numbers([2, 3, 4, 6])) =>
    () =>
      rotaryEmbedding(fovea, x, options as RotaryOptions);
  const table = numbers([4, 3]);
  fails('shape', /x must have an even width, or rotaryWidth be given, got \[2, 5\]/, run({}, numbers([2, 5])));
  fails('value', /rotaryWidth must be an integer from 2 to 6, got 8/, run({ rotaryWidth: 8 }));
  fails('value', /rotaryWidth must be even, got 3/, run({ rotaryWidth: 3 }));
  fails('shape', /positions must be \[T\] = \[4\] or \[B, T\] = \[2, 4\], got \[3\]/, run({ positions: [1, 2, 3] }));
  fails('value', /positions\[1\] must be an integer/, run({ positions: [0, 0.5, 1, 2] }));
  fails('option', /positions and start both place the tokens/, run({ positions: [1, 2, 3, 4], start: 0 }));
  fails('option', /cos and sin must go together, got cos alone/, run({ cos: table }));
  fails('option', /cos and sin take the place of base, got base 10/, run({ cos: table, sin: table, base: 10 }));
  fails('shape', /cos and sin must have one shape/, run({ cos: table, sin: numbers([4, 2]) }));
  fails(
    'value',
    /positions\[3\] must be an integer from 0 to 3, got 4/,
    run({ cos: table, sin: table, positions: [0, 1, 2, 4] }),
  );
  fails('value', /start must be an integer from 0 to 0, got 1/, run({ cos: table, sin: table, start: 1 }));
  fails('value', /a row for each of the 4 tokens, got 3/, run({ cos: numbers([3, 3]), sin: numbers([3, 3]) }));
  fails('shape', /at most half as many columns as x is wide, 6, got 4/, run({ cos: numbers([4, 4]), sin: numbers([4, 4]) }));
  fails('shape', /must have rotaryWidth \/ 2 = 2 columns, got 3/, run({ cos: table, sin: table, rotaryWidth: 4 }));
  fails(
    'option',
    /every token take the place of positions/,
    run({ cos: numbers([2, 4, 3]), sin: numbers([2, 4, 3]), start: 0 }),
  );
  fails('option', /ntk and llama3 both slow the pairs/, run({ ntk: 2, llama3: { factor: 8, originalTokens: 100 } }));
  fails('value', /llama3\.originalTokens must be a finite number/, run({ llama3: { factor: 8 } }));
  fails(
    'value',
    /highFrequency must be above lowFrequency/,
    run({ llama3: { factor: 8, originalTokens: 9, lowFrequency: 4 } }),
  );
  fails('value', /ntk must be above 0, got -1/, run({ ntk: -1 }));
  fails('value', /interleaved must be true or false/, run({ interleaved: 'yes' }));
});

test('learnedPositions: rows of the table', () => {
  const table = [
    [1, 2],
    [3, 4],
    [5, 6],
  ];
  assert.deepEqual(toNested(learnedPositions(fovea, table, { tokens: 2, start: 1 })), [
    [3, 4],
    [5, 6],
  ]);
  assert.deepEqual(toNested(learnedPositions(fovea, table, { positions: [[2], [0]] })), [[[5, 6]], [[1, 2]]]);
  assert.deepEqual(toNested(learnedPositions(fovea, table, { tokens: 0 })), []);
  fovea.scope(() => {
    const kept = fovea.tensor(numbers([4, 6])).slice(1, 1, 3);
    assert.deepEqual([...learnedPositions(fovea, kept, { positions: [3] }).data], [...numbers([4, 6]).data.subarray(19, 21)]);
  });
  const run = (options: unknown) => () => learnedPositions(fovea, table, options as never);
  fails('value', /positions\[1\] must be an integer from 0 to 2, got 3/, run({ positions: [0, 3] }));
  fails('value', /positions\[0\] must be an integer from 0 to 2, got -1/, run({ positions: [-1] }));
  fails('value', /tokens must be an integer from 0 to the 3 rows of the table, got 4/, run({ tokens: 4 }));
  fails('value', /start must be an integer from 0 to 1, got 2/, run({ tokens: 2, start: 2 }));
  fails('option', /pass one of them, got none/, run({}));
  fails('option', /pass one of them, got both/, run({ tokens: 1, positions: [0] }));
  fails('option', /start goes with tokens/, run({ positions: [0], start: 0 }));
  fails('shape', /table must be \[rows, D\], got \[2\]/, () => learnedPositions(fovea, [1, 2], { tokens: 1 }));
});

test('recurrent: the cell runs on, as the layer does on an input of zeros', () => {
  const zeros = { data: new Float32Array(6), shape: [6, 1] };
  const layers = { 1: rnn, 3: gru, 4: lstm };
  for (const [gates, layer] of Object.entries(layers)) {
    const rows = Number(gates) * 5;
    const cell = { weight_hh_l0: numbers([rows, 5], 2), bias_ih_l0: numbers([rows], 3), bias_hh_l0: numbers([rows], 4) };
    const hidden = numbers([5], 5);
    const got = recurrentPositions(fovea, { tokens: 6, params: cell, initialState: { hidden } });
    assert.deepEqual(got.shape, [6, 5]);
    const params = { ...cell, weight_ih_l0: numbers([rows, 1], 6) };
    const initialState = { hidden: { data: hidden.data, shape: [1, 5] } };
    near(layer(fovea, zeros, params, { initialState }).output, [...got.data], 1e-6);
    same(recurrentPositions(fovea, { tokens: 3, params, initialState }).data, got.data.slice(0, 15));
  }
});

test('recurrent: what is refused', () => {
  const params = { weight_hh_l0: [[1]] };
  const run = (options: object) => () => recurrentPositions(fovea, { tokens: 2, params, ...options } as never);
  fails(
    'option',
    /one layer that runs forward, names with _l0, got weight_hh_l1/,
    run({ params: { ...params, weight_hh_l1: [[1]] } }),
  );
  fails('shape', /G = 1 \(RNN\), 3 \(GRU\) or 4 \(LSTM\), got \[2, 1\]/, run({ params: { weight_hh_l0: [[1], [1]] } }));
  fails('value', /got no weight_hh_l0/, run({ params: {} }));
  fails('option', /resetAfter is an option of a GRU/, run({ resetAfter: false }));
  fails('option', /updateGate is an option of a GRU/, run({ updateGate: 'replace' }));
  fails('shape', /initialState\.hidden must be/, run({ initialState: { hidden: [1, 2] } }));
  fails('value', /tokens must be an integer/, run({ tokens: undefined }));
});
