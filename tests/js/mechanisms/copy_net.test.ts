/** copyNet: its properties, each beside the wrong variant that it catches, state, empty sources, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyNet } from 'fovea/mechanisms';
import { reference, type Wrong } from '../reference/copy_net.ts';
import { layerParams, stepOf } from '../reference/equations/recurrent_layers.ts';
import { dot, random, sum, tanh, times, type Matrix, type Row } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(copyNet);
const property = properties<Wrong>(run, reference);
const [V, E, S, Hs, A] = [5, 2, 4, 3, 4];
const inputs = { source: random([6, Hs], 1), sourceIds: [3, 6, 3, 1, 5, 6], decoderIds: [3, 6, 0, 3] };
const params = {
  ...{ embedding: random([V, E], 2), Wa: random([S, A], 3), Ua: random([Hs, A], 4), va: random([A], 5, 2) },
  ...layerParams('decoder', 3, E + 2 * Hs, S, 6),
  ...{ Wo: random([S, V], 8, 2), Wc: random([Hs, S], 9, 3) },
};
const s = random([S], 10);
const copied = (row: Row, word: number): number => sum(row.filter((_, j) => inputs.sourceIds[j] === word));

test('copyNet agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...inputs, targets: [6, 5, 3, 0] }, params, {});
  assertAgree(run, reference(''), inputs, params, { sourceLengths: 4, unk: 1, oovCount: 4, initialState: { s } });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'copies count for UNK too',
    'two softmaxes',
    'all positions read',
    'read evenly',
    'copies go to UNK',
    '[e; c; ζ]',
    'padding counts',
    'state lost',
  ],
  (draw) => {
    const [Ts, Tt, words, width] = [draw.length(), draw.length(), draw.one(1, 2, 5, 9), draw.width()];
    const [states, Hs, A] = draw.widths(3);
    const length = draw.maybe() ? draw.integer(0, Ts) : Ts;
    const sourceIds = draw.integers(Ts, 0, words + 2);
    const oov = Math.max(0, ...sourceIds.slice(0, length).map((id) => id + 1 - words));
    const [more, count] = [draw.integer(0, 2), draw.maybe()];
    const last = words + oov + (count ? more : 0) - 1;
    const known = (): number => Math.min(last, draw.one(sourceIds[draw.integer(0, Ts - 1)]!, draw.integer(0, last)));
    return {
      inputs: {
        ...{ source: draw.numbers([Ts, Hs]), sourceIds, decoderIds: Array.from({ length: Tt }, known) },
        ...(draw.maybe() && { targets: Array.from({ length: Tt }, known) }),
      },
      params: {
        ...{ embedding: draw.numbers([words, width]), Wa: draw.numbers([states, A]), Ua: draw.numbers([Hs, A]) },
        ...{ va: draw.numbers([A], 2), ...layerParams('decoder', 3, width + 2 * Hs, states, draw.integer(1, 9999)) },
        ...{ Wo: draw.numbers([states, words], 2), Wc: draw.numbers([Hs, states], 2) },
      },
      options: {
        sourceLengths: length,
        ...(draw.maybe() && { unk: draw.integer(0, words - 1) }),
        ...(count && { oovCount: oov + more }),
        ...(draw.maybe() && { targetLengths: draw.integer(0, Tt) }),
        ...(draw.maybe() && { initialState: { s: draw.numbers([states]) } }),
      },
    };
  },
);

property('the distribution sums to 1', 'copies count for UNK too', (net) =>
  rowsSumToOne(net(inputs, params, {})['distribution']),
);

property('generating and copying compete in one softmax', 'two softmaxes', (net) => {
  const { generate, copy, states } = net(inputs, params, {}) as Record<string, Matrix>;
  return states!.every((s, t) => {
    const [psiG, psiC] = [times(s, params.Wo)[2]!, dot(tanh(times(inputs.source[1]!, params.Wc)), s)];
    return close(Math.log(generate![t]![2]!) - Math.log(copy![t]![1]!), psiG - psiC, 1e-5);
  });
});

property('only the places of the last word are read again', 'all positions read', (net) => {
  const { selectiveWeights } = net(inputs, params, { initialState: { s } }) as { selectiveWeights: Matrix };
  return selectiveWeights.every((row, t) => {
    const y = inputs.decoderIds[t]!;
    return close(sum(row), copied(row, y)) && close(sum(row), Number(inputs.sourceIds.includes(y)));
  });
});

property('they are read as much as they were copied', 'read evenly', (net) => {
  const { selectiveWeights, copy } = net(inputs, params, {}) as Record<string, Matrix>;
  return [1, 3].every((t) => {
    const [y, before] = [inputs.decoderIds[t]!, copy![t - 1]!];
    return close(
      selectiveWeights![t],
      before.map((p, j) => (inputs.sourceIds[j] === y ? p / copied(before, y) : 0)),
    );
  });
});

property('a word that the vocabulary lacks has its copies', 'copies go to UNK', (net) => {
  const { distribution, copy } = net(inputs, params, {}) as Record<string, Matrix>;
  return [V, V + 1].every((word) => distribution!.every((row, t) => close(row[word], copied(copy![t]!, word))));
});

property('the GRU reads the word, then ζ, then c', '[e; c; ζ]', (net) => {
  const { states, selectiveRead, context } = net(inputs, params, { initialState: { s } }) as Record<string, Matrix>;
  return close(states![0], stepOf(params, 'decoder', [...params.embedding[3]!, ...selectiveRead![0]!, ...context![0]!], s));
});

property('rows of weights sum to 1, padding has none', 'padding counts', (net) => {
  const { weights, copy } = net(inputs, params, { sourceLengths: 4 }) as Record<string, Matrix>;
  return rowsSumToOne(weights) && [...weights!, ...copy!].every((row) => row[4] === 0 && row[5] === 0);
});

property('T steps are T calls of one step', 'state lost', (net) => {
  const whole = net(inputs, params, {}) as Record<string, Matrix>;
  let initialState: unknown;
  const steps = inputs.decoderIds.map((id) => {
    const one = net({ ...inputs, decoderIds: [id] }, params, { ...(initialState !== undefined && { initialState }) });
    initialState = one['state'];
    return one as Record<string, Matrix>;
  });
  return Object.keys(steps[0]!).every(
    (name) =>
      name === 'state' ||
      close(
        steps.flatMap((one) => one[name]!),
        whole[name],
        0,
      ),
  );
});

test('an empty source: nothing is read or copied; no steps: the state is the initial one', () => {
  const none = { source: { data: new Float32Array(0), shape: [0, Hs] }, sourceIds: { data: new Int32Array(0), shape: [0] } };
  const noSteps = { data: new Int32Array(0), shape: [0] };
  for (const [more, options] of [
    [none, {}],
    [{}, { sourceLengths: 0 }],
  ] as const) {
    const all = { ...inputs, ...more, decoderIds: [3, 0] };
    const { distribution, generate, ...read } = run(all, params, options) as Record<string, Matrix>;
    assert.ok(close(distribution, generate, 0) && rowsSumToOne(distribution));
    for (const name of ['weights', 'copy', 'selectiveWeights', 'selectiveRead', 'context'])
      assert.ok(read[name]!.flat().every((value) => value === 0));
    const { state, states } = run({ ...all, decoderIds: noSteps }, params, { ...options, initialState: { s } });
    assert.deepEqual([state, states], [{ s }, []]);
  }
});

test('a batch is its entries one by one, whatever stands in the padding; nothing is left', () => {
  const huge = inputs.source.map((row, j) => (j < 2 ? row : row.map(() => 3e38)));
  const batch = {
    source: [inputs.source, huge],
    sourceIds: [inputs.sourceIds, [2, 5, -1, 99, 0, 0]],
    decoderIds: [inputs.decoderIds, [2, 5, 1, 0]],
  };
  const together = run(batch, params, { sourceLengths: [6, 2], oovCount: 2 });
  for (const b of [0, 1]) {
    const one = Object.fromEntries(Object.entries(batch).map(([name, list]) => [name, list[b]]));
    const { state, ...alone } = run(one, params, { sourceLengths: [6, 2][b], oovCount: 2 });
    for (const [name, result] of Object.entries(alone)) assert.deepEqual((together[name] as unknown[])[b], result, name);
    assert.deepEqual((together['state'] as { s: Matrix }).s[b], (state as { s: Row }).s);
  }
  leavesNothing(() => copyNet(fovea, inputs, params, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (more: object, options: object = {}, own: object = params) =>
    () =>
      copyNet(fovea, { ...inputs, ...more }, own as never, options);
  fails(
    'value',
    /copyNet: .*missing decoder\.weight_hh_l0, Wc; unexpected decoder\.weight_hh_l1$/,
    call({}, {}, { ...params, 'decoder.weight_hh_l0': undefined, Wc: undefined, 'decoder.weight_hh_l1': [[1]] }),
  );
  fails(
    'shape',
    /copyNet: decoder\.weight_ih_l0 must be \[3S, E\+2Hs\]/,
    call({}, {}, { ...params, ...layerParams('decoder', 3, E + Hs, S, 1) }),
  );
  fails('value', /copyNet: decoderIds must be ids from 0 to 6, got 7 at position 1/, call({ decoderIds: [0, 7] }));
  fails('value', /copyNet: sourceIds must be ids from 0 to 5, got 6/, call({}, { oovCount: 1 }));
  fails('value', /copyNet: targets must be ids from 0 to 6, got 7 at step 0/, call({ targets: [7, 0, 0, 0] }));
  fails('shape', /copyNet: targets must be \[Tt\] = \[4\], got \[2\]/, call({ targets: [1, 1] }));
  fails('value', /copyNet: unk must be an integer from 0 to 4, got 5/, call({}, { unk: 5 }));
  fails('shape', /copyNet: initialState\.s must be \[4\], got \[1\]/, call({}, { initialState: { s: [1] } }));
  fails('value', /copyNet: sourceLengths/, call({}, { sourceLengths: 7 }));
});
