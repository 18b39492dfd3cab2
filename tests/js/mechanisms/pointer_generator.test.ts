/** pointerGenerator: its properties, each beside the wrong variant that it catches, state, empty sources, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointerGenerator } from 'fovea/mechanisms';
import { dot, plus, random, sigmoid, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/pointer_generator.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(pointerGenerator);
const property = properties<Wrong>(run, reference);
const [Ts, Tt, Hs, S, E, A, P, V] = [5, 4, 3, 3, 2, 4, 3, 6];
const sourceIds = [2, 7, 2, 0, 6];
const inputs = { source: random([Ts, Hs], 1), sourceIds, decoder: random([Tt, S], 2), decoderInputs: random([Tt, E], 3) };
const vocabulary = { V: random([S + Hs, P], 4), b: random([P], 5), Vprime: random([P, V], 6), bprime: random([V], 7) };
const attention = { Wh: random([Hs, A], 8), Ws: random([S, A], 9), v: random([A], 10), battn: random([A], 11) };
const pointer = { whstar: random([Hs], 12), ws: random([S], 13), wx: random([E], 14), bptr: 0.25 };
const plain = { ...attention, ...vocabulary, ...pointer };
const params = { ...plain, wc: random([A], 15, 2) };
const step = (t: number): object => ({ ...inputs, decoder: [inputs.decoder[t]], decoderInputs: [inputs.decoderInputs[t]] });

test('pointerGenerator agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, targets: [7, 1, 2, 0] }, params, { lambda: 0.5 });
  assertAgree(run, reference(''), { ...inputs, targets: [0, 1, 2, 8] }, plain, { sourceLengths: 3, oovCount: 3 });
  const { source, decoder } = inputs;
  assertAgree(
    run,
    reference(''),
    { source, decoder, targets: [0, 1, 2, 3] },
    { ...attention, ...vocabulary },
    { pointer: false },
  );
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'nothing copied',
    'the last position overwrites',
    'no wx',
    'p_gen and 1 - p_gen exchanged',
    'the current row counted',
    '[h*; s]',
    'coverage without wc',
    'padding counts',
    'state.coverage lost',
  ],
  (draw) => {
    const [Ts, Tt] = draw.lengths(2);
    const [Hs, S, E, A, P, V] = draw.widths(6);
    const [pointer, covers, length] = [draw.integer(0, 3) > 0, draw.maybe(), draw.maybe() ? draw.integer(1, Ts) : Ts];
    const sourceIds = draw.integers(Ts, 0, V + 2);
    const oov = Math.max(0, ...sourceIds.slice(0, length).map((id) => id + 1 - V));
    // Words that the source lacks and the vocabulary has not have probability 0, and no loss.
    const targets = Array.from({ length: Tt }, () =>
      pointer ? draw.one(sourceIds[0]!, draw.integer(0, V - 1)) : draw.integer(0, V - 1),
    );
    const copying = () => ({
      ...{ whstar: draw.numbers([Hs]), ws: draw.numbers([S]), wx: draw.numbers([E]), bptr: 0.3125 },
    });
    return {
      inputs: {
        ...{ source: draw.numbers([Ts, Hs]), decoder: draw.numbers([Tt, S]) },
        ...(pointer && { sourceIds, decoderInputs: draw.numbers([Tt, E]) }),
        ...(draw.maybe() && { targets }),
      },
      params: {
        ...{ Wh: draw.numbers([Hs, A]), Ws: draw.numbers([S, A]), v: draw.numbers([A]), battn: draw.numbers([A]) },
        ...{ V: draw.numbers([S + Hs, P]), b: draw.numbers([P]), Vprime: draw.numbers([P, V]), bprime: draw.numbers([V]) },
        ...(pointer && copying()),
        ...(covers && { wc: draw.numbers([A], 2) }),
      },
      options: {
        ...{ pointer, sourceLengths: length },
        ...(pointer && draw.maybe() && { oovCount: oov + draw.integer(0, 2) }),
        ...(covers && draw.maybe() && { initialState: { coverage: draw.numbers([Ts]).map(Math.abs) } }),
        ...(draw.maybe() && { lambda: draw.one(0, 0.5, 2) }),
      },
    };
  },
);

property('the distribution sums to 1', 'nothing copied', (generator) =>
  rowsSumToOne(generator(inputs, params, {})['distribution']),
);

property('each word has its share of the vocabulary and of all its positions', 'the last position overwrites', (generator) => {
  const { distribution, pGen, pVocab, weights } = generator(inputs, params, {}) as Record<string, Matrix> & { pGen: Row };
  return distribution!.every((row, t) =>
    row.every((p, w) => {
      const copied = sourceIds.reduce((sum, id, i) => sum + (id === w ? weights![t]![i]! : 0), 0);
      return close(p, pGen[t]! * (pVocab![t]![w] ?? 0) + (1 - pGen[t]!) * copied);
    }),
  );
});

property('p_gen reads h*, s and x', 'no wx', (generator) => {
  const { pGen, context } = generator(inputs, params, {}) as { pGen: Row; context: Matrix };
  const { whstar, ws, wx, bptr } = pointer;
  return close(
    pGen,
    context.map(
      (h, t) => sigmoid([dot(whstar, h) + dot(ws, inputs.decoder[t]!) + dot(wx, inputs.decoderInputs[t]!) + bptr])[0],
    ),
  );
});

property('p_gen = 1 generates alone', 'p_gen and 1 - p_gen exchanged', (generator) => {
  const { distribution, pVocab } = generator(inputs, { ...params, bptr: 1000 }, {}) as Record<string, Matrix>;
  return close(
    distribution,
    pVocab!.map((row) => [...row, 0, 0]),
  );
});

property('coverage is the sum of the rows before, its loss the overlap', 'the current row counted', (generator) => {
  const { coverage, coverageLoss, weights } = generator(inputs, params, {}) as Record<string, Matrix> & { coverageLoss: Row };
  return weights!.every((row, t) => {
    const before = plus(zeros(Ts), ...weights!.slice(0, t));
    return (
      close(coverage![t], before) &&
      close(
        coverageLoss[t],
        row.reduce((sum, a, i) => sum + Math.min(a, before[i]!), 0),
      )
    );
  });
});

property('without the rows of h* in V the vocabulary does not see the source', '[h*; s]', (generator) => {
  const V = vocabulary.V.map((row, n) => (n < S ? row : zeros(P)));
  const of = (source: Matrix): unknown => generator({ ...inputs, source }, { ...params, V }, {})['pVocab'];
  return close(of(inputs.source), of(random([Ts, Hs], 20)), 0);
});

property('wc = 0 is no wc', 'coverage without wc', (generator) => {
  const [zero, none] = [generator(inputs, { ...plain, wc: zeros(A) }, {}), generator(inputs, plain, {})];
  return ['weights', 'context', 'distribution'].every((name) => close(zero[name], none[name]));
});

property('rows of weights sum to 1, padding has none', 'padding counts', (generator) => {
  const { weights } = generator(inputs, params, { sourceLengths: 3 }) as { weights: Matrix };
  return rowsSumToOne(weights) && weights.every((row) => row[3] === 0 && row[4] === 0);
});

property('T steps are T calls of one step', 'state.coverage lost', (generator) => {
  const whole = generator(inputs, params, { oovCount: 2 }) as Record<string, unknown[]>;
  let initialState: unknown;
  const steps = [0, 1, 2, 3].map((t) => {
    const one = generator(step(t) as never, params, { oovCount: 2, ...(initialState !== undefined && { initialState }) });
    initialState = one['state'];
    return one as Record<string, unknown[]>;
  });
  const names = ['weights', 'context', 'pVocab', 'pGen', 'coverage', 'coverageLoss', 'distribution'];
  return (
    names.every((name) =>
      close(
        steps.flatMap((one) => one[name]!),
        whole[name],
        0,
      ),
    ) && close((initialState as { coverage: Row }).coverage, (whole['state'] as unknown as { coverage: Row }).coverage, 0)
  );
});

test('an empty source: nothing to copy; no step: the state is the initial one', () => {
  const results = run(inputs, params, { sourceLengths: 0 }) as Record<string, Matrix> & { pGen: Row };
  assert.ok([...results['weights']!.flat(), ...results['context']!.flat()].every((value) => value === 0));
  assert.ok(
    close(
      results['distribution']!.map((row) => row.reduce((sum, p) => sum + p, 0)),
      results.pGen,
    ),
  );
  assert.equal(results['distribution']![0]!.length, V);
  const none = (width: number): object => ({ data: new Float32Array(0), shape: [0, width] });
  const coverage = random([Ts], 30);
  const { state, distribution } = pointerGenerator(
    fovea,
    { ...inputs, decoder: none(S), decoderInputs: none(E) } as never,
    params,
    { initialState: { coverage } },
  );
  assert.ok(close([...state!.coverage.data], coverage, 0) && distribution.shape[0] === 0);
});

test('a batch is its entries one by one, ids of padding are free; nothing is left', () => {
  const batch = Object.fromEntries(
    Object.entries(inputs).map(([name, one]) => [name, [one, name === 'sourceIds' ? [1, 6, -9, 99, 99] : one]]),
  );
  const together = run({ ...batch, targets: [[1, 2, 3, 4], [6, 0, 0, 1]] }, params, { sourceLengths: [5, 2], targetLengths: [4, 0], oovCount: 2 }); // prettier-ignore
  for (const b of [0, 1]) {
    const one = Object.fromEntries(Object.entries(batch).map(([name, list]) => [name, list[b]]));
    const options = { sourceLengths: [5, 2][b], targetLengths: [4, 0][b], oovCount: 2 };
    const { state, ...alone } = run({ ...one, targets: [[1, 2, 3, 4], [6, 0, 0, 1]][b] }, params, options); // prettier-ignore
    for (const [name, result] of Object.entries(alone)) assert.deepEqual((together[name] as unknown[])[b], result, name);
    assert.deepEqual((together['state'] as { coverage: Matrix }).coverage[b], (state as { coverage: Row }).coverage);
  }
  leavesNothing(() => pointerGenerator(fovea, inputs, params, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, options: object = {}, own: object = params) =>
    () =>
      pointerGenerator(fovea, { ...inputs, ...more }, own as never, options);
  fails(
    'value',
    /pointerGenerator: .*missing whstar, ws, wx, bptr; unexpected U$/,
    call({}, {}, { ...attention, ...vocabulary, U: [1] }),
  );
  fails('value', /pointerGenerator: inputs must have sourceIds/, call({ sourceIds: undefined }));
  fails('shape', /pointerGenerator: V must be \[S\+Hs, P\], got \[5, 3\]/, call({}, {}, { ...params, V: random([5, P], 1) }));
  fails('value', /pointerGenerator: sourceIds must be ids from 0 to 6, got 7 at position 1/, call({}, { oovCount: 1 }));
  fails('value', /pointerGenerator: sourceIds must be ids from 0 to .*, got -1/, call({ sourceIds: [-1, 0, 0, 0, 0] }));
  fails('value', /pointerGenerator: targets must be ids from 0 to 7, got 8 at step 3/, call({ targets: [0, 0, 0, 8] }));
  fails(
    'option',
    /pointerGenerator: oovCount cannot be combined with pointer: false/,
    call({}, { pointer: false, oovCount: 0 }),
  );
  fails('value', /pointerGenerator: pointer must be true or false, got 0/, call({}, { pointer: 0 }));
  fails('value', /pointerGenerator: lambda must be a finite number/, call({}, { lambda: NaN }));
  fails('option', /pointerGenerator: unknown state 'coverage'/, call({}, { initialState: { coverage: zeros(Ts) } }, plain));
});
