/** ngramRnn: its properties, each beside the wrong variant that it catches, tokens before the first, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { ngramRnn } from 'fovea/mechanisms';
import { random, tanh, times, zeros, type Matrix } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/ngram_rnn.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(ngramRnn);
const property = properties<Wrong>(run, reference);
const [k, E] = [2, 3];
const hidden = random([7, 3 * k], 1);
const embeddings = random([6, E], 2);
const WN = random([3 * k, k], 3);
const lstm = { weight_ih_l0: random([12 * k, E], 4), weight_hh_l0: random([12 * k, 3 * k], 5) };

test('ngramRnn agrees with the equations in double', () => {
  assertAgree(run, reference(''), { hidden }, { WN, Wstar: random([k, 4], 6), b: random([4], 7) }, {});
  assertAgree(run, reference(''), { hidden }, { WN }, { initialState: { hidden: random([2, 3 * k], 8) } });
  assertAgree(run, reference(''), { embeddings }, { WN, rnn: lstm }, {});
});

agreesOnDrawnCalls(run, reference, ['parts in reverse order', 'state.hidden is zeros', 'no tanh'], (draw) => {
  const [tokens, k, parts, E, V] = [draw.length(), draw.width(), draw.one(1, 2, 3, 5), draw.width(), draw.width()];
  const W = parts * k;
  const embeds = draw.maybe();
  const state = {
    hidden: draw.numbers([parts - 1, W]),
    ...(embeds && draw.maybe() && { h: draw.numbers([1, W]), c: draw.numbers([1, W]) }),
  };
  return {
    inputs: embeds ? { embeddings: draw.numbers([tokens, E]) } : { hidden: draw.numbers([tokens, W]) },
    params: {
      WN: draw.numbers([W, k]),
      ...(draw.maybe() && { Wstar: draw.numbers([k, V]), ...(draw.maybe() && { b: draw.numbers([V]) }) }),
      ...(embeds && { rnn: { weight_ih_l0: draw.numbers([4 * W, E]), weight_hh_l0: draw.numbers([4 * W, W]) } }),
    },
    options: parts > 1 && draw.maybe() ? { initialState: state } : {},
  };
});

property('part m of token t is read by row t + m - 1 of hStar and no other', 'parts in reverse order', (ngramRnn) => {
  const before = ngramRnn({ hidden }, { WN }, {})['hStar'] as Matrix;
  return [1, 2, 3].every((m) => {
    const changed = hidden.map((row, t) => row.map((x, i) => (t === 2 && Math.floor(i / k) === m - 1 ? x + 1 : x)));
    const after = ngramRnn({ hidden: changed }, { WN }, {})['hStar'] as Matrix;
    return after.every((row, t) => close(row, before[t], 0) === (t !== 2 + m - 1));
  });
});

property('T steps in one call are T calls of one step', 'state.hidden is zeros', (ngramRnn) => {
  const params = { WN, rnn: lstm };
  const whole = ngramRnn({ embeddings }, params, {});
  let initialState = {};
  return embeddings.every((row, t) => {
    const step = ngramRnn({ embeddings: [row] }, params, { initialState });
    initialState = step['state'] as object;
    return (
      close((step['hStar'] as Matrix)[0], (whole['hStar'] as Matrix)[t]) && (t < 5 || close(initialState, whole['state'], 0))
    );
  });
});

property('bigrams: hStar is tanh(h_t WN), and no state is kept', 'no tanh', (ngramRnn) => {
  const one = random([3 * k, 3 * k], 9);
  const { hStar } = ngramRnn({ hidden }, { WN: one }, {});
  return close(
    hStar,
    hidden.map((row) => tanh(times(row, one))),
  );
});

test('tokens before the first are zeros, or those of the state', () => {
  const first = ngramRnn(fovea, { hidden: hidden.slice(0, 1) }, { WN });
  assert.ok(close(toNested(first.hStar), [tanh(times([...hidden[0]!.slice(0, k), ...zeros(2 * k)], WN))]));
  assert.deepEqual(toNested(first.state.hidden), [zeros(3 * k), hidden[0]]);
  const none = ngramRnn(fovea, { hidden: { data: [], shape: [0, 3 * k] } }, { WN }, { initialState: first.state });
  assert.deepEqual([none.hStar.shape, toNested(none.state.hidden)], [[0, k], toNested(first.state.hidden)]);
  assert.deepEqual(ngramRnn(fovea, { hidden }, { WN: random([6, 6], 9) }).state.hidden.shape, [0, 6]);
});

test('a batch is its entries one by one; given Tensors stay, results are their own', () => {
  const batch = random([2, 5, 3 * k], 10);
  const together = run({ hidden: batch }, { WN }, {});
  batch.forEach((hidden, b) => assert.ok(close((together['hStar'] as Matrix[])[b], run({ hidden }, { WN }, {})['hStar'])));
  leavesNothing(() => {
    const given = fovea.tensor(hidden);
    const { hStar, state } = ngramRnn(fovea, { hidden: given }, { WN }, { trace: true });
    [hStar, state.hidden].forEach((tensor) => tensor.dispose());
    assert.deepEqual(toNested(given), hidden);
    given.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call = (inputs: object, params: object, options?: object) => () => ngramRnn(fovea, inputs, params as never, options);
  fails('option', /ngramRnn: inputs must have exactly one of hidden, embeddings, got none/, call({}, { WN }));
  fails('shape', /ngramRnn: WN must be \[\(N-1\)k, k\], got \[6, 4\]/, call({ hidden }, { WN: random([6, 4], 1) }));
  fails('shape', /ngramRnn: WN must be \[W, k\], got \[5, 2\]/, call({ hidden }, { WN: random([5, 2], 1) }));
  fails('value', /ngramRnn: params must have .*missing WN; unexpected W/, call({ hidden }, { W: WN }));
  fails(
    'value',
    /ngramRnn: params must have .*missing rnn.weight_hh_l0/,
    call({ embeddings }, { WN, rnn: { weight_ih_l0: lstm.weight_ih_l0 } }),
  );
  fails(
    'shape',
    /ngramRnn: initialState.hidden must be \[2, 6\], got \[1, 6\]/,
    call({ hidden }, { WN }, { initialState: { hidden: [zeros(6)] } }),
  );
  fails('option', /ngramRnn: unknown state 'c'/, call({ hidden }, { WN }, { initialState: { c: [zeros(6)] } }));
  fails('shape', /ngramRnn: targets must be/, call({ hidden, targets: [[[1]]] }, { WN }));
});
