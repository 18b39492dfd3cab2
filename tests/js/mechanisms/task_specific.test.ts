/** taskSpecific: its properties, each beside the wrong variant that it catches, batches of tasks, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { bahdanau, taskSpecific } from 'fovea/mechanisms';
import { random, type Matrix, type Row } from '../reference/equations/rows.ts';
import { ofTask, reference, type Wrong } from '../reference/task_specific.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(taskSpecific);
const property = properties<Wrong>(run, reference);
const [K, Hs, S, A, E] = [3, 4, 5, 2, 3];
const source = random([6, Hs], 1);
const decoderInputs = random([4, E], 2);
const params = {
  ...{ Wa: random([K, S, A], 4), Ua: random([K, Hs, A], 5), va: random([K, A], 6, 2), ba: random([K, A], 7) },
  ...{ W: random([E, S], 8), Wz: random([E, S], 9), Wr: random([E, S], 10) },
  ...{ U: random([S, S], 11), Uz: random([S, S], 12), Ur: random([S, S], 13) },
  ...{ C: random([Hs, S], 14), Cz: random([Hs, S], 15), Cr: random([Hs, S], 16), Ws: random([2, S], 17) },
};

test('taskSpecific agrees with the equations in double', () => {
  const words = { Uo: random([S, 4], 18), Vo: random([E, 4], 19), Co: random([Hs, 4], 20), Wo: random([2, 6], 21) };
  for (const task of [0, 1, 2])
    assertAgree(run, reference(''), { source, decoderInputs, task }, { ...params, ...words }, { sourceLengths: 5 });
});

agreesOnDrawnCalls(
  run,
  reference,
  ["the mean of all tasks' parameters", 'task 0 always', 'softmax over the padding', 'state is s_{T-1}'],
  (draw): DrawnCall => {
    const [Ts, Tt, K, Hs] = [draw.length(), draw.length(), draw.integer(1, 4), draw.width()];
    const [S, A, E, l, V] = draw.widths(5);
    const biases = (widths: Record<string, number>): Record<string, Row> =>
      Object.fromEntries(
        Object.entries(widths)
          .filter(() => draw.maybe())
          .map(([name, width]) => [name, draw.numbers([width])]),
      );
    const words = draw.maybe() && {
      ...{ Uo: draw.numbers([S, 2 * l]), Vo: draw.numbers([E, 2 * l]), Co: draw.numbers([Hs, 2 * l]) },
      ...{ Wo: draw.numbers([l, V]), ...biases({ bt: 2 * l, bo: V }) },
    };
    return {
      inputs: {
        ...{ source: draw.numbers([Ts, Hs]), decoderInputs: draw.numbers([Tt, E]), task: draw.integer(0, K - 1) },
        ...(words && draw.maybe() && { targets: draw.integers(Tt, 0, V - 1) }),
      },
      params: {
        ...{ Wa: draw.numbers([K, S, A], 2), Ua: draw.numbers([K, Hs, A], 2), va: draw.numbers([K, A], 3) },
        ...(draw.maybe() && { ba: draw.numbers([K, A]) }),
        ...{ W: draw.numbers([E, S]), Wz: draw.numbers([E, S]), Wr: draw.numbers([E, S]) },
        ...{ U: draw.numbers([S, S]), Uz: draw.numbers([S, S]), Ur: draw.numbers([S, S]) },
        ...{ C: draw.numbers([Hs, S]), Cz: draw.numbers([Hs, S]), Cr: draw.numbers([Hs, S]) },
        ...biases({ b: S, bz: S, br: S }),
        ...(draw.maybe() && { Ws: draw.numbers([Hs - Math.floor(Hs / 2), S]), ...biases({ bs: S }) }),
        ...words,
      },
      options: {
        ...(draw.maybe() && { sourceLengths: draw.integer(0, Ts) }),
        ...(draw.maybe() && { targetLengths: draw.integer(0, Tt) }),
        ...(draw.maybe() && { initialState: { s: draw.numbers([S]) } }),
        ...(draw.maybe() && { readout: draw.one('previous', 'current') }),
      },
    };
  },
);

property("it is bahdanau with the task's slices", "the mean of all tasks' parameters", (taskSpecific) => {
  const got = taskSpecific({ source, decoderInputs, task: 1 }, params, {});
  const want = nested(bahdanau)({ source, decoderInputs }, ofTask(params, 1), {});
  return ['weights', 'context', 'states', 'state'].every((name) => close(got[name], want[name]));
});

property("other tasks' parameters do not matter", 'task 0 always', (taskSpecific) => {
  const others = {
    ...params,
    Wa: params.Wa.map((W, k) => (k === 2 ? W : random([S, A], 30 + k))),
    va: params.va.map((v, k) => (k === 2 ? v : [1, 2])),
  };
  const [one, other] = [params, others].map((params) => taskSpecific({ source, decoderInputs, task: 2 }, params, {}));
  return close(one!['weights'], other!['weights'], 0);
});

property('rows of weights sum to 1 and padding is 0', 'softmax over the padding', (taskSpecific) => {
  const weights = taskSpecific({ source, decoderInputs, task: 0 }, params, { sourceLengths: 4 })['weights'] as Matrix;
  return rowsSumToOne(weights) && weights.every((row) => row[4] === 0 && row[5] === 0);
});

property('T steps in one call are T calls of one step, bit for bit', 'state is s_{T-1}', (taskSpecific) => {
  const whole = taskSpecific({ source, decoderInputs, task: 1 }, params, {});
  let initialState: object | undefined;
  return (
    decoderInputs.every((y, t) => {
      const step = taskSpecific({ source, decoderInputs: [y], task: 1 }, params, { initialState });
      initialState = step['state'] as object;
      return ['weights', 'context', 'states'].every((name) => close((step[name] as Matrix)[0], (whole[name] as Matrix)[t], 0));
    }) && close(initialState, whole['state'], 0)
  );
});

test('a batch of different tasks is its entries one by one', () => {
  const batch = { source: random([3, 6, Hs], 22), decoderInputs: random([3, 4, E], 23) };
  const [tasks, lengths] = [
    [2, 0, 1],
    [6, 3, 0],
  ];
  const together = run({ ...batch, task: tasks }, params, { sourceLengths: lengths });
  tasks.forEach((task, b) => {
    const alone = run({ source: batch.source[b], decoderInputs: batch.decoderInputs[b], task }, params, {
      sourceLengths: lengths[b],
    });
    for (const name of ['weights', 'context', 'states']) assert.deepEqual((together[name] as Matrix[])[b], alone[name], name);
  });
  leavesNothing(() => taskSpecific(fovea, { ...batch, task: Int32Array.from(tasks) }, params, { trace: true }));
});

test('empty sources and no steps', () => {
  const none = { data: new Float32Array(0), shape: [0, Hs] };
  const blind = taskSpecific(fovea, { source: none, decoderInputs, task: 0 }, params);
  assert.ok(blind.context.data.every((value) => value === 0));
  assert.deepEqual(blind.weights.shape, [4, 0]);
  const empty = taskSpecific(fovea, { source, decoderInputs: { data: [], shape: [0, E] }, task: 0 }, params);
  assert.deepEqual(empty.states.shape, [0, S]);
  const first = bahdanau(fovea, { source, decoderInputs: { data: [], shape: [0, E] } }, ofTask(params, 0) as never);
  assert.deepEqual(toNested(empty.state.s), toNested(first.state.s));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (task: unknown, given: object = params) =>
    () =>
      taskSpecific(fovea, { source, decoderInputs, task } as never, given as never);
  fails('value', /taskSpecific: task must be an id from 0 to 2, got 3/, call(3));
  fails('value', /taskSpecific: task must be an id from 0 to 2, got -1/, call(-1));
  fails('shape', /taskSpecific: .*task/, call([0, 1]));
  fails('value', /taskSpecific: inputs must have task, which is missing/, call(undefined));
  fails('shape', /taskSpecific: Ua must be \[K, Hs, A\]/, call(0, { ...params, Ua: params.Ua[0] }));
  fails(
    'value',
    /taskSpecific: params must have .*missing Cr; unexpected Cx/,
    call(0, { ...params, Cr: undefined, Cx: [[1]] }),
  );
});
