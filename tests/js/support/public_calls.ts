/** A plausible call of every public function that computes at once: for tests that change what the caller passes. */
import { format, toNested, type Fovea } from 'fovea';
import { kvCache, type KvCache } from 'fovea/cache';
import { list, random, run } from 'fovea/catalog';
import { writeNpy, writeSafetensors } from 'fovea/files';
import * as linear from 'fovea/linear-attention';
import { randomParams } from 'fovea/mechanisms';
import * as nn from 'fovea/nn';
import * as ops from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import * as position from 'fovea/position';
import { bias, multiDimensionalAttention, normalizer, score } from 'fovea/score';
import { numbers } from './numbers.ts';

export interface PublicCall {
  readonly name: string;
  /** Fresh arguments. */
  readonly args: () => unknown[];
  /** Makes the call; what must be disposed is disposed. */
  readonly run: (fovea: Fovea, ...args: never[]) => unknown;
  /** Makes the call of a module, which is left to the scope around it. */
  readonly leave?: (fovea: Fovea, ...args: never[]) => unknown;
}

const [q, k, v] = [() => numbers([1, 2, 3, 4], 1), () => numbers([1, 2, 5, 4], 2), () => numbers([1, 2, 5, 2], 3)];
const x = (): unknown => numbers([2, 3, 4], 4);
const square = (): unknown => numbers([4, 4], 5);
const projections = (): object => ({
  Wq: square(),
  Wk: square(),
  Wv: square(),
  Wo: square(),
  bq: [1, 2, 3, 4],
  bo: [1, 1, 1, 1],
});
const rules = (): object => ({
  ...{ scale: 0.5, softcap: 3, causal: true, causalAlign: 'bottom-right', window: [2, 1], temperature: 2 },
  ...{ mask: [[true, true, false, true, true]], keyLengths: [4], sinks: [0.5, 1] },
  bias: [bias.alibi([0.5, 0.25]), bias.relative([0.1, 0.2, 0.3], 1)],
  relativeValues: { table: numbers([3, 2]), clip: 1 },
  weightScale: { gaussian: { center: numbers([2, 3]), sigma: 2 } },
  ...{ returnWeights: true, returnLse: true, returnLogits: 'biased' },
});

type Disposable = { dispose(): void };

/** `use(made)`, which is disposed whatever happens. */
function using<T extends Disposable, R>(made: T, use: (made: T) => R): R {
  try {
    return use(made);
  } finally {
    made.dispose();
  }
}

const layer = (): object => ({
  dModel: 4,
  nHead: 2,
  dimFeedforward: 3,
  activation: 'gelu',
  normFirst: true,
  layerNormEps: 1e-4,
  seed: 1,
});
const modern = (): object => ({
  ...{
    gated: true,
    activation: 'silu',
    norm: 'rms',
    rope: { base: 100, rotaryWidth: 2 },
    attentionBias: true,
    feedForwardBias: false,
  },
});
const moduleRules = (): object => ({
  attnMask: [
    [false, true, true],
    [false, false, true],
    [false, false, false],
  ],
  keyPaddingMask: [
    [false, false, true],
    [false, false, false],
  ],
  causal: true,
});
const weights = (gates: number): object => ({
  weight_ih_l0: numbers([gates * 2, 4]),
  weight_hh_l0: numbers([gates * 2, 2]),
  bias_ih_l0: numbers([gates * 2]),
});
const sequence = (): object => ({ initialState: { hidden: numbers([1, 2, 2]) }, lengths: [3, 1] });

const causal = {
  dModel: 4,
  nHead: 2,
  kvHeads: 1,
  headDim: 2,
  dimFeedforward: 3,
  normEps: 0.1,
  bias: true,
  weightLayout: 'inOut',
  seed: 1,
};

/** Five steps of decoding with a cache: of the first number of each row, or of the whole row. */
function steps(
  fovea: Fovea,
  options: { readonly kvHeads: number; readonly width: number },
  step: (row: number[], cache: KvCache) => unknown,
): unknown {
  const rows = [3, 1, 4, 0, 2].map((id) => [id, 1, -1, 0.5]);
  return using(kvCache(fovea, { ...options, capacity: 8 }), (cache) => rows.map((row) => step(row, cache)));
}

