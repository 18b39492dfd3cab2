/** decomposableAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decomposableAttention } from 'fovea/mechanisms';
import { reference, stack, type Stack, type Wrong } from '../reference/decomposable_attention.ts';
import { random, relu, scaled, times, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const layers = (seed: number, ...widths: number[]): Stack =>
  Object.fromEntries(
    widths.slice(1).flatMap((out, n) => [
      [`W${n + 1}`, random([widths[n]!, out], seed + 2 * n)],
      [`b${n + 1}`, random([out], seed + 2 * n + 1, 0.5)],
    ]),
  );
const E = 3;
const params = { F: layers(1, E, 5, 4), G: layers(11, 2 * E, 4), H: layers(21, 8, 5, 3) };
const within = {
  ...{ F: layers(31, 2 * E, 4), G: layers(41, 4 * E, 4), H: layers(51, 8, 3), Fintra: layers(61, E, 4, 3) },
  d: [0.5, -0.5, 0.25, 1, -1],
};
const inputs = { a: random([4, E], 71), b: random([3, E], 72) };
const run = nested(decomposableAttention);
const property = properties<Wrong>(run, reference);

test('decomposableAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, target: 2 }, params, {});
  assertAgree(run, reference(''), inputs, within, {});
});

agreesOnDrawnCalls(
  run,
  reference,
  ["alpha by the rows' softmax", '[beta; a]', 'mean', 'j - i', 'diagonal forbidden', 'padding aggregated'],
  (draw) => {
    const [n, m, width, classes] = [draw.length(), draw.length(), draw.one(1, 2, 3, 5), draw.width()];
    const drawnStack = (...widths: number[]): Stack =>
      Object.fromEntries(
        widths.slice(1).flatMap((out, at) => [
          [`W${at + 1}`, draw.numbers([widths[at]!, out])],
          [`b${at + 1}`, draw.numbers([out], 0.5)],
        ]),
      );
    const [intra, features, compared, reach] = [draw.maybe(), draw.width(), draw.width(), draw.one(0, 1, 3)];
    const wide = intra ? 2 * width : width;
    const hidden = (): number[] => (draw.maybe() ? [draw.width()] : []);
    return {
      inputs: {
        ...{ a: draw.numbers([n, width]), b: draw.numbers([m, width]) },
        ...(draw.maybe() && { target: draw.integer(0, classes - 1) }),
      },
      params: {
        ...{ F: drawnStack(wide, ...hidden(), features), G: drawnStack(2 * wide, ...hidden(), compared) },
        H: drawnStack(2 * compared, ...hidden(), classes),
        ...(intra && { Fintra: drawnStack(width, ...hidden(), draw.width()), d: draw.numbers([2 * reach + 1]) }),
      },
      options: {
        ...(draw.maybe() && { aLengths: draw.integer(1, n) }),
        ...(draw.maybe() && { bLengths: draw.integer(1, m) }),
      },
    };
  },
);

property('weights of both directions sum to 1', "alpha by the rows' softmax", (system) => {
  const { betaWeights, alphaWeights } = system(inputs, params, {});
  return rowsSumToOne(betaWeights) && rowsSumToOne(alphaWeights);
});

property('the upper half of G reads the word itself', '[beta; a]', (system) => {
  const W1 = (params.G['W1'] as Matrix).map((row, n) => (n < E ? row : zeros(4)));
  const { v1Tokens } = system(inputs, { ...params, G: { W1, b1: zeros(4) } }, {});
  const want = inputs.a.map((row) => relu(times(row, W1.slice(0, E))));
  return close(v1Tokens, want);
});

property('comparisons are summed: a sentence said twice counts twice', 'mean', (system) => {
  const twice = system({ ...inputs, a: [...inputs.a, ...inputs.a] }, params, {});
  return close(twice['v1'], scaled(system(inputs, params, {})['v1'] as Row, 2), 1e-5);
});

property('padding is not aggregated', 'padding aggregated', (system) => {
  const padded = { a: [...inputs.a, [2, 2, 2]], b: [...inputs.b, [-3, 3, 3]] };
  return close(system(padded, params, { aLengths: 4, bLengths: 3 })['logits'], system(inputs, params, {})['logits'], 1e-12);
});

property('d counts i - j: a large last entry looks at the words before', 'j - i', (system) => {
  const weights = system(inputs, { ...within, d: [0, 0, 60] }, {})['aIntraWeights'] as Matrix;
  return weights.every(
    (row, i) =>
      i === 0 ||
      close(
        row.slice(0, i).reduce((sum, x) => sum + x, 0),
        1,
      ),
  );
});

property('a word may attend to itself', 'diagonal forbidden', (system) => {
  const weights = system(inputs, { ...within, d: [-60, 0, -60] }, {})['aIntraWeights'] as Matrix;
  return weights.every((row, i) => close(row[i], 1));
});

test('a and b exchanged: their results change places', () => {
  const [one, other] = [run(inputs, within, {}), run({ a: inputs.b, b: inputs.a }, within, {})];
  for (const [name, mirror] of [
    ['alpha', 'beta'],
    ['v1', 'v2'],
    ['v1Tokens', 'v2Tokens'],
    ['aIntraWeights', 'bIntraWeights'],
  ]) {
    assert.deepEqual(other[mirror!], one[name!]);
    assert.deepEqual(other[name!], one[mirror!]);
  }
});

test('without d the order of words does not matter; with d it does', () => {
  const shuffled = { ...inputs, a: [2, 0, 3, 1].map((n) => inputs.a[n]!) };
  assert.ok(close(run(shuffled, params, {})['logits'], run(inputs, params, {})['logits'], 1e-5));
  assert.ok(!close(run(shuffled, within, {})['logits'], run(inputs, within, {})['logits'], 1e-3));
});

test('no words: nothing to align with and an empty sum; one word each: weights of 1', () => {
  const none = run({ a: { data: new Float32Array(0), shape: [0, E] }, b: inputs.b }, params, {});
  assert.deepEqual([none['alphaWeights'], none['v1'], none['alpha']], [[[], [], []], zeros(4), inputs.b.map(() => zeros(E))]);
  const want = inputs.b.map((row) => stack(params.G, [...row, ...zeros(E)]));
  assert.ok(close(none['v2Tokens'], want));
  const one = run({ a: inputs.a.slice(0, 1), b: inputs.b.slice(0, 1) }, within, {});
  for (const name of ['betaWeights', 'alphaWeights', 'aIntraWeights']) assert.deepEqual(one[name], [[1]], name);
});

test('a batch is its entries one by one, whatever finite numbers pad them; nothing else is left', () => {
  const padded = inputs.a.map((row, t) => (t < 2 ? row : row.map(() => 3e38)));
  for (const own of [params, within]) {
    const batch = { a: [inputs.a, padded], b: [inputs.b, inputs.b], target: [0, 2] };
    const together = run(batch, own, { aLengths: [4, 2], bLengths: [3, 0] });
    const none = { data: new Float32Array(0), shape: [0, E] };
    const alone = run({ a: inputs.a.slice(0, 2), b: none, target: 2 }, own, {});
    for (const name of ['logits', 'loss', 'v1']) assert.ok(close((together[name] as unknown[])[1], alone[name], 0), name);
    for (const name of ['e', 'betaWeights', 'v2Tokens'])
      assert.ok(
        (together[name] as Matrix[])[1]!
          .slice(name === 'v2Tokens' ? 0 : 2)
          .flat()
          .every((value) => value === 0),
        name,
      );
  }
  leavesNothing(() => {
    const kept = fovea.tensor(inputs.a);
    const results = decomposableAttention(fovea, { ...inputs, a: kept }, within as never);
    Object.values(results).forEach((tensor) => (tensor as { dispose(): void }).dispose());
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, more = {}, options = {}) =>
    () =>
      decomposableAttention(fovea, { ...inputs, ...more }, given as never, options);
  const { W1, b2 } = params.F as Record<string, Matrix>;
  const names = /missing F.b1, F.W2, H.W1, H.b1; unexpected V/;
  fails('value', names, call({ F: { W1, b2 }, G: params.G, V: W1 }));
  fails('value', /d, Fintra.W1 together or none/, call({ ...params, d: [1] }));
  fails(
    'shape',
    /E', the width of F's input, must be E without d, E = 3, got 6/,
    call({ ...params, F: within.F, G: within.G }),
  );
  fails('shape', /F.W2 must be \[F.1, Fout\]/, call({ ...params, F: { ...params.F, W2: random([4, 4], 1) } }));
  fails('value', /target must be a class from 0 to 2, got -1/, call(params, { target: -1 }));
  fails('value', /aLengths/, call(params, {}, { aLengths: 5 }));
});
