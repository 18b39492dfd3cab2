/** attentionOverAttention: its properties, each beside the wrong variant that it catches, empty texts, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionOverAttention } from 'fovea/mechanisms';
import { reference, type Wrong } from '../reference/attention_over_attention.ts';
import { layerParams } from '../reference/equations/recurrent_layers.ts';
import { columns, random, sum, type Matrix, type Row } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(attentionOverAttention);
const property = properties<Wrong>(run, reference);
const [V, E, H] = [6, 3, 4];
const inputs = { document: [2, 4, 2, 0, 5, 2, 4], query: [3, 1, 2] };
const both = ['', '_reverse'];
const params = {
  We: random([V, E], 1, 2),
  ...layerParams('document', 3, E, H, 2, both),
  ...layerParams('query', 3, E, H, 6, both),
};

test('attentionOverAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, answer: 2 }, params, {});
  assertAgree(run, reference(''), { ...inputs, answer: 0 }, params, { documentLengths: 4, queryLengths: 2 });
});

agreesOnDrawnCalls(run, reference, ['axes exchanged', 'β summed', 'divided by |Q|', 'padding counts'], (draw) => {
  const [words, width, hidden, n, m] = [draw.one(1, 3, 7, 17), draw.width(), draw.width(), draw.length(), draw.length()];
  const document = draw.integers(n, 0, words - 1);
  const layer = (name: string) => layerParams(name, 3, width, hidden, draw.integer(1, 9999), both);
  return {
    inputs: {
      ...{ document, query: draw.integers(m, 0, words - 1) },
      ...(draw.maybe() && { answer: draw.integer(0, words - 1) }),
    },
    params: { We: draw.numbers([words, width], 2), ...layer('document'), ...layer('query') },
    options: {
      ...(draw.maybe() && { documentLengths: draw.integer(0, n) }),
      ...(draw.maybe() && { queryLengths: draw.integer(0, m) }),
    },
  };
});

property('columns of alpha and rows of beta sum to 1', 'axes exchanged', (reader) => {
  const { alpha, beta } = reader(inputs, params, {}) as Record<string, Matrix>;
  return rowsSumToOne(columns(alpha!)) && rowsSumToOne(beta);
});

property('averageBeta, s and the probability sum to 1', 'β summed', (reader) => {
  const { averageBeta, s, probability } = reader(inputs, params, {}) as Record<string, Row>;
  return close(
    [averageBeta, s, probability].map((row) => sum(row!)),
    [1, 1, 1],
  );
});

property('one query word: s is its column of alpha', 'divided by |Q|', (reader) => {
  const { s, alpha } = reader({ ...inputs, query: [4] }, params, {}) as { s: Row; alpha: Matrix };
  return close(s, columns(alpha)[0]);
});

property('padding changes nothing', 'padding counts', (reader) => {
  const padded = { document: [...inputs.document, 1, 3], query: [...inputs.query, 0] };
  const { s, averageBeta, probability } = reader(padded, params, { documentLengths: 7, queryLengths: 3 }) as Record<
    string,
    Row
  >;
  const alone = reader(inputs, params, {}) as Record<string, Row>;
  const same = close(s!.slice(0, 7), alone['s']) && close(averageBeta!.slice(0, 3), alone['averageBeta']);
  return same && close(probability, alone['probability']) && s![7] === 0 && s![8] === 0 && averageBeta![3] === 0;
});

test('an empty document, an empty query, one word of the document', () => {
  const none = { data: new Int32Array(0), shape: [0] };
  for (const [more, options] of [
    [{ document: none }, {}],
    [{}, { documentLengths: 0 }],
    [{ query: none }, {}],
    [{}, { queryLengths: 0 }],
  ] as const) {
    const results = run({ ...inputs, ...more, answer: 2 }, params, options) as Record<string, Row>;
    for (const name of ['match', 'alpha', 'beta', 'averageBeta', 's', 'probability'])
      assert.ok(
        results[name]!.flat().every((value) => value === 0),
        name,
      );
    assert.deepEqual(results['words'], 'query' in more || 'queryLengths' in options ? [2, 4, 0, 5] : []);
    assert.equal(results['loss'], Infinity);
  }
  assert.ok(close(run({ ...inputs, document: [4] }, params, {})['s'], [1]));
});

test('a batch is its entries one by one, words padded with -1; nothing is left', () => {
  const batch = { document: [inputs.document, [3, 3, 1, 99, -1, 99, 99]], query: [[3, 1, 2], [0, 99, 99]], answer: [4, 1] }; // prettier-ignore
  const together = run(batch, params, { documentLengths: [7, 3], queryLengths: [3, 1] });
  assert.deepEqual((together['words'] as Matrix)[1], [3, 1, -1, -1]);
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
  leavesNothing(() => attentionOverAttention(fovea, inputs, params, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, own: object = params, options = {}) =>
    () =>
      attentionOverAttention(fovea, { ...inputs, ...more }, own as never, options);
  fails(
    'value',
    /attentionOverAttention: .*missing document\.weight_ih_l0; unexpected candidates$/,
    call({}, { ...params, 'document.weight_ih_l0': undefined, candidates: [1] }),
  );
  fails(
    'shape',
    /attentionOverAttention: query\.weight_ih_l0 must be \[3H, E\]/,
    call({}, { ...params, ...layerParams('query', 3, 2, H, 1, both) }),
  );
  fails('option', /attentionOverAttention: unknown input 'candidates'/, call({ candidates: [1] }));
  fails('value', /attentionOverAttention: document must be ids from 0 to 5, got 6 at position 1/, call({ document: [0, 6] }));
  fails('value', /attentionOverAttention: answer must be ids from 0 to 5, got -2/, call({ answer: -2 }));
  fails('shape', /documentLengths must have one number per batch entry/, call({}, params, { documentLengths: [1, 2] }));
  fails('value', /attentionOverAttention: documentLengths/, call({}, params, { documentLengths: 8 }));
});
