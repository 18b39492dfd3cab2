/** Recurrent encoders in the catalog, against their equations in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { fovea, near } from '../support/api.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
const x = [
  [0.5, -1],
  [1, 0.25],
  [-0.75, 0.5],
  [0, 2],
];
const U = [
  [0.7, 0.2],
  [-0.4, 0.9],
  [1.1, -0.3],
] as const;
const u = [0.6, -0.8, 1.5] as const;
const stateOf = (id: string, params: object, options?: object) =>
  run(fovea, id, { x }, params as never, options as never)['output'] as NDArray;

/** States of a unit of one number, each from the one before. */
function states(step: (input: number[], state: number) => number): number[][] {
  let state = 0;
  return x.map((input) => [(state = step(input, state))]);
}

test('rnn: h = tanh(W x + u h)', () => {
  const expected = states((input, h) => Math.tanh(dot(U[0], input) + u[0] * h));
  near(stateOf('rnn', { weight_ih_l0: [U[0]], weight_hh_l0: [[u[0]]] }), expected, 1e-6);
});

const gruParams = { weight_ih_l0: U, weight_hh_l0: u.map((one) => [one]) };
const gruStates = (resetAfter: boolean, takesNew = false) =>
  states((input, h) => {
    const r = sigmoid(dot(U[0], input) + u[0] * h);
    const z = sigmoid((dot(U[1], input) + u[1] * h) * (takesNew ? -1 : 1));
    const n = Math.tanh(dot(U[2], input) + (resetAfter ? r * (u[2] * h) : u[2] * (r * h)));
    return takesNew ? (1 - z) * h + z * n : (1 - z) * n + z * h;
  });

test('gru: in one number both places of the reset gate agree, in two they do not', () => {
  for (const resetAfter of [true, false]) near(stateOf('gru', gruParams, { resetAfter }), gruStates(resetAfter), 1e-6);
  const wide = {
    weight_ih_l0: [...U, ...U].map((row, n) => row.map((w) => w * (n % 2 === 0 ? 1 : -1))),
    weight_hh_l0: [[1, 0], [0, 1], [1, 0], [0, 1], [1, 1], [1, -1]], // prettier-ignore
  };
  const [after, before] = [true, false].map((resetAfter) => stateOf('gru', wide, { resetAfter }).data);
  assert.ok(after!.some((state, n) => Math.abs(state - before![n]!) > 1e-3));
});

test('gru: a z that takes the new state has its weights negated', () => {
  near(stateOf('gru', gruParams), gruStates(true, true), 1e-6);
  const negated = {
    weight_ih_l0: U.map((row, n) => row.map((w) => (n === 1 ? -w : w))),
    weight_hh_l0: u.map((one, n) => [n === 1 ? -one : one]),
  };
  assert.throws(() => near(stateOf('gru', negated), gruStates(true), 1e-3), 'the sign of z');
});

test('lstm: the lines of o and C that a survey leaves out', () => {
  const W = [...U, [0.3, 0.8] as const];
  const w = [...u, -0.5];
  let cell = 0;
  const expected = states((input, h) => {
    const [i, f, g, o] = W.map((row, n) => dot(row, input) + w[n]! * h) as [number, number, number, number];
    cell = sigmoid(f) * cell + sigmoid(i) * Math.tanh(g);
    return sigmoid(o) * Math.tanh(cell);
  });
  near(stateOf('lstm', { weight_ih_l0: W, weight_hh_l0: w.map((one) => [one]) }), expected, 1e-6);
});

test('encoders compare no pairs', () => {
  for (const id of ['rnn', 'gru', 'lstm']) {
    const { complexity } = list().find((entry) => entry.id === id)!;
    assert.equal(complexity.pairs(complexity.sizes), 0);
  }
});

/** The stages of a run by name, as rows. */
function traceOf(id: string, params: object, options?: object): Record<string, NDArray> {
  const { trace } = run(fovea, id, { x }, params as never, { trace: true, ...options } as never);
  return Object.fromEntries(trace.map(({ name, ...stage }) => [name, stage as NDArray]));
}

test('traces hold every gate, which give the states again', () => {
  for (const resetAfter of [true, false]) {
    const { resetGate, updateGate, newState, output } = traceOf('gru', gruParams, { resetAfter });
    let h = 0;
    const gates = x.map((input) => {
      const r = sigmoid(dot(U[0], input) + u[0] * h);
      const z = sigmoid(dot(U[1], input) + u[1] * h);
      const n = Math.tanh(dot(U[2], input) + r * u[2] * h);
      h = (1 - z) * n + z * h;
      return [[r], [z], [n], [h]] as const;
    });
    for (const [n, stage] of [resetGate, updateGate, newState, output].entries())
      near(
        stage!,
        gates.map((one) => one[n]!),
        1e-6,
      );
  }
  const W = [...U, [0.3, 0.8] as const];
  const w = [...u, -0.5];
  let [h, c] = [0.25, -0.5];
  const initialState = { hidden: [[h]], cell: [[c]] };
  const gates = x.map((input) => {
    const [i, f, g, o] = W.map((row, n) => dot(row, input) + w[n]! * h) as [number, number, number, number];
    c = sigmoid(f) * c + sigmoid(i) * Math.tanh(g);
    h = sigmoid(o) * Math.tanh(c);
    return [sigmoid(i), sigmoid(f), Math.tanh(g), sigmoid(o), c, h];
  });
  const params = { weight_ih_l0: W, weight_hh_l0: w.map((one) => [one]) };
  const stages = traceOf('lstm', params, { initialState });
  for (const [n, name] of ['inputGate', 'forgetGate', 'cellInput', 'outputGate', 'cellState', 'output'].entries())
    near(
      stages[name]!,
      gates.map((one) => [one[n]!]),
      1e-6,
    );
  const backward = Object.fromEntries(
    Object.entries(params).flatMap(([name, array]) => [
      [name, array],
      [`${name}_reverse`, array],
    ]),
  );
  assert.deepEqual(Object.keys(traceOf('lstm', backward)), ['output'], 'of two directions the states alone');
});
