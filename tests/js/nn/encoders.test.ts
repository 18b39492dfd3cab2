/**
 * TransformerEncoder with rotary positions, gated feed-forwards, RMS norms, windows and biases apart, over sequences of several lengths without
 * padding: against its equations in double, tests/js/reference/models/encoder_layers.ts. The bounds: tests/js/support/model_bounds.ts.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NDArray } from 'fovea';
import { TransformerEncoder, TransformerEncoderLayer, type TransformerEncoderOptions } from 'fovea/nn';
import { pattern } from 'fovea/pattern';
import { bias, score } from 'fovea/score';
import { encoderStates, rowsFrom, type EncoderSettings } from '../reference/models/encoder_layers.ts';
import { frequenciesOf } from '../reference/models/parts.ts';
import { fails, fovea, leavesNothing, same } from '../support/api.ts';
import { assertNear, expectedNumbers, flat, type ExpectedNumbers } from '../support/model_bounds.ts';
import { TestRandom } from '../support/truth_random.ts';

type Weights = Map<string, NDArray>;

const LENGTHS = [1, 3, 5, 63, 65];
const ROWS = LENGTHS.reduce((sum, length) => sum + length, 0);
const SIZES = { numLayers: 3, dModel: 24, nHead: 3, dimFeedforward: 13 } as const;
const { numLayers: _, ...LAYER } = SIZES;

/** Options, and what the equations make of them. */
interface Kind {
  readonly options: Partial<TransformerEncoderOptions>;
  readonly settings: Partial<EncoderSettings>;
}

const rope = (base: number, width: number, interleaved: boolean): EncoderSettings['rope'] => ({
  ...{ frequencies: frequenciesOf(base, width), interleaved },
});

const KINDS: Readonly<Record<string, Kind>> = {
  'PyTorch, post-norm': { options: {}, settings: { activation: 'relu' } },
  'silu, pre-norm, a last norm': {
    options: { activation: 'silu', normFirst: true, finalNorm: true },
    settings: { activation: 'silu', normFirst: true },
  },
  'RMS norms behind the sums, tanh': {
    options: { norm: 'rms', activation: 'tanh', layerNormEps: 1e-3, finalNorm: true },
    settings: { norm: 'rms', activation: 'tanh', eps: 1e-3 },
  },
  'gated, RMS norms, rotary positions, windows by layer': {
    options: { norm: 'rms', gated: true, normFirst: true, rope: {}, window: [null, [2, 1], [0, -1]], finalNorm: true },
    settings: {
      ...{ norm: 'rms', gated: true, normFirst: true, activation: 'silu', rope: rope(10000, 8, false) },
      windows: [null, [2, 1], [0, -1]],
    },
  },
  'gated with gelu, half of each head rotated in pairs, one window': {
    options: {
      ...{ gated: true, activation: 'gelu', rope: { base: 100, rotaryWidth: 4, interleaved: true }, window: [3, 4] },
      ...{ attentionBias: false, feedForwardBias: false },
    },
    settings: { gated: true, activation: 'gelu', rope: rope(100, 4, true), windows: Array(3).fill([3, 4]) },
  },
  'biases of attention alone, a window of every second layer': {
    options: { bias: false, attentionBias: true, window: (layer) => (layer % 2 === 0 ? null : [4, 4]) },
    settings: { activation: 'relu', windows: [null, [4, 4], null] },
  },
  'biases of norms and of the feed-forward alone': {
    options: { bias: false, feedForwardBias: true, normBias: true, normFirst: true },
    settings: { activation: 'relu', normFirst: true },
  },
};

const settingsOf = ({ settings }: Kind): EncoderSettings => ({
  ...{ layers: SIZES.numLayers, heads: SIZES.nHead, activation: 'relu', gated: false, norm: 'layer', eps: 1e-5 },
  ...{ normFirst: false, windows: [], rope: null, ...settings },
});

/** Weights near what a trained network has: norms around 1, sums of variance 1. */
function drawn(encoder: TransformerEncoder): Weights {
  const random = new TestRandom(11);
  return new Map(
    [...encoder.stateDict()].map(([name, { shape }]) => {
      if (shape.length > 1) return [name, random.normals(shape, 1 / Math.sqrt(shape[1]!))];
      const array = random.normals(shape, 0.2);
      return [name, name.endsWith('weight') ? { ...array, data: array.data.map((x) => 1 + x) } : array];
    }),
  );
}

