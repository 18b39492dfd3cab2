/** convS2s: its properties, each beside the wrong variant that it catches, empty sources, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { convS2s } from 'fovea/mechanisms';
import { reference, type Block, type Wrong } from '../reference/conv_s2s.ts';
import { mix, plus, random, zeros, type Matrix } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(convS2s);
const property = properties<Wrong>(run, reference);
const d = 4;
const [g, z, e] = [random([6, d], 1), random([5, d], 2), random([5, d], 3)];
const block = (k: number, seed: number): Block => ({
  weight: random([2 * d, d, k], seed),
  bias: random([2 * d], seed + 1),
  Wd: random([d, d], seed + 2),
  bd: random([d], seed + 3),
});
const params = { blocks: { 0: block(3, 10), 1: block(2, 20) } };
/** One block whose gate is shut: v = 0. */
const shut = (more: object) => ({
  blocks: { 0: { ...block(3, 10), bias: [...zeros(d), ...zeros(d).map(() => -1000)], ...more } },
});

test('convS2s agrees with the equations in double', () => {
  assertAgree(
    run,
    reference(''),
    { g, z, e },
    { ...params, Wo: random([d, 7], 30), bo: random([7], 31) },
    { sourceLengths: 3 },
  );
  const initialState = { h: [random([2, d], 32), random([1, d], 33)] };
  assertAgree(run, reference(''), { g, z, e }, params, { normalization: true, sourceLengths: 4, initialState });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['a centered kernel', 'softmax over the padding', 'the score with z + e', 'values z', 'σ(A) ⊗ B', 'no g in d', 'state lost'],
  (draw) => {
    const [Tt, Ts, width, V] = [draw.length(), draw.length(), draw.one(1, 2, 3, 5, 8), draw.width()];
    const kernels = Array.from({ length: draw.one(1, 2, 3) }, () => draw.one(1, 2, 3, 5));
    const drawnBlock = (k: number): Block => ({
      ...{ weight: draw.numbers([2 * width, width, k]), bias: draw.numbers([2 * width]) },
      ...{ Wd: draw.numbers([width, width]), bd: draw.numbers([width]) },
    });
    // A kernel of one step keeps no row.
    const initialState = { h: kernels.map((k) => (k === 1 ? undefined : draw.numbers([k - 1, width]))) };
    return {
      inputs: { g: draw.numbers([Tt, width]), z: draw.numbers([Ts, width]), e: draw.numbers([Ts, width]) },
      params: {
        blocks: Object.fromEntries(kernels.map((k, n) => [n, drawnBlock(k)])),
        ...(draw.maybe() && { Wo: draw.numbers([width, V]), ...(draw.maybe() && { bo: draw.numbers([V]) }) }),
      },
      options: {
        normalization: draw.maybe(),
        ...(draw.maybe() && { sourceLengths: draw.integer(0, Ts) }),
        ...(draw.maybe() && { initialState }),
      },
    };
  },
);

property('a later row of g changes no earlier row of h', 'a centered kernel', (convS2s) => {
  const changed = g.map((row, t) => (t === 3 ? row.map((x) => x + 1) : row));
  const [one, other] = [g, changed].map((g) => convS2s({ g, z, e }, params, {})['h'] as Matrix);
  return close(one!.slice(0, 3), other!.slice(0, 3), 0) && !close(one![3], other![3]);
});

property('rows of weights sum to 1, padding is 0 and never shows', 'softmax over the padding', (convS2s) => {
  const padded = convS2s({ g, z, e }, params, { sourceLengths: 3 });
  const cut = convS2s({ g, z: z.slice(0, 3), e: e.slice(0, 3) }, params, {});
  const weights = (padded['weights'] as Matrix[]).flat();
  return rowsSumToOne(weights) && weights.every((row) => row[3] === 0 && row[4] === 0) && close(padded['h'], cut['h']);
});

property('e does not change the weights of block 0', 'the score with z + e', (convS2s) => {
  const [one, other] = [e, random([5, d], 40)].map((e) => convS2s({ g, z, e }, params, {})['weights'] as Matrix[]);
  return close(one![0], other![0], 0);
});

property('context is weights (z + e)', 'values z', (convS2s) => {
  const { weights, context } = convS2s({ g, z, e }, params, {}) as { weights: Matrix[]; context: Matrix[] };
  const both = z.map((row, j) => plus(row, e[j]!));
  return close(
    context,
    weights.map((rows) => rows.map((row) => mix(row, both, d))),
  );
});

property('with the gate shut h is g + context', 'σ(A) ⊗ B', (convS2s) => {
  const { h, context } = convS2s({ g, z, e }, shut({}), {}) as { h: Matrix; context: Matrix[] };
  return close(
    h,
    g.map((row, i) => plus(row, context[0]![i]!)),
  );
});

property('with the gate shut, Wd = -1 and bd = 0 the weights are uniform', 'no g in d', (convS2s) => {
  const Wd = random([d, d], 1).map((row, i) => row.map((_, j) => (i === j ? -1 : 0)));
  const { weights } = convS2s({ g, z, e }, shut({ Wd, bd: zeros(d) }), {});
  return close(weights, [g.map(() => z.map(() => 1 / 5))]);
});

property('T steps in one call are T calls of one step', 'state lost', (convS2s) => {
  const whole = convS2s({ g, z, e }, params, {});
  let initialState = {};
  return g.every((row, t) => {
    const step = convS2s({ g: [row], z, e }, params, { initialState });
    initialState = step['state'] as object;
    return close((step['h'] as Matrix)[0], (whole['h'] as Matrix)[t], 5e-6);
  });
});

test('an empty source leaves a plain convolutional network; no step leaves the state', () => {
  const none = { data: new Float32Array(0), shape: [0, d] };
  const want = reference('')({ g, z: [zeros(d)], e: [zeros(d)] }, params, { sourceLengths: 0 })['h'];
  for (const results of [
    convS2s(fovea, { g, z: none, e: none }, params),
    convS2s(fovea, { g, z, e }, params, { sourceLengths: 0 }),
  ]) {
    assert.ok([...results.weights.data, ...results.context.data].every((value) => value === 0));
    assert.ok(close(toNested(results.h), want));
  }
  const initialState = { h: [random([2, d], 32), random([1, d], 33)] };
  const empty = convS2s(fovea, { g: none, z, e }, params, { initialState });
  assert.deepEqual(
    [empty.h.shape, empty.weights.shape],
    [
      [0, d],
      [2, 0, 5],
    ],
  );
  assert.deepEqual(
    empty.state.h.map((rows) => toNested(rows)),
    initialState.h,
  );
  const short = convS2s(fovea, { g: g.slice(0, 1), z, e }, params, { initialState });
  assert.deepEqual(toNested(short.state.h[0]!), [initialState.h[0]![1], g[0]]);
});

test('a batch is its entries one by one; the state goes back in; Tensors stay Tensors', () => {
  const batch = { g: random([2, 6, d], 41), z: random([2, 5, d], 42), e: random([2, 5, d], 43) };
  const together = convS2s(fovea, batch, params, { sourceLengths: [5, 2] });
  [5, 2].forEach((sourceLengths, b) => {
    const alone = convS2s(fovea, { g: batch.g[b]!, z: batch.z[b]!, e: batch.e[b]! }, params, { sourceLengths });
    assert.ok(close((toNested(together.h) as Matrix[])[b], toNested(alone.h)));
    assert.ok(close((toNested(together.weights) as unknown[])[b], toNested(alone.weights)));
  });
  assert.deepEqual(convS2s(fovea, batch, params, { initialState: together.state }).h.shape, [2, 6, d]);
  leavesNothing(() => {
    const kept = fovea.tensor(g);
    const { h, weights, context, state } = convS2s(fovea, { g: kept, z, e }, params);
    const next = convS2s(fovea, { g, z, e }, params, { initialState: state });
    assert.equal(next.h.shape[0], 6);
    [h, weights, context, ...state.h, kept].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, options?: object, inputs: object = {}) =>
    () =>
      convS2s(fovea, { g, z, e, ...inputs }, given as never, options);
  fails('value', /convS2s: params must have .*missing blocks.0.weight, blocks.0.bias, blocks.0.Wd, blocks.0.bd/, call({}));
  fails(
    'value',
    /convS2s: params must have .*missing blocks.0.weight.*unexpected block.0/,
    call({ blocks: { 1: block(2, 20) }, block: { 0: [1] } }),
  );
  fails(
    'shape',
    /convS2s: blocks.1.weight must be \[2d, d, k1\]/,
    call({ blocks: { 0: block(3, 10), 1: { ...block(3, 10), weight: random([d, d, 3], 1) } } }),
  );
  fails(
    'shape',
    /convS2s: initialState.h.0 must be \[2, 4\], got \[1, 4\]/,
    call(params, { initialState: { h: [[zeros(d)]] } }),
  );
  fails('option', /convS2s: unknown state 'h.2'/, call(params, { initialState: { h: [undefined, undefined, [zeros(d)]] } }));
  fails('value', /convS2s: normalization/, call(params, { normalization: 1 }));
  fails('shape', /convS2s: e must be \[Ts, d\]/, call(params, {}, { e: random([4, d], 1) }));
});
