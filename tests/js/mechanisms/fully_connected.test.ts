/** fullyConnected: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { fullyConnected } from 'fovea/mechanisms';
import { conv1d, relu as reluOf } from 'fovea/ops';
import { random, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/fully_connected.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const x = random([5, 2], 1);
const params = (context: number) => ({
  ...{ W1: random([2 * (2 * context + 1), 4], 2), b1: random([4], 3), W2: random([4, 3], 4), b2: random([3], 5) },
});
const run = nested(fullyConnected);
const property = properties<Wrong>(run, reference);

test('fullyConnected agrees with its definition in double', () => {
  assertAgree(run, reference(''), { x }, params(0), {});
  assertAgree(run, reference(''), { x }, params(1), { context: 1, border: 'repeat', activation: 'tanh' });
  assertAgree(run, reference(''), { x }, params(7), { context: 7, lengths: 3 });
  assertAgree(run, reference(''), { x }, params(2), { context: 2, border: 'repeat', lengths: 2, activation: 'none' });
});

agreesOnDrawnCalls(run, reference, ['order reversed', 'padding seen'], (draw) => {
  const [tokens, width, hidden, outputs, context] = [
    draw.length(),
    draw.width(),
    draw.width(),
    draw.width(),
    draw.one(0, 1, 2, 3, 9),
  ];
  const second = { W2: draw.numbers([hidden, outputs]), b2: draw.numbers([outputs]) };
  return {
    inputs: { x: draw.numbers([tokens, width]) },
    params: { W1: draw.numbers([(2 * context + 1) * width, hidden]), b1: draw.numbers([hidden]), ...(draw.maybe() && second) },
    options: {
      ...{ context, border: draw.one('zero', 'repeat'), activation: draw.one('relu', 'tanh', 'none') },
      ...(draw.maybe() && { lengths: draw.integer(0, tokens) }),
    },
  };
});

property('the hidden layer is a convolution over the tokens', 'order reversed', (system) => {
  const { W1, b1 } = params(1);
  const weight = b1.map((_, a) => [0, 1].map((d) => [0, 1, 2].map((n) => W1[2 * n + d]![a]!)));
  const convolved = conv1d(fovea, x, weight, { bias: b1, padding: 'same', layout: 'btd' });
  return close(system({ x }, params(1), { context: 1 })['hidden'], toNested(reluOf(fovea, convolved)));
});

property('a window does not look into the padding', 'padding seen', (system) =>
  ['zero', 'repeat'].every((border) => {
    const padded = system({ x: [...x, [9, -9]] }, params(1), { context: 1, border, lengths: 5 });
    return close((padded['windows'] as Matrix).slice(0, 5), system({ x }, params(1), { context: 1, border })['windows'], 0);
  }),
);

test('equal tokens are told apart by their windows only', () => {
  const [I, saw, a] = [x[0]!, x[1]!, x[2]!];
  const sentence = { x: [I, saw, a, saw] };
  const alone = run(sentence, params(0), {})['output'] as Matrix;
  assert.deepEqual(alone[1], alone[3]);
  const inContext = run(sentence, params(1), { context: 1 })['output'] as Matrix;
  assert.ok(!close(inContext[1], inContext[3], 1e-3));
});

test('a token more than c away has no influence', () => {
  const changed = x.map((row, t) => (t === 4 ? [5, 5] : row));
  const [before, after] = [x, changed].map((x) => run({ x }, params(1), { context: 1 })['output'] as Matrix) as [
    Matrix,
    Matrix,
  ];
  assert.deepEqual(after.slice(0, 3), before.slice(0, 3));
  assert.ok(!close(after[3], before[3], 1e-3));
});

test('no token: empty results; one token: its window is the border', () => {
  const none = run({ x: { data: new Float32Array(0), shape: [0, 2] } }, params(1), { context: 1 });
  assert.deepEqual([none['windows'], none['output'], none['label']], [[], [], []]);
  const [zero, repeat] = ['zero', 'repeat'].map((border) => run({ x: [x[0]] }, params(1), { context: 1, border })['windows']);
  assert.deepEqual([zero, repeat], [[[0, 0, ...x[0]!, 0, 0]], [[...x[0]!, ...x[0]!, ...x[0]!]]]);
});

test('a batch is its entries one by one; labels of padding are -1, of equal outputs the first; nothing else is left', () => {
  const padded = x.map((row, t) => (t < 2 ? row : row.map(() => 3e38)));
  const together = run({ x: [x, padded, x] }, params(1), { context: 1, lengths: [5, 2, 0] }) as Record<string, Matrix[]>;
  const alone = run({ x: x.slice(0, 2) }, params(1), { context: 1 }) as Record<string, Matrix>;
  for (const name of ['windows', 'hidden', 'output']) {
    assert.deepEqual(together[name]![1]!.slice(0, 2), alone[name], name);
    assert.ok([...together[name]![1]!.slice(2), ...together[name]![2]!].flat().every((value) => value === 0));
  }
  assert.deepEqual(together['label']!.slice(1), [
    [...(alone['label'] as unknown as Row), -1, -1, -1],
    [-1, -1, -1, -1, -1],
  ]);
  assert.deepEqual(run({ x: [[1, 1]] }, { W1: [[1, 1], [0, 0]], b1: [0, 0] }, {})['label'], [0]); // prettier-ignore
  leavesNothing(() => {
    const kept = fovea.tensor(x);
    const { windows, hidden, output } = fullyConnected(fovea, { x: kept }, { W1: random([2, 3], 1), b1: [0, 0, 0] });
    assert.notEqual(hidden, output);
    [kept, windows, hidden, output].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, options = {}) =>
    () =>
      fullyConnected(fovea, { x }, given as never, options as never);
  fails('value', /missing b1; unexpected bias/, call({ W1: x, bias: [1] }));
  fails('shape', /W1 must be \[\(2c \+ 1\)·D, A\] = \[6, 4\], got \[2, 4\]/, call(params(0), { context: 1 }));
  fails('value', /W2, b2 together or none/, call({ ...params(0), b2: undefined }));
  fails('value', /context/, call(params(0), { context: -1 }));
  fails('option', /border must be 'zero' or 'repeat'/, call(params(0), { border: 'wrap' }));
});