/** An encoder with drawn weights, and these by the names that the equations use. */
function made({ options }: Kind, more: Partial<TransformerEncoderOptions> = {}): [TransformerEncoder, Weights] {
  const encoder = new TransformerEncoder(fovea, { ...SIZES, ...options, ...more, seed: 1 });
  const weights = drawn(encoder);
  encoder.loadStateDict(weights);
  return [encoder, new Map([...weights].map(([name, array]) => [name.replace('in_proj_', 'in_proj.'), array]))];
}

/** x, and its sequences one by one. */
function input(lengths: readonly number[] = LENGTHS, width: number = SIZES.dModel): { x: NDArray; parts: NDArray[] } {
  const x = new TestRandom(3).normals([lengths.reduce((sum, length) => sum + length, 0), width]);
  let first = 0;
  const parts = lengths.map((length) => {
    const data = x.data.slice(first * width, (first + length) * width);
    first += length;
    return { data, shape: [length, width] };
  });
  return { x, parts };
}

/** The states of each sequence. */
const expected = (weights: Weights, settings: EncoderSettings, sequences: readonly NDArray[]): ExpectedNumbers[][] =>
  sequences.map(({ data }) =>
    expectedNumbers(weights, (parts) => encoderStates(parts, settings, rowsFrom(data, SIZES.dModel)).map(flat)),
  );

/** The parts of rows by `lengths`. */
function split({ data }: NDArray, lengths: readonly number[] = LENGTHS, width: number = SIZES.dModel): Float32Array[] {
  let first = 0;
  return lengths.map((length) => data.slice(first * width, (first += length) * width));
}

describe('encoders are their equations, sequences of several lengths in one call', () => {
  for (const [name, kind] of Object.entries(KINDS))
    test(name, () =>
      leavesNothing(() => {
        const [encoder, weights] = made(kind);
        const { x, parts } = input();
        const want = expected(weights, settingsOf(kind), parts);
        const states = encoder.hiddenStates(x, { lengths: LENGTHS });
        assert.equal(states.length, SIZES.numLayers + 1);
        states.forEach((state, layer) => {
          assert.deepEqual(state.shape, [ROWS, SIZES.dModel]);
          split(state).forEach((rows, n) => assertNear(rows, want[n]![layer]!, `${LENGTHS[n]} tokens, state ${layer}`));
        });
        const together = encoder.forward(x, { lengths: Int32Array.from(LENGTHS) });
        same(together.data, states.at(-1)!.data);
        split(together).forEach((rows, n) => same(rows, encoder.forward(parts[n]!).data));
        fovea.scope(() => same(encoder.forward(fovea.tensor(x), { lengths: LENGTHS }).toArray().data, together.data));
        encoder.dispose();
      }),
    );

  test('a wrong equation is seen: each kind with the rules of another', () => {
    const wrong: readonly (readonly [string, Partial<EncoderSettings>])[] = [
      ['PyTorch, post-norm', { normFirst: true }],
      ['silu, pre-norm, a last norm', { activation: 'gelu' }],
      ['RMS norms behind the sums, tanh', { eps: 1e-5 }],
      ['gated, RMS norms, rotary positions, windows by layer', { windows: [null, [2, 1], null] }],
      ['gated, RMS norms, rotary positions, windows by layer', { rope: null }],
      ['gated with gelu, half of each head rotated in pairs, one window', { rope: rope(100, 4, false) }],
      ['gated with gelu, half of each head rotated in pairs, one window', { rope: rope(100, 8, true) }],
      ['biases of attention alone, a window of every second layer', { windows: [[4, 4], null, [4, 4]] }],
    ];
    for (const [name, changes] of wrong) {
      const kind = KINDS[name]!;
      const [encoder, weights] = made(kind);
      const { x, parts } = input([63]);
      const [states] = expected(weights, { ...settingsOf(kind), ...changes }, parts);
      const { want, bound } = states!.at(-1)!;
      const got = encoder.forward(x).data;
      encoder.dispose();
      const error = Math.max(...want.map((value, n) => Math.abs(value - got[n]!)));
      assert.ok(error > bound, `${name}, ${JSON.stringify(changes)}: error ${error}, bound ${bound}`);
    }
  });

  test('in a batch of one length, too', () => {
    for (const [name, kind] of Object.entries(KINDS)) {
      const [encoder, weights] = made(kind);
      const { x, parts } = input([9, 9]);
      const want = expected(weights, settingsOf(kind), parts);
      const got = encoder.forward({ data: x.data, shape: [2, 9, SIZES.dModel] });
      split(got, [9, 9]).forEach((rows, n) => assertNear(rows, want[n]!.at(-1)!, `${name}, sequence ${n}`));
      encoder.dispose();
    }
  });
});