/** A module: made of options, run on arguments. */
function module(name: string, options: () => unknown, ...args: (() => unknown)[]): PublicCall {
  type Made = Disposable & { forward(...rest: unknown[]): unknown };
  const Class = (nn as unknown as Record<string, new (fovea: Fovea, options: unknown) => Made>)[name]!;
  return {
    name: `nn ${name}`,
    args: () => [options(), ...args.map((make) => make())],
    run: (fovea, given: never, ...rest: never[]) => using(new Class(fovea, given), (made) => made.forward(...rest)),
    leave: (fovea, given: never, ...rest: never[]) => new Class(fovea, given).forward(...rest),
  };
}

/** A function of an entry that takes the instance first. */
function op(entry: object, name: string, ...args: (() => unknown)[]): PublicCall {
  const call = (entry as Record<string, (...all: unknown[]) => unknown>)[name]!;
  return { name, args: () => args.map((make) => make()), run: (fovea, ...given) => call(fovea, ...given) };
}

/** A function that makes a description, which a call of attention then uses. */
function described(name: string, option: string, make: (...args: never[]) => unknown, ...args: unknown[]): PublicCall {
  return {
    name,
    args: () => structuredClone(args),
    run: (fovea, ...given) =>
      fovea.attention(q(), numbers([1, 2, 3, 4]), numbers([1, 2, 3, 2]), { [option]: make(...given) }).output,
  };
}

const it = (value: unknown) => (): unknown => structuredClone(value);

