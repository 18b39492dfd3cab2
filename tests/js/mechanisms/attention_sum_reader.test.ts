/** attentionSumReader: its properties, each beside the wrong variant that it catches, empty texts, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { attentionSumReader } from 'fovea/mechanisms';
import { reference, type Wrong } from '../reference/attention_sum_reader.ts';
import { bothWays, layerParams } from '../reference/equations/recurrent_layers.ts';
import { random, sum, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(attentionSumReader);
const property = properties<Wrong>(run, reference);
const [V, E, H] = [6, 3, 4];
const inputs = { document: [2, 4, 2, 0, 5, 2, 4], query: [3, 1, 2] };
const both = ['', '_reverse'];
const params = {
  We: random([V, E], 1, 2),
  ...layerParams('document', 3, E, H, 2, both),
  ...layerParams('query', 3, E, H, 6, both),
};

test('attentionSumReader agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, candidates: [4, 1, 2], answer: 2 }, params, {});
  assertAgree(run, reference(''), { ...inputs, candidates: [5, 0], answer: 0 }, params, { documentLengths: 4 });
});

agreesOnDrawnCalls(run, reference, ['padding counts', 'largest, not the sum', 'both states of the last word'], (draw) => {
  const [words, width, hidden, n, m] = [draw.one(1, 3, 7, 17), draw.width(), draw.width(), draw.length(), draw.length()];
  const layer = (name: string) => layerParams(name, 3, width, hidden, draw.integer(1, 9999), both);
  return {
    inputs: {
      ...{ document: draw.integers(n, 0, words - 1), query: draw.integers(m, 0, words - 1) },
      ...(draw.maybe() && { candidates: draw.integers(draw.one(1, 2, 5), 0, words - 1) }),
      ...(draw.maybe() && { answer: draw.integer(0, words - 1) }),
    },
    params: { We: draw.numbers([words, width], 2), ...layer('document'), ...layer('query') },
    options: {
      ...(draw.maybe() && { documentLengths: draw.integer(0, n) }),
      ...(draw.maybe() && { queryLengths: draw.integer(0, m) }),
    },
  };
});

property('the weights sum to 1, padding has none', 'padding counts', (reader) => {
  const { weights } = reader(inputs, params, { documentLengths: 5 }) as { weights: Row };
  return close(sum(weights), 1) && weights[5] === 0 && weights[6] === 0;
});

property('a word has the weights of all its places, and all words sum to 1', 'largest, not the sum', (reader) => {
  const { weights, words, probability } = reader(inputs, params, {}) as Record<string, Row>;
  const places = words!.map((word) => sum(weights!.filter((_, i) => inputs.document[i] === word)));
  return close(probability, places) && close(sum(probability!), 1);
});

property('the query is the last state of each direction', 'both states of the last word', (reader) => {
  const { queryState } = reader(inputs, params, {}) as { queryState: Row };
  return close(
    queryState,
    bothWays(
      params,
      'query',
      inputs.query.map((id) => params.We[id]!),
    ).last,
  );
});

test('the weights are attention with the dot score', () => {
  const { documentStates, queryState, weights } = run(inputs, params, {}) as {
    documentStates: Matrix;
    queryState: Row;
    weights: Row;
  };
  const asked = fovea.attention([queryState], documentStates, documentStates, { scale: 1, returnWeights: true });
  assert.ok(close([weights], toNested(asked.weights)));
});

test('layers may lie on layers', () => {
  const above = { ...layerParams('query', 3, 2 * H, H, 10, both), ...layerParams('document', 3, 2 * H, H, 14, both) };
  const second = Object.fromEntries(Object.entries(above).map(([name, array]) => [name.replace('_l0', '_l1'), array]));
  const { documentStates } = run(inputs, { ...params, ...second }, {});
  const below = bothWays(
    params,
    'document',
    inputs.document.map((id) => params.We[id]!),
  ).states;
  assert.ok(close(documentStates, bothWays(above, 'document', below).states));
});

test('an empty document, an empty query, an answer elsewhere, one word', () => {
  const none = { data: new Int32Array(0), shape: [0] };
  for (const [document, options] of [
    [none, {}],
    [inputs.document, { documentLengths: 0 }],
  ] as const) {
    const results = run({ ...inputs, document, candidates: [1, 2], answer: 2 }, params, options) as Record<string, Row>;
    assert.deepEqual(
      [results['words'], results['probability'], results['candidateProbability'], results['loss']],
      [[], [], [0, 0], Infinity],
    );
    assert.ok(results['weights']!.every((weight) => weight === 0));
  }
  const even = run(inputs, params, { queryLengths: 0 });
  assert.ok(
    close(
      even['weights'],
      zeros(7).map(() => 1 / 7),
    ) && close(even['queryState'], zeros(2 * H), 0),
  );
  assert.equal(run({ ...inputs, answer: 3 }, params, {})['loss'], Infinity);
  assert.deepEqual(run({ document: [4, 4], query: [1] }, params, {})['probability'], [1]);
});

test('a batch is its entries one by one, words padded with -1; nothing is left', () => {
  const batch = { document: [inputs.document, [3, 3, 1, 99, -1, 99, 99]], query: [[3, 1, 2], [0, 99, 99]], candidates: [[1, 2], [3, 4]], answer: [4, 1] }; // prettier-ignore
  const together = run(batch, params, { documentLengths: [7, 3], queryLengths: [3, 1] });
  assert.deepEqual(together['words'], [
    [2, 4, 0, 5],
    [3, 1, -1, -1],
  ]);
  for (const b of [0, 1]) {
    const one = Object.fromEntries(Object.entries(batch).map(([name, list]) => [name, list[b]]));
    for (const [name, result] of Object.entries(run(one, params, { documentLengths: [7, 3][b], queryLengths: [3, 1][b] }))) {
      const own = (together[name] as unknown[])[b];
      assert.deepEqual(
        ['words', 'probability'].includes(name) ? (own as Row).slice(0, (result as Row).length) : own,
        result,
        name,
      );
    }
  }
  assert.deepEqual((together['probability'] as Matrix)[1]!.slice(2), [0, 0]);
  leavesNothing(() => attentionSumReader(fovea, inputs, params, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, own: object = params, options = {}) =>
    () =>
      attentionSumReader(fovea, { ...inputs, ...more }, own as never, options);
  fails(
    'value',
    /attentionSumReader: .*missing We, query\.weight_hh_l0_reverse; unexpected W$/,
    call({}, { ...params, We: undefined, 'query.weight_hh_l0_reverse': undefined, W: [1] }),
  );
  fails(
    'shape',
    /attentionSumReader: query\.weight_ih_l0 must be \[3H, E\] = \[12, 3\], got \[9, 3\]/,
    call({}, { ...params, ...layerParams('query', 3, E, 3, 1, both) }),
  );
  fails('value', /attentionSumReader: document must be ids from 0 to 5, got 6 at position 1/, call({ document: [0, 6] }));
  fails('value', /attentionSumReader: query must be ids from 0 to 5, got -1/, call({ query: [-1] }));
  fails('value', /attentionSumReader: answer must be ids from 0 to 5, got 6/, call({ answer: 6 }));
  fails('value', /attentionSumReader: candidates must be ids from 0 to 5, got 9 at position 1/, call({ candidates: [0, 9] }));
  fails('shape', /attentionSumReader: all inputs or none must have the batch's axis/, call({ answer: [1] }));
  fails('value', /attentionSumReader: queryLengths/, call({}, params, { queryLengths: 4 }));
});