describe('names and shapes of weights', () => {
  test('biases stand where they were asked for, in the order of PyTorch', () => {
    const names = (options: Partial<TransformerEncoderOptions>): string[] => {
      using encoder = new TransformerEncoder(fovea, { ...SIZES, numLayers: 1, ...options, seed: 1 });
      return [...encoder.stateDict().keys()].map((name) => name.replace('layers.0.', ''));
    };
    const all = ['self_attn.in_proj_weight', 'self_attn.in_proj_bias', 'self_attn.out_proj.weight', 'self_attn.out_proj.bias'];
    const [feedForward, norms] = [
      ['linear1', 'linear2'],
      ['norm1', 'norm2'],
    ].map((list) => list.flatMap((name) => [`${name}.weight`, `${name}.bias`]));
    const weights = (list: readonly string[]): string[] => list.filter((name) => !name.endsWith('bias'));
    const without = weights([...all, ...feedForward!, ...norms!]);
    assert.deepEqual(names({ finalNorm: true }), [...all, ...feedForward!, ...norms!, 'norm.weight', 'norm.bias']);
    assert.deepEqual(names({ bias: false }), without);
    assert.deepEqual(names({ norm: 'rms', finalNorm: true }), [...without, 'norm.weight']);
    assert.deepEqual(names({ bias: false, attentionBias: true }), [...all, ...weights([...feedForward!, ...norms!])]);
    assert.deepEqual(names({ norm: 'rms', bias: true }), [...all, ...feedForward!, ...weights(norms!)]);
    assert.deepEqual(names({ attentionBias: false, feedForwardBias: false }), [
      ...weights([...all, ...feedForward!]),
      ...norms!,
    ]);
    assert.deepEqual(names({ normBias: false }), [...all, ...feedForward!, ...weights(norms!)]);
  });

  test('gated, linear1 has up before gate', () => {
    using layer = new TransformerEncoderLayer(fovea, { ...LAYER, gated: true, seed: 1 });
    const weights = layer.stateDict();
    assert.deepEqual([weights.get('linear1.weight')!.shape, weights.get('linear2.weight')!.shape], [[26, 24], [24, 13]]); // prettier-ignore
  });
});

