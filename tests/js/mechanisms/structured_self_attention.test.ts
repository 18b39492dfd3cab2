/** structuredSelfAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { structuredSelfAttention } from 'fovea/mechanisms';
import { lstm } from 'fovea/ops';
import { score } from 'fovea/score';
import { columns, dot, random, zeros, type Matrix } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/structured_self_attention.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(structuredSelfAttention);
const property = properties<Wrong>(run, reference);
const H = random([5, 3], 1);
const params = { Ws1: random([3, 4], 2, 2), Ws2: random([4, 2], 3, 2) };
/** States in which token t is far along feature t: hop h looks at the token that its column of Ws2 names. */
const apart = [0, 1, 2, 3].map((t) => [0, 1, 2, 3].map((d) => 9 * Number(t === d)));
const unit = [0, 1, 2, 3].map((t) => [0, 1, 2, 3].map((d) => Number(t === d)));
const looksAt = (...tokens: number[]) => ({ Ws1: unit, Ws2: unit.map((_, d) => tokens.map((t) => 40 * Number(t === d))) });

test('structuredSelfAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { H }, params, {});
  assertAgree(run, reference(''), { H }, params, { lengths: 3 });
});

agreesOnDrawnCalls(run, reference, ['softmax over hops', 'padding attended', 'norm not squared', 'AtA'], (draw): DrawnCall => {
  const T = draw.length();
  const [width, E, A, r] = draw.widths(4);
  const [isGiven, ways] = [draw.maybe(), draw.one([''], ['', '_reverse'])];
  const D = isGiven ? width : ways.length * width;
  const gates = ways.flatMap((way) => [
    [`lstm.weight_ih_l0${way}`, draw.numbers([4 * width, E], 2)],
    [`lstm.weight_hh_l0${way}`, draw.numbers([4 * width, width])],
  ]);
  return {
    inputs: isGiven ? { H: draw.numbers([T, D]) } : { S: draw.numbers([T, E]) },
    params: {
      ...{ Ws1: draw.numbers([D, A], 2), Ws2: draw.numbers([A, r], 2) },
      ...(!isGiven && (Object.fromEntries(gates) as Record<string, Matrix>)),
    },
    options: draw.maybe() ? { lengths: draw.integer(0, T) } : {},
  };
});

property('rows of A sum to 1', 'softmax over hops', (system) => rowsSumToOne(system({ H }, params, {})['A']));

property('padding has no weight, and changes nothing', 'padding attended', (system) => {
  const { A, M } = system({ H: [...H, [9, 9, 9]] }, params, { lengths: 5 });
  return close(columns(A as Matrix)[5], [0, 0], 0) && close(M, system({ H }, params, {})['M'], 0);
});

property('hops at different tokens cost nothing, in any number', 'AtA', (system) =>
  [[0, 1], [2, 0, 3], [1]].every((tokens) => close(system({ H: apart }, looksAt(...tokens), {})['penalty'], 0)),
);

property('two equal hops cost 2‖a‖⁴, and each 1 - ‖a‖² squared', 'norm not squared', (system) => {
  const twice = { ...params, Ws2: params.Ws2.map(([w]) => [w!, w!]) };
  const { A, penalty } = system({ H }, twice, {});
  const norm = dot((A as Matrix)[0]!, (A as Matrix)[0]!);
  return close(penalty, 2 * norm ** 2 + 2 * (norm - 1) ** 2);
});

test('one hop is attention with an additive score that has no query', () => {
  const { Ws1, Ws2 } = { ...params, Ws2: params.Ws2.map(([w]) => [w!]) };
  const additive = score.additive({ Wq: Ws1.map(() => zeros(4)), Wk: Ws1, w: Ws2.flat() });
  const { output, weights } = fovea.attention([zeros(3)], H, H, { score: additive, returnWeights: true });
  const { A, M } = run({ H }, { Ws1, Ws2 }, {});
  assert.ok(close(M, toNested(output)) && close(A, toNested(weights)));
});

test('S goes through the LSTM of the params', () => {
  const S = random([2, 5, 4], 4);
  const weights = ['', '_reverse'].flatMap((way, n) => [
    [`weight_ih_l0${way}`, random([12, 4], 5 + n)],
    [`weight_hh_l0${way}`, random([12, 3], 7 + n)],
  ]);
  const [own, lengths] = [{ Ws1: random([6, 4], 9), Ws2: params.Ws2 }, [5, 2]];
  const state = Object.fromEntries(weights);
  const results = run({ S }, { ...own, lstm: state }, { lengths });
  const states = toNested(lstm(fovea, S, state, { lengths }).output);
  assert.deepEqual(results['H'], states);
  assert.deepEqual(results, run({ H: states }, own, { lengths }));
});

test('no token: weights and rows 0, the penalty is the number of hops; one token: r² - r', () => {
  const none = structuredSelfAttention(fovea, { H: { data: new Float32Array(0), shape: [0, 3] } }, params);
  assert.deepEqual(none.A.shape, [2, 0]);
  assert.deepEqual([toNested(none.M), toNested(none.penalty)], [[zeros(3), zeros(3)], 2]);
  const padded = run({ H: [H, H] }, params, { lengths: [0, 1] });
  assert.deepEqual((padded['A'] as Matrix[])[0], [zeros(5), zeros(5)]);
  assert.ok(close(padded['penalty'], [2, 2]));
  assert.ok(close((padded['M'] as Matrix[])[1], [H[0], H[0]]));
});

test('a batch is its entries one by one; the states that come back are a copy; nothing else is left', () => {
  const batch = [H, random([5, 3], 6)];
  const together = run({ H: batch }, params, { lengths: [5, 2] });
  batch.forEach((one, b) => {
    for (const [name, value] of Object.entries(run({ H: one }, params, { lengths: [5, 2][b] })))
      assert.deepEqual((together[name] as unknown[])[b], value, name);
  });
  leavesNothing(() => {
    const kept = fovea.tensor(H);
    const results = structuredSelfAttention(fovea, { H: kept }, params);
    results.H.dispose();
    assert.deepEqual(toNested(kept), H);
    [kept, results.A, results.M, results.penalty].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (inputs: object, given: object, options = {}) =>
    () =>
      structuredSelfAttention(fovea, inputs as never, given as never, options);
  fails('value', /missing Ws1; unexpected W/, call({ H }, { W: H, Ws2: params.Ws2 }));
  fails('option', /exactly one of H, S, got none/, call({}, params));
  fails('option', /exactly one of H, S, got 2/, call({ H, S: H }, params));
  fails('value', /structuredSelfAttention: .*weight_hh_l0/, call({ S: H }, params));
  fails('shape', /Ws1 must be \[D, A\], got \[4, 4\]/, call({ H }, { ...params, Ws1: random([4, 4], 1) }));
  fails('value', /lengths/, call({ H }, params, { lengths: 6 }));
});
