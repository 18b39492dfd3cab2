/** keyValueMemory: its properties, each beside the wrong variant that it catches, empty memories, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { keyValueMemory } from 'fovea/mechanisms';
import { dot, random, softmax, times, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/key_value_memory.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(keyValueMemory);
const property = properties<Wrong>(run, reference);
const [F, M, Y, d] = [5, 6, 4, 3];
const inputs = { question: random([F], 1), keys: random([M, F], 2), values: random([M, F], 3), candidates: random([Y, F], 4) };
const params = { A: random([F, d], 5), R: random([2, d, d], 6), B: random([F, d], 7) };

test('keyValueMemory agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, answer: 2 }, params, {});
  assertAgree(run, reference(''), inputs, { A: params.A, R: params.R }, { memoryLengths: 4, candidateLengths: 2 });
});

agreesOnDrawnCalls(run, reference, ['padding read', 'values are keys', 'q + o R', 'A for B'], (draw) => {
  const [features, memories, answers, width, hops] = [
    draw.width(),
    draw.length(),
    draw.length(),
    draw.width(),
    draw.one(1, 2, 3),
  ];
  const candidateLengths = draw.maybe() ? draw.integer(1, answers) : undefined;
  return {
    inputs: {
      question: draw.numbers([features]),
      ...{ keys: draw.numbers([memories, features]), values: draw.numbers([memories, features]) },
      candidates: draw.numbers([answers, features]),
      ...(draw.maybe() && { answer: draw.integer(0, (candidateLengths ?? answers) - 1) }),
    },
    params: {
      ...{ A: draw.numbers([features, width], 0.5), R: draw.numbers([hops, width, width], 0.5) },
      ...(draw.maybe() && { B: draw.numbers([features, width]) }),
    },
    options: { candidateLengths, ...(draw.maybe() && { memoryLengths: draw.integer(0, memories) }) },
  };
});

property('rows of weights sum to 1, padding has none', 'padding read', (memory) => {
  const { weights } = memory(inputs, params, { memoryLengths: 4 }) as { weights: Matrix };
  return rowsSumToOne(weights) && weights.every((row) => row[4] === 0 && row[5] === 0);
});

property('other values leave the weights of the first hop', 'values are keys', (memory) => {
  const first = (values: Matrix): Row => (memory({ ...inputs, values }, params, {})['weights'] as Matrix)[0]!;
  return close(first(inputs.values), first(random([M, F], 9)), 0);
});

property('R = 0: the second hop weighs all memories alike', 'q + o R', (memory) => {
  const { weights } = memory(inputs, { ...params, R: [0, 1].map(() => random([d, d], 1, 0)) }, {}) as { weights: Matrix };
  return close(
    weights[1],
    zeros(M).map(() => 1 / M),
  );
});

property('the answer is read with B', 'A for B', (memory) => {
  const { q, probability } = memory(inputs, params, {}) as { q: Matrix; probability: Row };
  return close(probability, softmax(inputs.candidates.map((one) => dot(q.at(-1)!, times(one, params.B)))));
});

test('a hop is attention with the dot score', () => {
  const [q, k, v] = [[inputs.question], inputs.keys, inputs.values].map((rows) => rows.map((row) => times(row, params.A)));
  const { output, weights } = fovea.attention(q!, k!, v!, { scale: 1, returnWeights: true });
  const { o, weights: rows } = run(inputs, params, {}) as { o: Matrix; weights: Matrix };
  assert.ok(close(o[0], (toNested(output) as Matrix)[0]) && close(rows[0], (toNested(weights) as Matrix)[0]));
});

test('no memories: nothing is read, and q goes on by R; no candidates: no probability', () => {
  const none = { data: new Float32Array(0), shape: [0, F] };
  for (const [memories, options] of [
    [{ keys: none, values: none }, {}],
    [{}, { memoryLengths: 0 }],
  ] as const) {
    const { q, o, weights } = run({ ...inputs, ...memories }, params, options) as Record<string, Matrix>;
    assert.ok(weights!.flat().every((weight) => weight === 0));
    assert.deepEqual(o, [zeros(d), zeros(d)]);
    assert.ok(close(q![1], times(q![0]!, params.R[0]!)));
  }
  assert.deepEqual(keyValueMemory(fovea, { ...inputs, candidates: none }, params).probability.shape, [0]);
});

test('a batch is its entries one by one; nothing is left', () => {
  const batch = {
    question: random([2, F], 1),
    keys: random([2, M, F], 2),
    values: random([2, M, F], 3),
    candidates: random([2, Y, F], 4),
  };
  const together = run({ ...batch, answer: [3, 0] }, params, { memoryLengths: [5, 0], candidateLengths: [4, 2] });
  for (const b of [0, 1]) {
    const entry = Object.fromEntries(Object.entries(batch).map(([name, array]) => [name, array[b]]));
    const options = { memoryLengths: [5, 0][b], candidateLengths: [4, 2][b] };
    for (const [name, one] of Object.entries(run({ ...entry, answer: [3, 0][b] }, params, options)))
      assert.deepEqual((together[name] as unknown[])[b], one, name);
  }
  leavesNothing(() => keyValueMemory(fovea, inputs, params, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  fails('value', /keyValueMemory: .*missing A, R; unexpected W$/, () => keyValueMemory(fovea, inputs, { W: [[1]] }));
  fails('shape', /keyValueMemory: R must be \[H, d, d\]/, () => keyValueMemory(fovea, inputs, { ...params, R: params.A }));
  fails('shape', /keyValueMemory: values must be \[M, F\] = \[6, 5\], got \[5, 5\]/, () =>
    keyValueMemory(fovea, { ...inputs, values: random([5, F], 1) }, params),
  );
  fails('value', /keyValueMemory: answer must be ids from 0 to 3, got 4/, () =>
    keyValueMemory(fovea, { ...inputs, answer: 4 }, params),
  );
  fails('value', /keyValueMemory: memoryLengths/, () => keyValueMemory(fovea, inputs, params, { memoryLengths: 7 }));
  fails('option', /keyValueMemory: unknown option 'hops'/, () => keyValueMemory(fovea, inputs, params, { hops: 2 } as never));
});