describe('sequences without padding', () => {
  test('in int8 a sequence has the same bits alone and among others, however short', () => {
    for (const inputs of ['fast', 'precise'] as const) {
      const [drawnOnce] = made(KINDS['silu, pre-norm, a last norm']!);
      using encoder = new TransformerEncoder(fovea, { ...SIZES, ...KINDS['silu, pre-norm, a last norm']!.options });
      encoder.loadStateDict(drawnOnce.stateDict(), { dtype: 'int8', inputs });
      drawnOnce.dispose();
      leavesNothing(() => {
        const { x, parts } = input();
        const states = encoder.hiddenStates(x, { lengths: LENGTHS });
        parts.forEach((part, n) => {
          const lengths = [LENGTHS[n]!];
          same(encoder.forward(part, { lengths }).data, split(states.at(-1)!)[n]!);
          encoder.hiddenStates(part, { lengths }).forEach((state, at) => same(state.data, split(states[at]!)[n]!));
        });
        const first = encoder.forward(parts[0]!).data;
        const isSame = first.every((value, i) => value === split(states.at(-1)!)[0]![i]);
        assert.equal(isSame, inputs === 'precise', 'without lengths few rows are rounded less');
        fovea.scope(() => {
          const tensor = fovea.tensor(parts[1]!);
          same(encoder.forward(tensor, { lengths: [3] }).toArray().data, split(states.at(-1)!)[1]!);
        });
      });
    }
  });

  test('nothing of a sequence reaches another: not a NaN', () => {
    const [encoder] = made(KINDS['PyTorch, post-norm']!);
    const { x } = input([3, 5, 4]);
    const want = split(encoder.forward(x, { lengths: [3, 5, 4] }), [3, 5, 4]);
    x.data.fill(NaN, 3 * SIZES.dModel, 8 * SIZES.dModel);
    const [first, second, third] = split(encoder.forward(x, { lengths: [3, 5, 4] }), [3, 5, 4]);
    same(first, want[0]);
    same(third, want[2]);
    assert.ok(second!.every(Number.isNaN));
    encoder.dispose();
  });

  test('options of attention count within each sequence', () => {
    const [encoder] = made(KINDS['silu, pre-norm, a last norm']!);
    const { x, parts } = input([5, 1, 9]);
    const table = new TestRandom(5).normals([5, 8]);
    const calls = [
      ...[{ causal: true }, { window: [1, 2] as const }, { causal: true, causalOffset: 1 }, { softcap: 3, scale: 0.2 }],
      ...[{ bias: bias.alibi() }, { sinks: [0, 1, 2] }, { normalizer: 'sparsemax' as const }, { pattern: pattern.causal() }],
      ...[{ score: score.cosine() }, { score: score.bilinear(new TestRandom(6).normals([8, 8])) }],
      ...[{ relativeKeys: { table, clip: 2 }, relativeValues: { table, clip: 2 } }],
    ];
    const plain = encoder.forward(x, { lengths: [5, 1, 9] });
    for (const options of calls) {
      const got = leavesNothing(() => encoder.forward(x, { ...options, lengths: [5, 1, 9] }));
      assert.notDeepEqual(got.data, plain.data, Object.keys(options).join());
      split(got, [5, 1, 9]).forEach((rows, n) => same(rows, encoder.forward(parts[n]!, options).data));
    }
    encoder.dispose();
  });

  test('a window of the call stands in place of those of the layers', () => {
    const [encoder] = made(KINDS['gated with gelu, half of each head rotated in pairs, one window']!);
    const [open] = made(KINDS['gated with gelu, half of each head rotated in pairs, one window']!, { window: null });
    const { x } = input([9]);
    same(encoder.forward(x, { window: [-1, -1] }).data, open.forward(x).data);
    same(open.forward(x, { window: [3, 4] }).data, encoder.forward(x).data);
    assert.notDeepEqual(open.forward(x).data, encoder.forward(x).data);
    for (const one of [encoder, open]) one.dispose();
  });

  test('a layer alone, no rows, tokens first, 64-bit lengths', () =>
    leavesNothing(() => {
      using layer = new TransformerEncoderLayer(fovea, {
        ...LAYER,
        gated: true,
        norm: 'rms',
        rope: {},
        window: [1, 1],
        seed: 2,
      });
      using turned = new TransformerEncoderLayer(fovea, {
        ...LAYER,
        gated: true,
        norm: 'rms',
        rope: {},
        window: [1, 1],
        batchFirst: false,
      });
      turned.loadStateDict(layer.stateDict());
      const { x, parts } = input([5, 2]);
      const want = layer.forward(x, { lengths: [5, 2] });
      split(want, [5, 2]).forEach((rows, n) => same(rows, layer.forward(parts[n]!).data));
      same(layer.forward(x, { lengths: BigInt64Array.of(5n, 2n) }).data, want.data);
      same(turned.forward(x, { lengths: [5, 2] }).data, want.data);
      fovea.scope(() => same(turned.forward(fovea.tensor(x), { lengths: [5, 2] }).toArray().data, want.data));
      for (const shape of [
        [0, 24],
        [0, 3, 24],
        [2, 0, 24],
      ])
        // prettier-ignore
        assert.deepEqual(layer.forward({ data: [], shape }), { data: new Float32Array(), shape });
      assert.deepEqual(layer.forward({ data: [], shape: [0, 24] }, { lengths: [] }).shape, [0, 24]);
      fails('value', /window must be \[left, right\], got 3/, () =>
        layer.forward({ data: [], shape: [0, 24] }, { window: 3 as never }),
      );
    }));
});

