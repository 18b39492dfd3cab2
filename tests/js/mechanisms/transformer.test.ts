/** transformer: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, toNested } from 'fovea';
import { transformer } from 'fovea/mechanisms';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { close, nested, properties, rowsSumToOne, type Run } from '../support/mechanism_properties.ts';
import { plus, random, scaled, softmax, dot, timesOuter, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { positionRow, reference, transformerParams, type Wrong } from '../reference/transformer.ts';

const [E, heads] = [8, 2];
const params = transformerParams({ E, F: 6, Vs: 7, Vt: 9, layers: 2 });
const inputs = { source: [3, 1, 4, 1, 6], target: [0, 5, 8, 2] };
const run = nested(transformer);
const property = properties<Wrong>(run, reference);

/** float32 through four layers of norms. */
const LOOSE = 2e-5;

test('the transformer agrees with its definition in double', () => {
  for (const options of [{ heads }, { heads: 4, positions: 'none' }, { heads: 1, sourceLengths: 3 }]) {
    const got = run(inputs, params, options);
    const { state, ...want } = reference('')(inputs, params, options);
    for (const [name, one] of Object.entries(want)) assert.ok(close(got[name], one, LOOSE), name);
    assert.equal((got['state'] as { length: number }).length, (state as { length: number }).length);
  }
});

/** The first ids of the target in a call of their own, where `first` is above 0. */
const inParts =
  (one: Run): Run =>
  (inputs, params, { first = 0, ...options }) => {
    const target = inputs['target'] as Row;
    const [before, after] = [target.slice(0, first as number), target.slice(first as number)];
    const initialState = before.length > 0 ? one({ ...inputs, target: before }, params, options)['state'] : undefined;
    const { state, ...results } = one({ ...inputs, target: after }, params, { ...options, initialState });
    return { ...results, length: (state as { length: number }).length };
  };

agreesOnDrawnCalls(
  inParts(run),
  (wrong) => inParts(reference(wrong)),
  [
    ...(['positions restart', 'decoder not causal', 'not scaled', 'embedding not scaled', 'split-half positions'] as const),
    ...(['source padding attended', 'final norms left out'] as const),
  ],
  (draw): DrawnCall => {
    const [heads, S, T] = [draw.integer(1, 3), draw.one(1, 2, 3, 5), draw.one(1, 2, 3, 4)];
    const sizes = { E: heads * draw.one(1, 2, 3, 4), F: draw.width(), Vs: draw.width(), Vt: draw.width() };
    const [encoder, decoder] = [draw.integer(1, 2), draw.integer(1, 2)];
    const drawn = Object.entries(transformerParams({ ...sizes, layers: 2 }, draw.integer(1, 2 ** 20)));
    const isThere = ([name]: [string, unknown]): boolean =>
      (encoder === 2 || !name.startsWith('encoder.layers.1')) && (decoder === 2 || !name.startsWith('decoder.layers.1'));
    const target = draw.integers(T, 0, sizes.Vt - 1);
    return {
      inputs: { source: draw.maybe() ? draw.numbers([S, sizes.E], 2) : draw.integers(S, 0, sizes.Vs - 1), target },
      params: Object.fromEntries(drawn.filter(isThere)),
      options: {
        ...{ heads, first: draw.integer(0, T - 1) },
        ...(draw.maybe() && { positions: draw.one('sinusoidal', 'none') }),
        ...(draw.maybe() && { sourceLengths: draw.integer(0, S) }),
      },
    };
  },
);

property('calls of one token with the state passed on give the rows of one call', 'positions restart', (transformer) => {
  const whole = transformer(inputs, params, { heads });
  let state: unknown;
  const rows = inputs.target.map((id) => {
    const step = transformer(state ? { target: [id] } : { ...inputs, target: [id] }, params, { heads, initialState: state });
    ({ state } = step);
    return (step['logits'] as Matrix)[0]!;
  });
  return close(rows, whole['logits'], LOOSE);
});

