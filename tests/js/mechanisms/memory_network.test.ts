/** memoryNetwork: its properties, each beside the wrong variant that it catches, empty stories, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { memoryNetwork } from 'fovea/mechanisms';
import {
  columns,
  dot,
  hadamard,
  plus,
  random,
  softmax,
  times,
  zeros,
  type Matrix,
  type Row,
} from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/memory_network.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(memoryNetwork);
const property = properties<Wrong>(run, reference);
const [V, d, K] = [7, 4, 2];
const story = [
  [1, 2, 3],
  [4, 5, 1],
  [6, 0, 2],
  [3, 3, 4],
];
const inputs = { story, question: [1, 4, 2] };
const eye = zeros(d).map((_, n) => zeros(d).map((_, m) => Number(n === m)));
const adjacent = { A: random([V, d], 1), C: random([K, V, d], 2) };
const layerwise = { A: adjacent.A, B: random([V, d], 3), C: random([V, d], 4), H: random([d, d], 5), W: random([d, V], 6) };
const asLayers = { tying: 'layerwise', hops: 2 };

test('memoryNetwork agrees with its definition in double', () => {
  const times = { TA: random([5, d], 7), TC: random([5, d], 8) };
  assertAgree(run, reference(''), { ...inputs, answer: 3 }, { ...adjacent, TA: times.TA, TC: random([K, 5, d], 9) }, {});
  assertAgree(run, reference(''), inputs, adjacent, { memoryLengths: 3, sentenceLengths: [2, 0, 3, 1] });
  assertAgree(run, reference(''), inputs, { ...layerwise, ...times }, { ...asLayers, encoding: 'bagOfWords' });
  assertAgree(run, reference(''), inputs, layerwise, { tying: 'layerwise', linear: true, memoryLengths: 2 });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['padding read', 'output read from A', 'words from 0', 'bag of words', 'rows from the oldest', '(u + o) H', 'answer from A'],
  (draw) => {
    const [words, width, hops, sentences, J] = [
      draw.one(2, 3, 7, 17),
      draw.width(),
      draw.one(1, 2, 3),
      draw.length(),
      draw.one(1, 2, 3, 5),
    ];
    const [tying, times, rows] = [draw.one('adjacent', 'layerwise'), draw.maybe(), sentences + draw.integer(0, 2)];
    const table = (): unknown => draw.numbers([words, width], 0.5);
    const adjacent = () => ({
      C: draw.numbers([hops, words, width], 0.5),
      ...(times && { TA: draw.numbers([rows, width], 0.5), TC: draw.numbers([hops, rows, width], 0.5) }),
    });
    const layerwise = () => ({
      ...{ B: table(), C: table(), H: draw.numbers([width, width], 0.5), W: draw.numbers([width, words], 0.5) },
      ...(times && { TA: draw.numbers([rows, width], 0.5), TC: draw.numbers([rows, width], 0.5) }),
    });
    return {
      inputs: {
        story: Array.from({ length: sentences }, () => draw.integers(J, 0, words - 1)),
        question: draw.integers(draw.one(1, 2, 4), 0, words - 1),
        ...(draw.maybe() && { answer: draw.integer(0, words - 1) }),
      },
      params: { A: table(), ...(tying === 'adjacent' ? adjacent() : layerwise()) },
      options: {
        ...{ tying, encoding: draw.one('position', 'bagOfWords'), linear: draw.integer(0, 3) === 0 },
        ...(tying === 'layerwise' && { hops }),
        ...(draw.maybe() && { memoryLengths: draw.integer(0, sentences) }),
        ...(draw.maybe() && { sentenceLengths: draw.integers(sentences, 0, J) }),
      },
    };
  },
);

property('rows of weights sum to 1, padding has none', 'padding read', (memory) => {
  const { weights } = memory(inputs, adjacent, { memoryLengths: 3 }) as { weights: Matrix };
  return rowsSumToOne(weights) && weights.every((row) => row[3] === 0);
});

property('one adjacent hop is one layerwise hop with the same tables and H = 1', 'output read from A', (memory) => {
  const C = adjacent.C[0]!;
  // Layerwise by its definition, so that a mistake of both forms shows.
  const other = reference('')(
    inputs,
    { A: adjacent.A, B: adjacent.A, C, H: eye, W: columns(C) },
    { tying: 'layerwise', hops: 1 },
  );
  const one = memory(inputs, { A: adjacent.A, C: [C] }, {});
  return ['u', 'o', 'weights', 'probability'].every((name) => close(one[name], other[name]));
});

property('one word is (1/d, 2/d, … 1) times its row', 'words from 0', (memory) => {
  const { u } = memory({ story, question: [5] }, adjacent, {}) as { u: Matrix };
  return close(
    u[0],
    adjacent.A[5]!.map((value, k) => ((k + 1) / d) * value),
  );
});

property('three words are weighed by their places', 'bag of words', (memory) => {
  const { u } = memory(inputs, adjacent, {}) as { u: Matrix };
  const l = [1, 2, 3].map((j) => [1, 2, 3, 4].map((k) => 1 - j / 3 - (k / 4) * (1 - (2 * j) / 3)));
  return close(u[0], plus(...[1, 4, 2].map((word, j) => hadamard(l[j]!, adjacent.A[word]!))));
});

property('a large row 0 of TA draws all weight to the last memory', 'rows from the oldest', (memory) => {
  const { u } = memory(inputs, adjacent, {}) as { u: Matrix };
  const TA = [u[0]!.map((x) => 1000 * x), ...random([3, d], 1, 0)];
  const { weights } = memory(inputs, { ...adjacent, TA, TC: random([K, 4, d], 9) }, {}) as { weights: Matrix };
  return close(weights[0], [0, 0, 0, 1]);
});

property('layerwise with H = 0: the state is what was read', '(u + o) H', (memory) => {
  const { u, o } = memory(inputs, { ...layerwise, H: random([d, d], 1, 0), o: undefined }, asLayers) as {
    u: Matrix;
    o: Matrix;
  };
  return close(u.slice(1), o, 0) && o[0]!.some((value) => value !== 0);
});

property('adjacent: the answer is read with the last C', 'answer from A', (memory) => {
  const { u, probability } = memory(inputs, adjacent, {}) as { u: Matrix; probability: Row };
  return close(probability, softmax(times(u[K]!, columns(adjacent.C[K - 1]!))));
});

test('equal tables for input and output make a hop plain attention', () => {
  const { A } = adjacent;
  const { o, weights, u } = run(inputs, { A, C: [A] }, { encoding: 'bagOfWords' }) as Record<string, Matrix>;
  const m = story.map((sentence) => plus(...sentence.map((word) => A[word]!)));
  const { output, weights: rows } = fovea.attention([u![0]!], m, m, { scale: 1, returnWeights: true });
  assert.ok(close(o, toNested(output)) && close(weights, toNested(rows)));
});

test('no memories, sentences without words, a question without words', () => {
  for (const [params, options] of [
    [adjacent, {}],
    [layerwise, asLayers],
  ] as const) {
    for (const none of [{ story: { data: new Int32Array(0), shape: [0, 3] } }, {}]) {
      const { u, o, weights } = run({ ...inputs, ...none }, params, { ...options, memoryLengths: 0 }) as Record<string, Matrix>;
      assert.ok([...o!.flat(), ...weights!.flat()].every((value) => value === 0));
      assert.ok(close(u![1], params === layerwise ? times(u![0]!, layerwise.H) : u![0]));
    }
  }
  const [TA, TC] = [random([4, d], 7), random([K, 4, d], 8)];
  const empty = run({ story: story.map(() => []), question: [1] }, { ...adjacent, TA, TC }, {}) as Record<string, Matrix>;
  assert.ok(close(empty['weights']![0], softmax([...TA].reverse().map((row) => dot(row, empty['u']![0]!)))));
  assert.ok(close((run({ story, question: [1] }, adjacent, { questionLengths: 0 })['u'] as Matrix)[0], zeros(d), 0));
});

test('a batch is its entries one by one, whatever stands in the padding; nothing is left', () => {
  const batch = { story: [story, [[5, 1, 99], [2, -7, 99], [-1, 99, 99], [99, 99, 99]]], question: [[1, 4, 2], [6, 99, -5]], answer: [2, 6] }; // prettier-ignore
  const lengths = { memoryLengths: [4, 2], sentenceLengths: [[3, 3, 2, 0], [2, 1, 3, 3]], questionLengths: [3, 1] }; // prettier-ignore
  const together = run(batch, adjacent, lengths);
  for (const b of [0, 1]) {
    const options = Object.fromEntries(Object.entries(lengths).map(([name, list]) => [name, list[b]]));
    const one = { story: batch.story[b], question: batch.question[b], answer: { data: [batch.answer[b]!], shape: [] } };
    for (const [name, result] of Object.entries(run(one, adjacent, options)))
      assert.deepEqual((together[name] as unknown[])[b], result, name);
  }
  leavesNothing(() => memoryNetwork(fovea, inputs, adjacent, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, params: object = adjacent, options = {}) =>
    () =>
      memoryNetwork(fovea, { ...inputs, ...more }, params as never, options);
  fails('value', /memoryNetwork: .*missing A; unexpected B$/, call({}, { C: adjacent.C, B: adjacent.A }));
  fails('value', /memoryNetwork: .*missing W; unexpected X$/, call({}, { ...layerwise, W: undefined, X: eye }, asLayers));
  fails('value', /memoryNetwork: params must have TA, TC together/, call({}, { ...adjacent, TA: [zeros(d)] }));
  fails(
    'shape',
    /memoryNetwork: TA and TC must have a row for each sentence, 4, got Mmax = 1/,
    call({}, { ...adjacent, TA: [zeros(d)], TC: random([K, 1, d], 1) }),
  );
  fails('shape', /memoryNetwork: C must be \[K, V, d\]/, call({}, { ...adjacent, C: adjacent.A }));
  fails('value', /memoryNetwork: story must be ids from 0 to 6, got 7 at position 1/, call({ story: [[1, 7]] }));
  fails('value', /memoryNetwork: question must be ids from 0 to 6, got -1/, call({ question: [-1] }));
  fails('value', /memoryNetwork: answer must be ids from 0 to 6, got 9/, call({ answer: 9 }));
  fails('option', /memoryNetwork: hops can be combined with tying 'layerwise' alone/, call({}, adjacent, { hops: 2 }));
  fails('value', /memoryNetwork: hops must be an integer from 1/, call({}, layerwise, { ...asLayers, hops: 0 }));
  fails('option', /memoryNetwork: tying must be 'adjacent' or 'layerwise'/, call({}, adjacent, { tying: 'none' }));
  fails('value', /memoryNetwork: linear must be true or false, got 1/, call({}, adjacent, { linear: 1 }));
  fails('shape', /sentenceLengths must be a number or \[4\], got \[2\]/, call({}, adjacent, { sentenceLengths: [1, 2] }));
  fails('value', /memoryNetwork: memoryLengths/, call({}, adjacent, { memoryLengths: 5 }));
});