test('options that do not fit are refused', () => {
  const make = (options: object) => (): unknown => new TransformerEncoder(fovea, { ...SIZES, ...options });
  const wrong: [code: string, message: RegExp, call: () => unknown][] = [
    ['option', /TransformerEncoder: norm must be 'layer' or 'rms', got 'batch'/, make({ norm: 'batch' })],
    ['option', /normBias cannot be combined with norm: 'rms'/, make({ norm: 'rms', normBias: true })],
    ['value', /gated must be true or false, got 1/, make({ gated: 1 })],
    ['value', /attentionBias must be true or false, got 'no'/, make({ attentionBias: 'no' })],
    ['value', /feedForwardBias must be true or false, got null/, make({ feedForwardBias: null })],
    ['value', /normBias must be true or false, got 0/, make({ normBias: 0 })],
    ['value', /normFirst must be true or false, got 1/, make({ normFirst: 1 })],
    ['value', /batchFirst must be true or false, got 1/, make({ batchFirst: 1 })],
    ['value', /layerNormEps must be at least 0, got -1/, make({ layerNormEps: -1 })],
    ['value', /layerNormEps must be a finite number/, make({ layerNormEps: NaN })],
    ['shape', /nHead must divide dModel, got dModel 24, nHead 5/, make({ nHead: 5 })],
    ['value', /rope must rotate an even width, got 3/, make({ rope: { rotaryWidth: 3 } })],
    ['option', /unknown option 'theta'/, make({ rope: { theta: 1 } })],
    ['value', /window must be \[left, right\], got 3/, make({ window: 3 })],
    ['value', /window must be \[left, right\], got /, make({ window: [1] })],
    ['value', /window left must be an integer of at least -1, got -2/, make({ window: [-2, 0] })],
    ['value', /window must be \[left, right\], or a list of one for each of 3 layers, got 2 entries/, make({ window: [null, [1, 1]] })],
    ['value', /window must have no holes, got one at 1 of 3/, make({ window: [null, , [1, 1]] })], // eslint-disable-line no-sparse-arrays
    ['value', /window of layer 2 must be \[left, right\], got 'all'/, make({ window: (n: number) => (n < 2 ? null : 'all') })],
    ['value', /window of layer 1 right must be an integer of at least -1, got 0.5/, make({ window: [null, [1, 0.5], null] })],
    ['value', /TransformerEncoderLayer: window must be \[left, right\], got /, () => new TransformerEncoderLayer(fovea, { ...LAYER, window: (() => null) as never })],
    ['option', /TransformerEncoderLayer: unknown option 'numLayers'/, () => new TransformerEncoderLayer(fovea, SIZES as never)],
  ]; // prettier-ignore
  for (const [code, message, call] of wrong) fails(code, message, call);

  using empty = new TransformerEncoder(fovea, SIZES);
  fails('value', /^TransformerEncoder.forward: has no weights yet/, () => empty.forward(input([3]).x, { lengths: [3] }));
  using encoder = new TransformerEncoder(fovea, { ...SIZES, seed: 1 });
  const { x } = input([3, 2]);
  const call =
    (options: object, rows: NDArray = x) =>
    (): unknown =>
      encoder.forward(rows, options);
  const refused: [code: string, message: RegExp, call: () => unknown][] = [
    ['shape', /TransformerEncoder.forward: lengths must add up to the 5 rows of x, got 4/, call({ lengths: [3, 1] })],
    ['shape', /lengths must add up to the 5 rows of x, got 0/, call({ lengths: [] })],
    ['value', /lengths\[0\] must be an integer from 1 to 5, got 0/, call({ lengths: [0, 5] })],
    ['value', /lengths\[1\] must be an integer from 1 to 5, got 6/, call({ lengths: [3, 6] })],
    ['value', /lengths\[0\] must be an integer from 1 to 5, got 2.5/, call({ lengths: [2.5, 2.5] })],
    ['value', /lengths must be an array of integers, got 5/, call({ lengths: 5 })],
    ['shape', /x must be \[ΣT, E\] where lengths are given, got \[1, 5, 24\]/, call({ lengths: [5] }, { data: x.data, shape: [1, 5, 24] })],
    ['option', /lengths cannot be combined with keyLengths/, call({ lengths: [5], keyLengths: [3] })],
    ['option', /lengths cannot be combined with attnMask/, call({ lengths: [5], attnMask: { data: new Uint8Array(25), shape: [5, 5] } })],
    ['option', /lengths cannot be combined with keyPaddingMask/, call({ lengths: [5], keyPaddingMask: Array(5).fill(false) })],
    ['value', /causal must be true or false, got 1/, call({ lengths: [5], causal: 1 })],
    ['option', /unknown option 'length'; did you mean 'lengths'/, call({ length: [5] })],
    ['shape', /sinks's data must fill its shape, got 2 numbers for \[3\]/, call({ lengths: [3, 2], sinks: [1, 2] })],
  ]; // prettier-ignore
  for (const [code, message, bad] of refused) fails(code, message, bad);
});