property('a row of logits does not depend on later ids', 'decoder not causal', (transformer) => {
  const [a, b] = [
    [0, 5, 8, 2],
    [0, 5, 1, 7],
  ].map((target) => transformer({ ...inputs, target }, params, { heads })['logits']);
  return close((a as Matrix).slice(0, 2), (b as Matrix).slice(0, 2), 0) && !close((a as Matrix)[2], (b as Matrix)[2]);
});

property('the first weights are softmax(q kᵀ / √(E / heads))', 'not scaled', (transformer) => {
  const source = random([4, E], 60);
  const { encoderWeights } = transformer({ ...inputs, source }, params, { heads, positions: 'none' });
  const project = (part: number): Matrix => {
    const [W, b] = ['weight', 'bias'].map((name) => params[`encoder.layers.0.self_attn.in_proj_${name}`]) as [Matrix, Row];
    return source.map((x) => plus(timesOuter(W.slice(part * E, (part + 1) * E), x), b.slice(part * E, (part + 1) * E)));
  };
  const [q, k] = [project(0), project(1)].map((rows) => rows.map((row) => row.slice(0, E / heads))) as [Matrix, Matrix];
  const want = q.map((query) => softmax(k.map((key) => dot(query, key) / Math.sqrt(E / heads))));
  const [first] = (encoderWeights as Matrix[][])[0]!;
  return close(first, want, LOOSE) && rowsSumToOne(first);
});

property('vectors of the table times √E stand for ids', 'embedding not scaled', (transformer) => {
  const source = inputs.source.map((id) => scaled(params['sourceEmbedding.weight']![id] as Row, Math.sqrt(E)));
  return close(
    transformer({ ...inputs, source }, params, { heads })['memory'],
    transformer(inputs, params, { heads })['memory'],
    LOOSE,
  );
});

property('vectors that undo interleaved positions have one memory', 'split-half positions', (transformer) => {
  const source = [0, 1, 2, 3].map((p) => scaled(positionRow(p, E), -1));
  const { memory } = transformer({ ...inputs, source }, params, { heads });
  return (memory as Matrix).every((row) => close(row, (memory as Matrix)[0], LOOSE));
});

property('padding of the source does not show', 'source padding attended', (transformer) => {
  const padded = transformer({ ...inputs, source: [3, 1, 4, 2, 5] }, params, { heads, sourceLengths: 3 });
  const alone = transformer({ ...inputs, source: [3, 1, 4] }, params, { heads });
  return close(padded['logits'], alone['logits'], LOOSE);
});

property('a final norm with weight 0 leaves its bias', 'final norms left out', (transformer) => {
  const { memory } = transformer(inputs, { ...params, 'encoder.norm.weight': zeros(E) }, { heads });
  return (memory as Matrix).every((row) => close(row, params['encoder.norm.bias']));
});

test('without positions equal tokens have equal memory, in the same bits', () => {
  const { memory } = run(inputs, params, { heads, positions: 'none' }) as { memory: Matrix };
  assert.deepEqual(memory[1], memory[3]);
  assert.notDeepEqual((run(inputs, params, { heads }) as { memory: Matrix }).memory[1], memory[3]);
});

test('a batch is its entries cut to their lengths; ids of padding may be any integers', () => {
  const source = [inputs.source, [2, 0, -7, 99, 99]];
  const target = [inputs.target, [4, 1, -1, 50]];
  const targets = [
    [5, 8, 2, 1],
    [1, 3, -1, -1],
  ];
  const both = run({ source, target, targets }, params, { heads, sourceLengths: [5, 2], targetLengths: [4, 2] });
  const other = run({ source: [2, 0], target: [4, 1], targets: [1, 3] }, params, { heads });
  const cut = (name: string): Matrix => ((both[name] as Matrix[])[1] as Matrix).slice(0, 2);
  for (const name of ['memory', 'logits', 'probability']) assert.ok(close(cut(name), other[name], LOOSE), name);
  assert.ok(close((both['loss'] as Row)[1], other['loss'], LOOSE));
  assert.equal((both['next'] as Row)[1], other['next']);
  assert.equal(both['state'], undefined);
  assert.ok(
    (both['logits'] as Matrix[])[1]!
      .slice(2)
      .flat()
      .every((x) => x === 0),
  );
});

