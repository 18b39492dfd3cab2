/** dynamicMemory: its properties, each beside the wrong variant that it catches, empty stories, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicMemory } from 'fovea/mechanisms';
import { features, gateOf, reference, type Wrong } from '../reference/dynamic_memory.ts';
import { gruOf, layerParams, stepOf } from '../reference/equations/recurrent_layers.ts';
import { random, scaled, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(dynamicMemory);
const property = properties<Wrong>(run, reference);
const [V, E, H, G] = [6, 3, 4, 5];
const inputs = { story: [1, 4, 2, 0, 3, 5, 5, 1], sentenceEnds: [2, 4, 7], question: [3, 1, 0] };
const params = {
  embedding: random([V, E], 1),
  ...layerParams('input', 3, E, H, 2),
  ...layerParams('question', 3, E, H, 4),
  ...layerParams('episode', 3, H, H, 6),
  ...layerParams('memory', 3, H, H, 8),
  ...{ Wb: random([H, H], 10), W1: random([7 * H + 2, G], 11), b1: random([G], 12), W2: random([G], 13), b2: 0.25 },
  ...layerParams('answer', 3, V + H, H, 14),
  Wa: random([H, V], 16),
};

test('dynamicMemory agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, targets: [2, 5, 0] }, params, { passes: 2 });
  assertAgree(run, reference(''), { ...inputs, sentenceEnds: undefined }, params, { steps: 3 });
  assertAgree(run, reference(''), inputs, params, { steps: 3, feedback: 'argmax' });
});

// The most probable word of a step may become another by rounding: two would have to be equal to seven digits.
agreesOnDrawnCalls(
  run,
  reference,
  ['m starts from 0', 'g and 1 - g exchanged', 'one word early', '[c, q, m]', 'GRU(m, e)', '[q; y]'],
  (draw) => {
    const [words, width, hidden, inner] = [draw.one(1, 2, 6, 9), draw.width(), draw.one(1, 2, 3, 5, 8), draw.width()];
    const [T, asked, steps, targeted] = [draw.length(), draw.one(1, 2, 4), draw.one(1, 2, 3), draw.maybe()];
    const layer = (name: string, input: number) => layerParams(name, 3, input, hidden, draw.integer(1, 9999));
    const ends = Array.from({ length: T }, (_, t) => t).filter(() => draw.maybe());
    return {
      inputs: {
        ...{ story: draw.integers(T, 0, words - 1), question: draw.integers(asked, 0, words - 1) },
        ...(draw.maybe() && { sentenceEnds: ends.length > 0 ? ends : [draw.integer(0, T - 1)] }),
        ...(targeted && { targets: draw.integers(steps, 0, words - 1) }),
      },
      params: {
        ...{ embedding: draw.numbers([words, width]), ...layer('input', width), ...layer('question', width) },
        ...{ ...layer('episode', hidden), ...layer('memory', hidden), ...layer('answer', words + hidden) },
        ...{ Wb: draw.numbers([hidden, hidden]), W1: draw.numbers([7 * hidden + 2, inner]), b1: draw.numbers([inner]) },
        ...{ W2: draw.numbers([inner]), b2: draw.numbers([]), Wa: draw.numbers([hidden, words]) },
      },
      options: {
        passes: draw.one(1, 2, 3),
        ...(draw.maybe() && { questionLengths: draw.integer(0, asked) }),
        ...(targeted ? { targetLengths: draw.integer(0, steps) } : { steps, feedback: draw.one('distribution', 'argmax') }),
      },
    };
  },
);

property('the first memory is the question', 'm starts from 0', (memory) => {
  const { memories, questionState } = memory(inputs, params, {}) as { memories: Matrix; questionState: Row };
  return close(memories[0], questionState, 0);
});

property('open gates: an episode is a GRU over the facts', 'g and 1 - g exchanged', (memory) => {
  const { episodes, facts } = memory(inputs, { ...params, b2: 1000 }, {}) as Record<string, Matrix>;
  return close(episodes![0], gruOf(params, 'episode', facts!).at(-1));
});

property('a fact is the state of the story cut after its sentence', 'one word early', (memory) => {
  const { facts } = memory(inputs, params, {}) as { facts: Matrix };
  const cut = (end: number): Matrix => inputs.story.slice(0, end + 1).map((word) => params.embedding[word]!);
  return inputs.sentenceEnds.every((end, s) => close(facts[s], gruOf(params, 'input', cut(end)).at(-1)));
});

property('gates are read off nine features in their order', '[c, q, m]', (memory) => {
  const { gates, facts, memories, questionState } = memory(inputs, params, {}) as Record<string, Matrix> & {
    questionState: Row;
  };
  return gates!.every((row, pass) =>
    close(
      row,
      facts!.map((c) => gateOf(features(c, memories![pass]!, questionState, params.Wb), params)),
    ),
  );
});

property('an episode is the input, the memory the state', 'GRU(m, e)', (memory) => {
  const { memories, episodes } = memory(inputs, params, {}) as Record<string, Matrix>;
  return episodes!.every((e, pass) => close(memories![pass + 1], stepOf(params, 'memory', e, memories![pass]!)));
});

property('the answer reads [0; q] first', '[q; y]', (memory) => {
  const { answerStates, memories, questionState } = memory(inputs, params, {}) as Record<string, Matrix> & {
    questionState: Row;
  };
  return close(answerStates![0], stepOf(params, 'answer', [...zeros(V), ...questionState], memories!.at(-1)!));
});

test('no facts, one fact, no passes, no words', () => {
  const none = { data: new Int32Array(0), shape: [0] };
  for (const [more, options] of [
    [{ story: none, sentenceEnds: undefined }, {}],
    [{ sentenceEnds: none }, {}],
    [{}, { sentenceCounts: 0 }],
  ] as const) {
    const { gates, episodes, memories } = run({ ...inputs, ...more }, params, options) as Record<string, Matrix>;
    assert.ok([...gates!.flat(), ...episodes!.flat()].every((value) => value === 0));
    assert.ok(close(memories![1], stepOf(params, 'memory', zeros(H), memories![0]!)));
  }
  const { gates, episodes, facts } = run(inputs, params, { sentenceCounts: 1, passes: 1 }) as Record<string, Matrix>;
  assert.ok(close(episodes![0], scaled(stepOf(params, 'episode', facts![0]!, zeros(H)), gates![0]![0]!)));
  const { answerStates, questionState } = run(inputs, params, { passes: 0 }) as Record<string, Matrix> & { questionState: Row };
  assert.ok(close(answerStates![0], stepOf(params, 'answer', [...zeros(V), ...questionState], questionState)));
  assert.deepEqual(run(inputs, params, { questionLengths: 0 })['questionState'], zeros(H));
  assert.deepEqual(dynamicMemory(fovea, inputs, params as never, { steps: 0 }).probability.shape, [0, V]);
});

test('a batch is its entries one by one, whatever stands in the padding; nothing is left', () => {
  const batch = { story: [inputs.story, [2, 0, 5, 1, 99, -1, 99, 99]], sentenceEnds: [[2, 4, 7], [0, 3, -9]], question: [[3, 1, 0], [4, 99, 99]], targets: [[1, 2], [0, 4]] }; // prettier-ignore
  const lengths = { storyLengths: [8, 4], sentenceCounts: [3, 2], questionLengths: [3, 1], targetLengths: [2, 1] };
  const together = run(batch, params, { ...lengths, passes: 2 });
  for (const b of [0, 1]) {
    const at = (list: object): object =>
      Object.fromEntries(Object.entries(list).map(([name, entries]) => [name, (entries as unknown[])[b]]));
    for (const [name, one] of Object.entries(run(at(batch) as never, params, { ...at(lengths), passes: 2 })))
      assert.deepEqual((together[name] as unknown[])[b], one, name);
  }
  leavesNothing(() => dynamicMemory(fovea, inputs, params as never, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, options: object = {}, own: object = params) =>
    () =>
      dynamicMemory(fovea, { ...inputs, ...more }, own as never, options);
  fails(
    'value',
    /dynamicMemory: .*missing input\.weight_hh_l0, Wa; unexpected W$/,
    call({}, {}, { ...params, 'input.weight_hh_l0': undefined, Wa: undefined, W: [1] }),
  );
  fails('shape', /dynamicMemory: W1 must be \[7H\+2, G\], got \[29, 5\]/, call({}, {}, { ...params, W1: random([29, G], 1) }));
  fails('value', /dynamicMemory: story must be ids from 0 to 5, got 6 at position 0/, call({ story: [6], sentenceEnds: [0] }));
  fails('value', /dynamicMemory: targets must be ids from 0 to 5, got -1/, call({ targets: [0, -1] }, { targetLengths: 1 }));
  fails('value', /dynamicMemory: sentenceEnds must rise, from 3 to 7 at sentence 1, got 2/, call({ sentenceEnds: [2, 2, 7] }));
  fails('value', /dynamicMemory: sentenceEnds must rise, from 5 to 7 at sentence 2, got 8/, call({ sentenceEnds: [2, 4, 8] }));
  fails('option', /dynamicMemory: steps cannot be combined with targets/, call({ targets: [1] }, { steps: 1 }));
  fails('option', /dynamicMemory: feedback cannot be combined with targets/, call({ targets: [1] }, { feedback: 'argmax' }));
  fails('option', /dynamicMemory: sentenceCounts needs sentenceEnds/, call({ sentenceEnds: undefined }, { sentenceCounts: 1 }));
  fails('option', /dynamicMemory: feedback must be 'distribution' or 'argmax'/, call({}, { feedback: 'sample' }));
  fails('value', /dynamicMemory: passes must be an integer from 0/, call({}, { passes: -1 }));
});