export const PUBLIC_CALLS: readonly PublicCall[] = [
  {
    name: 'attention',
    args: () => [q(), k(), v(), rules()],
    run: (fovea, ...args: [never, never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'attention, written into out',
    args: () => [q(), k(), v(), { out: { output: numbers([1, 2, 3, 2]), lse: numbers([1, 2, 3]) }, heads: undefined }],
    run: (fovea, ...args: [never, never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'attention, packed',
    args: () => [
      numbers([1, 3, 4]),
      numbers([1, 5, 4]),
      numbers([1, 5, 4]),
      { heads: 2, kvHeads: 2, trace: { rows: [0, 2] }, normalizer: 'sparsemax' },
    ],
    run: (fovea, ...args: [never, never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'attention without options',
    args: () => [q(), k(), v()],
    run: (fovea, ...args: [never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'attention of many queries',
    args: () => [numbers([70, 4]), numbers([70, 4]), numbers([70, 2]), { causal: true }],
    run: (fovea, ...args: [never, never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'attention, sparse weights',
    args: () => [q(), k(), v(), { returnWeights: 'sparse', pattern: pattern.window(1, 1) }],
    run: (fovea, ...args: [never, never, never, never]) => fovea.attention(...args),
  },
  {
    name: 'selfAttention, one head',
    args: () => [x(), { Wq: square(), Wk: square(), Wv: square() }],
    run: (fovea, ...args: [never, never]) => fovea.selfAttention(...args),
  },
  {
    name: 'selfAttention',
    args: () => [x(), projections(), { heads: 2, kvHeads: 2, causal: true, returnWeights: true, weightLayout: 'inOut' }],
    run: (fovea, ...args: [never, never, never]) => fovea.selfAttention(...args),
  },
  {
    name: 'multiHeadAttention',
    args: () => [
      x(),
      numbers([2, 5, 4]),
      numbers([2, 5, 4]),
      { ...projections(), biasK: [1, 2, 3, 4], biasV: [4, 3, 2, 1] },
      { heads: 2, addZeroAttention: true, averageWeights: true, returnWeights: true },
    ],
    run: (fovea, ...args: [never, never, never, never, never]) => fovea.multiHeadAttention(...args),
  },
  {
    name: 'combine',
    args: () => [
      [
        { output: numbers([2, 3, 4]), lse: numbers([2, 3]) },
        { output: numbers([2, 3, 4], 2), lse: numbers([2, 3], 2) },
      ],
      { sinks: [1, 2] },
    ],
    run: (fovea, ...args: [never, never]) => fovea.combine(...args),
  },
  { name: 'tensor', args: () => [numbers([2, 3])], run: (fovea, ...args: [never]) => fovea.tensor(...args).toArray() },
  {
    name: 'tensor of data and shape',
    args: () => [
      [1, 2, 3, 4],
      [2, 2],
    ],
    run: (fovea, ...args: [never, never]) => fovea.tensor(...args).toArray(),
  },
  {
    name: 'Tensor.set',
    args: () => [
      [
        [1, 2],
        [3, 4],
      ],
    ],
    run: (fovea, ...args: [never]) =>
      fovea
        .tensor([
          [0, 0],
          [0, 0],
        ])
        .set(...args),
  },
  {
    name: 'Tensor.slice',
    args: () => [1, 0, 1],
    run: (fovea, ...args: [never, never, never]) =>
      fovea
        .tensor([
          [1, 2],
          [3, 4],
        ])
        .slice(...args)
        .toArray(),
  },
  {
    name: 'Tensor.reshape',
    args: () => [[4, 1]],
    run: (fovea, ...args: [never]) =>
      fovea
        .tensor([
          [1, 2],
          [3, 4],
        ])
        .reshape(...args)
        .toArray(),
  },
  { name: 'scope', args: () => [() => 1], run: (fovea, ...args: [never]) => fovea.scope(...args) },
  { name: 'format', args: () => [numbers([2, 3]), { digits: 2 }], run: (_, ...args: [never, never]) => format(...args) },
  { name: 'toNested', args: () => [numbers([2, 3])], run: (_, ...args: [never]) => toNested(...args) },

  op(ops, 'softmax', x, it({ axis: 1 })),
  op(ops, 'logSoftmax', x, it({ axis: 1 })),
  op(ops, 'logSumExp', x, it({ axis: 1 })),
  op(ops, 'matmul', x, square),
  op(ops, 'linear', x, square, it([1, 2, 3, 4]), it({ activation: 'relu' })),
  {
    name: 'quantize',
    args: () => [numbers([3, 4]), numbers([2, 4]), [1, 2, 3]],
    run: (fovea, weight: never, ...[input, added]: [never, never]) =>
      using(ops.quantize(fovea, weight), (packed) => [packed.toArray(), ops.linear(fovea, input, packed, added)]),
  },
  op(ops, 'add', x, it([1, 2, 3, 4]), it({ scale: 0.5 })),
  op(ops, 'subtract', x, it([[1], [2], [3]])),
  op(ops, 'multiply', x, it([[1], [2], [3]])),
  op(ops, 'divide', x, it([[1], [2], [3]])),
  op(ops, 'minimum', x, it(0.5)),
  op(ops, 'maximum', x, it([1, 2, 3, 4])),
  op(ops, 'blend', x, it([[1], [2], [3]]), it([0.5, 0, 1, 0.25])),
  op(ops, 'abs', x),
  op(ops, 'exp', x),
  op(ops, 'log', x),
  op(ops, 'sum', x, it({ axis: 1 })),
  op(ops, 'cumulativeSum', x, it({ axis: 1 })),
  op(ops, 'concat', () => [numbers([2, 3]), numbers([2, 1])], it({ axis: 1 })),
  op(ops, 'transpose', x, it([2, 0, 1])),
  op(
    ops,
    'gather',
    x,
    it([
      [1, 0],
      [1, 1],
    ]),
    it({ axis: 0 }),
  ),
  op(ops, 'scatterAdd', x, it([2, 0, 2]), it({ axis: 1, length: 4 })),
  op(ops, 'patches', () => numbers([2, 4, 3]), it({ size: 2 })),
  op(ops, 'frames', () => numbers([2, 7]), it({ length: 3, shift: 2, window: [1, 2, 1] })),
  op(
    ops,
    'embedding',
    it([
      [0, 1],
      [2, 0],
    ]),
    square,
  ),
  op(ops, 'argmax', x, it({ axis: 0 })),
  op(ops, 'relu', x),
  op(ops, 'gelu', x),
  op(ops, 'geluTanh', x),
  op(ops, 'quickGelu', x),
  op(ops, 'silu', x, it({ beta: 2 })),
  op(ops, 'elu', x, it({ alpha: 2 })),
  op(ops, 'leakyRelu', x, it({ slope: 0.1 })),
  op(ops, 'tanh', x),
  op(ops, 'sigmoid', x),
  op(ops, 'glu', x, it({ axis: -1 })),
  op(ops, 'swiglu', x, it({ axis: -1 })),
  op(ops, 'layerNorm', x, it({ weight: [1, 2, 3], bias: [1, 2, 3], eps: 1e-3, axis: 1 })),
  op(ops, 'rmsNorm', x, () => ({ weight: [1, 2, 3, 4], residual: numbers([2, 3, 4]) })),
  op(
    ops,
    'conv1d',
    x,
    () => numbers([2, 3, 2]),
    it({ stride: 2, padding: [1, 0], dilation: 1, groups: 1, bias: [1, 2], layout: 'bct' }),
  ),
  op(ops, 'maxPool', x, it({ kernel: 2, stride: 1, padding: 1 })),
  op(ops, 'meanPool', x, it({ axis: 1, kernel: 2, countPadding: false })),
  op(ops, 'sumPool', x, it({ axis: 1, kernel: 2, padding: [0, 1] })),
  op(
    ops,
    'rnn',
    x,
    () => weights(1),
    () => ({ ...sequence(), nonlinearity: 'relu', layout: 'btd' }),
  ),
  op(
    ops,
    'gru',
    x,
    () => weights(3),
    () => ({ ...sequence(), resetAfter: false, updateGate: 'replace' }),
  ),
  op(
    ops,
    'lstm',
    x,
    () => weights(4),
    () => ({ initialState: { hidden: numbers([1, 2, 2]), cell: numbers([1, 2, 2]) } }),
  ),

  described('pattern.window', 'pattern', pattern.window, 1, 1),
  described('pattern.atrous', 'pattern', pattern.atrous, 2),
  described('pattern.block', 'pattern', pattern.block, 2),
  described('pattern.blockDiagonal', 'pattern', pattern.blockDiagonal, [1, 2]),
  described('pattern.globalTokens', 'pattern', pattern.globalTokens, [0, 2]),
  described('pattern.random', 'pattern', pattern.random, { perQuery: 1, block: 2, seed: 3 }),
  described('pattern.axial', 'pattern', pattern.axial, { shape: [1, 3], axis: 1 }),
  described('pattern.neighbors2d', 'pattern', pattern.neighbors2d, { shape: [1, 3], radius: [1, 1] }),
  described('pattern.fixed', 'pattern', pattern.fixed, 2, 1),
  described('pattern.longformer', 'pattern', pattern.longformer, { window: 2, dilation: 1, globalTokens: [0] }),
  described('pattern.bigBird', 'pattern', pattern.bigBird, { block: 1, window: 1, global: 1, random: 1, seed: 2 }),
  described('pattern.graph', 'pattern', pattern.graph, {
    edges: [
      [0, 1],
      [2, 2],
    ],
    bias: [1, 2],
  }),
  described('pattern.graph of lists', 'pattern', pattern.graph, { indptr: [0, 1, 1, 2], indices: [0, 2] }),
  described('pattern.fromMask', 'pattern', pattern.fromMask, [
    [true, false, true],
    [true, true, true],
    [false, false, true],
  ]),
  described('pattern.from', 'pattern', pattern.from, pattern.window(1, 0).or(pattern.atrous(2).not()).toJSON()),
  {
    name: 'pattern.fromFunction',
    args: () => [(i: number, j: number) => i >= j],
    run: (fovea, ...args: [never]) =>
      fovea.attention(q(), numbers([1, 2, 3, 4]), numbers([1, 2, 3, 2]), { pattern: pattern.fromFunction(...args) }).output,
  },
  {
    name: 'pattern.perHead',
    args: () => [[pattern.causal(), pattern.all(), pattern.window(1, 0)]],
    run: (fovea, ...args: [never]) =>
      fovea.attention(numbers([3, 2, 2]), numbers([3, 2, 2]), numbers([3, 2, 2]), { pattern: pattern.perHead(...args) }).output,
  },
  {
    name: 'Pattern.or',
    args: () => [pattern.causal(), pattern.all()],
    run: (_, ...args: never[]) =>
      pattern
        .block(2)
        .or(...args)
        .toJSON(),
  },
  {
    name: 'pattern.density',
    args: () => [{ queries: 5, keys: 5, heads: 2 }],
    run: (fovea, ...args: [never]) => pattern.causal().density(fovea, ...args),
  },

  described('score.dot', 'score', score.dot),
  described('score.cosine', 'score', score.cosine),
  {
    name: 'score.bilinear',
    args: () => [square(), { weightLayout: 'inOut' }],
    run: (fovea, ...args: [never, never]) => fovea.attention(q(), k(), v(), { score: score.bilinear(...args) }).output,
  },
  {
    name: 'score.additive',
    args: () => [{ Wq: square(), Wk: square(), w: [1, 2, 3, 4], bias: [1, 1, 1, 1] }, { weightLayout: 'outIn' }],
    run: (fovea, ...args: [never, never]) => fovea.attention(q(), k(), v(), { score: score.additive(...args) }).output,
  },
  {
    name: 'score.pairSum',
    args: () => [
      { wq: [1, 2, 3, 4], wk: [4, 3, 2, 1] },
      { activation: 'leakyRelu', slope: 0.5 },
    ],
    run: (fovea, ...args: [never, never]) => fovea.attention(q(), k(), v(), { score: score.pairSum(...args) }).output,
  },
  described('bias.alibi', 'bias', bias.alibi, [1, 2]),
  described('bias.distance', 'bias', bias.distance, 0.5),
  described('bias.relative', 'bias', bias.relative, [1, 2, 3], 1),
  described(
    'bias.t5',
    'bias',
    bias.t5,
    [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ],
    { buckets: 4, maxDistance: 8, bidirectional: true },
  ),
  described('bias.gaussian', 'bias', bias.gaussian, [[1, 2, 3]], 2),
  {
    name: 'bias.edges',
    args: () => [
      [1, 2],
      [
        [0, 1],
        [2, 2],
      ],
    ],
    run: (fovea, values: never, edges: never) =>
      fovea.attention(q(), numbers([1, 2, 3, 4]), numbers([1, 2, 3, 2]), {
        pattern: pattern.graph({ edges }),
        bias: bias.edges(values),
      }).output,
  },
  described('bias.fromFunction', 'bias', () => bias.fromFunction((i, j) => i - j)),
  described('bias.direction', 'bias', bias.direction, 'forward'),
  described('normalizer.relu', 'normalizer', normalizer.relu, { scaled: false }),
  described('normalizer.sampled', 'normalizer', normalizer.sampled, { seed: 5 }),
  described('normalizer.topK', 'normalizer', normalizer.topK, 2),
  op(
    { multiDimensionalAttention },
    'multiDimensionalAttention',
    q,
    k,
    v,
    () => ({ Wq: numbers([4, 2]), Wk: numbers([4, 2]), bias: [1, 2] }),
    it({ c: 3, returnWeights: true }),
  ),

  op(position, 'rotaryEmbedding', q, it({ interleaved: true, rotaryWidth: 2, base: 100, start: 3 })),
  op(position, 'rotaryEmbedding', q, it({ positions: [1, 2, 3], scale: 0.5 })),
  op(position, 'sinusoidalPositions', it({ tokens: 3, width: 4, base: 100, start: 2, form: 'splitHalf' })),
  op(position, 'learnedPositions', square, it({ positions: [3, 0] })),
  op(position, 'recurrentPositions', () => ({
    tokens: 3,
    params: {
      weight_hh_l0: [
        [0, 1],
        [0.5, 0],
      ],
    },
    initialState: { hidden: [1, 0] },
    nonlinearity: 'relu',
  })),

  op(
    linear,
    'linearAttention',
    q,
    k,
    v,
    it({ featureMap: 'elu1', causal: false, keyLengths: [4], returnState: true, eps: 0.1 }),
  ),
  op(
    linear,
    'linearAttention',
    () => numbers([1, 2, 5, 4]),
    k,
    v,
    it({ updateRule: 'gatedDelta', decay: -0.5, beta: 0.5, trace: true }),
  ),
  op(linear, 'linearAttention', q, k, v),
  op(linear, 'linearAttention', q, k, v, it({ featureMap: 'favor+', features: 4, seed: 3 })),
  op(linear, 'linformer', q, k, v, () => ({ E: numbers([3, 5]), F: numbers([3, 5]), returnWeights: true })),
  op(linear, 'approximation', q, k, v, it({ linear: { featureMap: 'elu1' } })),
  op(linear, 'approximation', q, k, v, () => ({ linformer: { E: numbers([3, 5]) } })),
  {
    name: 'linearState',
    args: () => [
      { kvHeads: 2, width: 4, valueWidth: 2, batch: 1, updateRule: 'gated', retention: 0.5 },
      numbers([1, 2, 1, 4]),
      numbers([1, 2, 1, 4]),
      numbers([1, 2, 1, 2]),
      {},
    ],
    run: (fovea, options: never, ...args: [never, never, never, never]) =>
      using(linear.linearState(fovea, options), (state) => (state.step(...args), state.state())),
  },
  {
    name: 'linearStateFrom',
    args: () => [
      {
        options: { kvHeads: 1, width: 2 },
        state: { s: { data: [1, 2, 3, '-Infinity'], shape: [1, 2, 2] }, z: { data: [1, 2], shape: [1, 2] } },
        length: 1,
      },
    ],
    run: (fovea, ...args: [never]) => using(linear.linearStateFrom(fovea, ...args), (state) => state.state()),
  },
  {
    name: 'kvCache',
    args: () => [
      { batch: 1, kvHeads: 2, width: 4, valueWidth: 2, capacity: 8, dtype: 'float16', window: 4, sinkTokens: 1 },
      k(),
      v(),
      3,
      q(),
      { causal: true },
    ],
    run: (fovea, options: never, keys: never, values: never, length: never, ...rest: [never, never]) =>
      using(kvCache(fovea, options), (cache) => {
        cache.append(keys, values);
        cache.truncate(length);
        return fovea.attention(rest[0], cache, rest[1]).output;
      }),
  },
  {
    name: 'writeSafetensors',
    args: () => [{ a: [[1, 2]], b: numbers([3]) }, { metadata: { c: 'd' } }],
    run: (_, ...args: [never, never]) => writeSafetensors(...args),
  },
  { name: 'writeNpy', args: () => [numbers([2, 2]), { dtype: 'F16' }], run: (_, ...args: [never, never]) => writeNpy(...args) },

  module('Linear', it({ inFeatures: 4, outFeatures: 3, activation: 'relu', bias: true, seed: 1 }), x),
  module('LayerNorm', it({ normalizedShape: 4, eps: 0.1, seed: 1 }), x, () => ({ residual: x() })),
  module('RMSNorm', it({ normalizedShape: 4, seed: 1 }), x, () => ({ residual: x() })),
  module('FeedForward', it({ dModel: 4, dimFeedforward: 3, activation: 'silu', seed: 1 }), x),
  module('Conv1d', it({ inChannels: 3, outChannels: 2, kernelSize: 2, padding: 'causal', groups: 1, seed: 1 }), x),
  module('Conv1dGLU', it({ inChannels: 3, outChannels: 3, kernelSize: 2, padding: 'causal', residual: true, seed: 1 }), x),
  module('RNN', it({ inputSize: 4, hiddenSize: 2, nonlinearity: 'relu', seed: 1 }), x, sequence),
  module('GRU', it({ inputSize: 4, hiddenSize: 2, numLayers: 1, resetAfter: false, updateGate: 'keep', seed: 1 }), x, sequence),
  module('LSTM', it({ inputSize: 4, hiddenSize: 3, projSize: 2, batchFirst: true, seed: 1 }), x, it({ lengths: [2, 3] })),
  module(
    'SelfAttention',
    it({ dim: 4, heads: 2, headDim: 3, outDim: 5, bias: true, seed: 1 }),
    x,
    it({ causal: true, returnWeights: true }),
  ),
  module(
    'MultiHeadAttention',
    it({ embedDim: 4, numHeads: 2, addBiasKv: true, averageAttnWeights: false, seed: 1 }),
    x,
    () => ({ ...moduleRules(), returnWeights: true }),
  ),
  module(
    'MultiHeadAttention',
    it({ embedDim: 4, numHeads: 2, kdim: 3, vdim: 2, batchFirst: false, seed: 1 }),
    x,
    () => numbers([5, 3, 3]),
    () => numbers([5, 3, 2]),
    it({ returnLse: true }),
  ),
  module('TransformerEncoderLayer', layer, x, moduleRules),
  module('TransformerEncoder', () => ({ ...layer(), numLayers: 2, finalNorm: true }), x, moduleRules),
  module(
    'TransformerEncoderLayer',
    () => ({ ...layer(), ...modern(), window: [1, 2] }),
    it(numbers([5, 4])),
    it({ lengths: [2, 3] }),
  ),
  module(
    'TransformerEncoder',
    () => ({ ...layer(), ...modern(), numLayers: 2, normFirst: false, window: [null, [1, 0]] }),
    it(numbers([5, 4])),
    it({ lengths: [4, 1], causal: true }),
  ),
  module(
    'TransformerDecoderLayer',
    layer,
    x,
    () => numbers([2, 2, 4]),
    () => ({
      ...moduleRules(),
      memoryKeyPaddingMask: [
        [false, true],
        [false, false],
      ],
    }),
  ),
  module(
    'Embedding',
    it({ numEmbeddings: 5, embeddingDim: 3, seed: 1 }),
    it([
      [4, 0],
      [2, 2],
    ]),
  ),
  module(
    'CausalDecoderLayer',
    it({ ...causal, gated: true, norm: 'rms', rope: { base: 100, interleaved: true, rotaryWidth: 2 } }),
    x,
  ),
  module(
    'CausalDecoder',
    it({ ...causal, vocabSize: 5, numLayers: 2, maxPositions: 8, activation: 'relu', tieWeights: false }),
    it([
      [1, 4, 0],
      [2, 2, 3],
    ]),
  ),
  {
    name: 'nn CausalDecoder, token by token',
    args: () => [{ vocabSize: 5, numLayers: 1, dModel: 4, nHead: 2, dimFeedforward: 3, seed: 1 }],
    run: (fovea, options: never) =>
      using(new nn.CausalDecoder(fovea, options), (decoder) =>
        steps(fovea, decoder.cacheOptions, ([id], cache) => decoder.next([id!], { caches: [cache] })),
      ),
    leave: (fovea, options: never) => {
      const decoder = new nn.CausalDecoder(fovea, options);
      return steps(fovea, decoder.cacheOptions, ([id], cache) => decoder.next([id!], { caches: [cache] }));
    },
  },
  {
    name: 'nn CausalDecoderLayer, token by token',
    args: () => [{ ...causal }],
    run: (fovea, options: never) =>
      using(new nn.CausalDecoderLayer(fovea, options), (layer) =>
        steps(fovea, { kvHeads: 1, width: 2 }, (row, cache) => layer.forward([row], { cache })),
      ),
    leave: (fovea, options: never) => {
      const layer = new nn.CausalDecoderLayer(fovea, options);
      return steps(fovea, { kvHeads: 1, width: 2 }, (row, cache) => layer.forward([row], { cache }));
    },
  },
  module(
    'TransformerDecoder',
    () => ({ ...layer(), numLayers: 1 }),
    x,
    () => numbers([2, 2, 4]),
    it({ causal: true }),
  ),
  {
    name: 'Module.loadStateDict',
    args: () => [
      { 'a.weight': numbers([3, 4]), 'a.bias': [1, 2, 3] },
      { prefix: 'a.', strict: true, rename: [['b.', 'a.']] },
    ],
    run: (fovea, ...args: [never, never]) =>
      using(new nn.Linear(fovea, { inFeatures: 4, outFeatures: 3 }), (one) => one.loadStateDict(...args)),
  },
  {
    name: 'randomParams',
    args: () => [{ W: [2, 3], bias: [3], inner: { U: numbers([2, 2]), beta: 1 } }, { seed: 1 }],
    run: (fovea, ...args: [never, never]) => randomParams(fovea, ...args),
  },
  {
    name: 'catalog random',
    args: () => ['bahdanau', { seed: 1 }],
    run: (fovea, ...args: [never, never]) => random(fovea, ...args),
  },
];

/** Every mechanism of the catalog, by its id, on its own example. */
export const MECHANISM_CALLS: readonly PublicCall[] = list().map(({ id, defaults }) => ({
  name: `catalog run ${id}`,
  args: () => [id, ...[defaults.inputs, defaults.params, defaults.options].map(copied)],
  run: (fovea, ...args: [never, never, never, never]) => run(fovea, ...args),
}));

/** Lists and object literals anew, anything else as it is. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copied(entry)]));
}