test('the empty cases: no source, no target, one token of each', () => {
  const empty = run({ ...inputs, source: [] }, params, { heads });
  const padded = run(inputs, params, { heads, sourceLengths: 0 });
  assert.ok(close(empty['logits'], padded['logits'], LOOSE));
  const none = transformer(fovea, { ...inputs, target: [], targets: [] }, params, { heads });
  assert.deepEqual([none.logits.shape, none.next.data[0], none.loss!.data[0]], [[0, 9], -1, 0]);
  assert.deepEqual(none.state!.keys.shape, [2, heads, 0, E / heads]);
  const one = run({ source: [1], target: [2] }, params, { heads });
  for (const name of ['encoderWeights', 'decoderWeights', 'crossWeights'])
    assert.ok(
      (one[name] as unknown[]).flat(4).every((weight) => weight === 1),
      name,
    );
});

test('nested params, Tensors of vectors, a trace: nothing else is left', () => {
  const deep: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    const path = name.split('.');
    path.slice(0, -1).reduce((at, part) => (at[part] ??= {}) as Record<string, unknown>, deep)[path.at(-1)!] = value;
  }
  leavesNothing(() => {
    const { logits, trace } = transformer(fovea, inputs, deep as never, { heads, trace: true });
    assert.deepEqual(toNested(logits), run(inputs, params, { heads })['logits']);
    assert.deepEqual(trace!.find(({ name }) => name === 'crossWeights')!.axes, ['layer', 'head', 'query', 'key']);
  });
  const source = fovea.tensor(random([3, E], 70));
  const { memory, state } = transformer(fovea, { ...inputs, source }, params, { heads });
  assert.ok(memory instanceof Tensor && state!.keys instanceof Tensor);
  transformer(fovea, { target: [1] }, params, { heads, initialState: state });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (change: object, options: object = { heads }, own: object = params) =>
    () =>
      transformer(fovea, { ...inputs, ...change } as never, own as never, options as never);
  const { 'generator.bias': _, 'decoder.layers.1.norm3.bias': __, ...rest } = params;
  fails(
    'value',
    /missing decoder\.layers\.1\.norm3\.bias; unexpected decoder\.layers\.0\.gate, W$/,
    call({}, { heads }, { ...rest, 'decoder.layers.0.gate': [1], W: [1] }),
  );
  fails(
    'value',
    /missing .*encoder\.layers\.0\.self_attn\.in_proj_weight.*decoder\.layers\.0\.norm3\.bias/,
    call({}, { heads }, {}),
  );
  fails('value', /transformer: heads must divide E = 8, got 3/, call({}, { heads: 3 }));
  fails('value', /transformer: heads must be an integer/, call({}, {}));
  fails('value', /source must be ids from 0 to 6, got 7 at position 1/, call({ source: [1, 7] }));
  fails('value', /target must be ids from 0 to 8, got -1 at position 0/, call({ target: [-1] }));
  fails('value', /targets must be ids from 0 to 8, got 9/, call({ target: [1], targets: [9] }));
  fails(
    'shape',
    /linear1\.weight must be \[F, E\]/,
    call({}, { heads }, { ...params, 'encoder.layers.0.linear1.weight': [[1]] }),
  );
  fails('value', /inputs must have source/, call({ source: undefined }));
  const { state } = transformer(fovea, inputs, params, { heads });
  const next = { source: undefined, target: [1] };
  fails(
    'option',
    /targetLengths cannot be combined with initialState/,
    call(next, { heads, targetLengths: 1, initialState: state }),
  );
  fails('value', /initialState must have values/, call(next, { heads, initialState: { ...state, values: undefined } }));
  fails(
    'value',
    /initialState\.length must be the tokens of keys and values, 4/,
    call(next, { heads, initialState: { ...state, length: 3 } }),
  );
  fails(
    'shape',
    /initialState\.keys must be \[2, 4, n, 2\], got \[2, 2, 4, 4\]/,
    call(next, { heads: 4, initialState: state }),
  );
});
