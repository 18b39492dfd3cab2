/**
 * The binary interface between JavaScript and the wasm module: the parameter block of every function, field by field, and the
 * numbers of what they choose.
 * scripts/generate_abi.mjs makes of it the C++ structs (build/generated/abi.hpp), a TypeScript module for each block and each enum
 * (build/generated/blocks and enums), and the hash that both sides carry and that is compared when a module is loaded.
 *
 * Types: u32, i32, f32, f64; u64, which JavaScript writes from an integer up to 2^53 - 1; pointers as C++ spells them, 'void*',
 * 'const f32*', 'const VariantBlock*'. A pointer is a byte address, 0 = absent. Strides count elements. A field that a call
 * does not give is 0. Fields lie in the order given here, each aligned to its size.
 */

/** Fields of one type. */
const all = (type, ...names) => Object.fromEntries(names.map((name) => [name, type]));

/** A pointer and the strides of its array. */
const array = (name, type, ...axes) => ({ [name]: type, ...all('i32', ...axes.map((axis) => name + axis)) });

/** [batch, heads, tokens, width] with rows of unit stride. */
const heads = (name, type) => array(name, type, 'Batch', 'Head', 'Token');

/** [batch, heads, queries, keys], any axis of stride 0. */
const mask = (name, type) => array(name, type, 'Batch', 'Head', 'Query', 'Key');

/** [heads, 2 clip + 1, ...] by clipped distance. */
const relativeTable = (name) => ({ ...array(name, 'const f32*', 'Head'), [`${name}Clip`]: 'u32' });

const attentionSizes = all('u32', 'batch', 'heads', 'kvHeads', 'queries', 'keys', 'width', 'valueWidth');

const qkvOutput = {
  ...heads('q', 'const f32*'),
  ...heads('k', 'const f32*'),
  ...heads('v', 'const f32*'),
  ...heads('output', 'f32*'),
};

/**
 * The choices that blocks pass by number: each name by its place in the list. The core's enum has the same names, capitalized, in the same
 * order: 'favor+' is Favor, 'tensor2tensor' Tensor2Tensor. bindings/wasm/enums.cpp does not compile where the two differ.
 */
export const enums = {
  LogitStage: ['raw', 'capped', 'biased'],
  Direction: ['both', 'forward', 'backward'],
  Score: ['dot', 'additive'],
  NormalizerKind: ['softmax', 'relu', 'sigmoid', 'argmax', 'sampled', 'topK', 'sparsemax', 'entmax15'],
  FeatureScore: ['bounded', 'tanh', 'elu'],
  /** The first word of a pattern's node (src/attention/pattern/program.hpp): leaves, then what joins nodes. */
  PatternOp: [
    ...['all', 'band', 'atrous', 'blocks', 'segments', 'periodicKeys', 'global', 'random', 'axial', 'neighbors'],
    ...['csr', 'bitmask', 'buckets', 'or', 'and', 'not', 'perHead'],
  ],
  FeatureMap: ['identity', 'elu1', 'relu', 'squaredRelu', 'exp', 'taylor', 'favor+', 'softmax'],
  UpdateRule: ['linear', 'gated', 'delta', 'gatedDelta'],
  SoftmaxKind: ['softmax', 'logSoftmax', 'logSumExp'],
  WeightFormat: ['strided', 'panels', 'int8', 'int8Precise'],
  Arithmetic: ['add', 'subtract', 'multiply', 'divide', 'minimum', 'maximum'],
  Elementary: ['abs', 'exp', 'log'],
  Activation: ['none', 'relu', 'gelu', 'geluTanh', 'silu', 'elu', 'leakyRelu', 'tanh', 'sigmoid'],
  RowNorm: ['layer', 'rms'],
  Pooling: ['max', 'mean', 'sum'],
  RecurrentCell: ['tanh', 'relu', 'gru', 'gruResetBefore', 'lstm'],
  SinusoidalForm: ['interleaved', 'splitHalf', 'tensor2tensor'],
  ListedOperation: [
    ...['tableRows', 'unpackWeights', 'rowNorm', 'matmul', 'rotary', 'appendRows', 'attention', 'arithmetic', 'gate'],
    'activation',
  ],
};

/**
 * The block of a gradient: the forward call's block as it was run, its arrays unchanged since; the gradients of its outputs, which
 * are read; those of its inputs, which are added to (0 = not wanted), each at the strides of its array; and `more`.
 */
const backward = (forward, outputs, inputs, more = {}) => ({
  forward: `const ${forward}Block*`,
  ...all('const f32*', ...outputs),
  ...all('f32*', ...inputs),
  ...more,
});

/**
 * bPlain: the factor as plain [out, in] rows where it is packed; then dB is of that layout. fresh: bit 0 where dA is written and not
 * read, bit 1 where dB is.
 */
const productBackward = (forward) => backward(forward, ['dC'], ['dA', 'dB', 'dBias'], { bPlain: 'const f32*', fresh: 'u32' });

/** The C++ struct of NAME is NAMEBlock; a block stands after those it points to. */
export const blocks = {
  /** Score function, biases, normalizer and weight scale of an attention call. */
  Variant: {
    score: 'u32', // Score
    ...array('scoreWeights', 'const f32*', 'Head'),
    scoreActivation: 'u32', // Activation: of an additive score
    scoreSlope: 'f32', // of leakyRelu
    ...relativeTable('relativeBias'),
    ...array('bucketTable', 'const f32*', 'Bucket', 'Head'), // T5
    ...all('u32', 'buckets', 'bucketMaxDistance', 'bucketBidirectional'),
    ...array('gaussianCenter', 'const f32*', 'Batch', 'Head', 'Query'),
    ...array('gaussianSigma', 'const f32*', 'Batch', 'Head', 'Query'),
    direction: 'u32', // Direction
    ...array('edgeBiases', 'const f32*', 'Batch', 'Head'), // [edges] of unit stride
    ...mask('pairBias', 'const f32*'),
    ...relativeTable('relativeKeys'),
    ...relativeTable('relativeValues'),
    temperature: 'f32',
    normalizer: 'u32', // NormalizerKind
    normalizerBias: 'f32',
    normalizerScaled: 'u32',
    normalizerK: 'u32',
    seed: 'u64',
    ...mask('weightScale', 'const f32*'),
    weightScaleAppended: 'u32', // whether appended keys are scaled, too
    ...array('weightCenter', 'const f32*', 'Batch', 'Head', 'Query'),
    ...array('weightSigma', 'const f32*', 'Batch', 'Head', 'Query'),
  },

  /** Attention, its logits, and the counts that a call with plans needs. */
  Attention: {
    ...attentionSizes,
    ...qkvOutput,
    weights: 'f32*',
    lse: 'f32*',
    logits: 'f32*',
    logitStage: 'u32',
    scale: 'f32',
    softcap: 'f32', // 0 = none
    causal: 'u32',
    ...all('i32', 'windowLeft', 'windowRight'), // -1 = unbounded
    offsets: 'const i32*', // [batch]: the position of query 0
    keyLengths: 'const i32*', // [batch]
    ...mask('boolMask', 'const u8*'),
    ...mask('floatMask', 'const f32*'),
    ...array('keyBoolMask', 'const u8*', 'Batch'), // [batch, keys] of unit stride, beside the others
    ...array('keyFloatMask', 'const f32*', 'Batch'),
    appendedKeys: 'u32', // the last of the keys, which masks do not cover
    alibiSlopes: 'const f32*', // [heads]
    sinks: 'const f32*', // [heads]
    ...all('u32', 'queryFrom', 'queryTo'),
    plans: 'const u32* const*', // [batch, heads]: a compiled pattern each
    sparseIndptr: 'const i32*',
    sparseIndices: 'const i32*',
    sparseValues: 'f32*',
    ...all('u32', 'unitFrom', 'unitTo'),
    state: 'f32*',
    variant: 'const VariantBlock*',
    ...all('u32', 'variantBatch', 'variantHead', 'variantQuery'), // where this block begins in the whole call
    allHeads: 'u32', // of the whole call
    ...all('u32', 'kvFloat16', 'kvSinkTokens', 'kvEvictedRows', 'kvWindow'), // KvLayout; kvWindow 0 = none
    kvIrregular: 'const u32*', // 0 there: KvLayout::converts_inline
  },

  /** One of the parts that combine merges: the words of the core's CombinePart. */
  Part: { ...heads('output', 'const f32*'), ...heads('lse', 'const f32*') },

  Combine: {
    ...all('u32', 'batch', 'heads', 'queries', 'valueWidth'),
    parts: 'const PartBlock*', // [count]
    count: 'u32',
    ...heads('output', 'f32*'),
    lse: 'f32*',
    sinks: 'const f32*',
  },

  MultiDimensional: {
    attention: 'const AttentionBlock*', // multi_dimensional.hpp reads a part of it
    score: 'u32', // FeatureScore
    bound: 'f32',
    ...array('w', 'const f32*', 'Row', 'Column'),
    bias: 'const f32*',
  },

  /** Appends rows to the keys, or to the values, of a cache. */
  Append: {
    ...all('u32', 'batch', 'heads', 'tokens', 'width'),
    ...heads('from', 'const f32*'),
    rows: 'void*', // f32, or f16 where float16 is not 0
    ...all('u32', 'float16', 'capacity', 'at'),
    irregular: 'u32*', // of float16: the core sets it; 0 = not wanted
  },

  /** One call of a list. */
  ListedCall: { operation: 'u32', block: 'u32' },

  /** Calls that are made one after another. */
  List: { calls: 'const ListedCallBlock*', count: 'u32' },

  /** One batch entry and query head of a call with a pattern. */
  Pattern: {
    ...all('u32', 'queries', 'keys', 'appendedKeys', 'batch', 'head'), // keys without the appended ones
    offset: 'i32', // the position of query 0
    length: 'u32',
    causal: 'u32',
    ...all('i32', 'windowLeft', 'windowRight'), // -1 = unbounded
    direction: 'u32',
    edges: 'u32', // whether the pairs of graphs are numbered for edgeBiases
    program: 'const i32*',
    programWords: 'u32',
    ...array('boolMask', 'const u8*', 'Query', 'Key'),
    ...array('floatMask', 'const f32*', 'Query', 'Key'),
    keyBoolMask: 'const u8*', // of unit stride
    keyFloatMask: 'const f32*',
    counts: 'i32*',
    indices: 'i32*',
    plan: 'u32*', // [2]: the address of the compiled plan, which the caller releases, and its bytes
  },

  Lsh: {
    ...all('u32', 'batch', 'heads', 'tokens', 'width'),
    ...heads('x', 'const f32*'),
    ...all('u32', 'buckets', 'rounds'),
    seed: 'u64',
    ids: 'i32*', // [rounds, batch, heads, tokens]
  },

  Linear: {
    ...attentionSizes,
    ...qkvOutput,
    ...all('u32', 'featureMap', 'randomFeatures'),
    projection: 'const f32*',
    ...all('u32', 'rule', 'causal', 'normalize'),
    ...all('f32', 'queryScale', 'keyScale', 'outputScale', 'eps'),
    keyLengths: 'const i32*',
    ...heads('decay', 'const f32*'), // decayWidth numbers for every key
    decayWidth: 'u32',
    ...heads('beta', 'const f32*'),
    chunk: 'u32',
    ...all('f32*', 's', 'z', 'm'), // the state: read and written
  },

  /** Rows of length 1: unit_rows. */
  UnitRows: {
    ...all('u32', 'batch', 'heads', 'tokens', 'width'),
    ...heads('x', 'const f32*'),
    y: 'f32*',
  },

  FavorProjection: {
    ...all('u32', 'features', 'width'),
    seed: 'u64',
    redraw: 'u32', // added above the 53 bits of the seed
    projection: 'f32*',
  },

  /** The feature map of `rows` rows: write_feature_rows. */
  Features: {
    ...all('u32', 'rows', 'width'),
    ...array('x', 'const f32*', 'Row'),
    scale: 'f32',
    ...all('u32', 'featureMap', 'randomFeatures'),
    projection: 'const f32*',
    shared: 'u32', // one stabilizer for all rows
    y: 'f32*',
  },

  /** Entries of a random parameter. */
  Normals: {
    count: 'u32',
    name: 'u32', // FNV-1a of the parameter's name
    seed: 'u64',
    scale: 'f32',
    y: 'f32*',
  },

  /** Samples of a selection: selection_samples. */
  Selection: {
    ...all('u32', 'batch', 'tokens', 'role'),
    seed: 'u64',
    probability: 'const f32*', // [batch, tokens]
    samples: 'i32*', // [batch, tokens]
  },

  Elementary: { kind: 'u32', count: 'u32', x: 'const f32*', y: 'f32*' },

  Matmul: {
    ...all('u32', 'rows', 'inner', 'columns'),
    ...array('a', 'const f32*', 'Row', 'Column'),
    ...array('b', 'const f32*', 'Row', 'Column'),
    bFormat: 'u32', // WeightFormat
    bias: 'const f32*',
    ...array('c', 'f32*', 'Row'),
  },

  /** Rows and columns of a matrix [in, out], and their place among its panels: in int8 all rows, beginning with column `first`. */
  PackWeights: {
    format: 'u32', // WeightFormat
    ...all('u32', 'rows', 'columns'),
    ...array('b', 'const f32*', 'Row', 'Column'),
    panels: 'f32*',
    ...all('u32', 'panelStride', 'first', 'allColumns'),
  },

  UnpackWeights: {
    format: 'u32', // WeightFormat
    ...all('u32', 'rows', 'columns'),
    panels: 'const f32*',
    ...all('u32', 'panelStride', 'first', 'allColumns'),
    list: 'const u32*', // [columns], or absent: those from the first on
    ...array('out', 'f32*', 'Row', 'Column'),
  },

  /** A product whose rows end in an activation. */
  LinearLayer: {
    ...all('u32', 'rows', 'inner', 'columns'),
    ...array('a', 'const f32*', 'Row'),
    ...array('b', 'const f32*', 'Row', 'Column'),
    bFormat: 'u32', // WeightFormat
    bias: 'const f32*',
    c: 'f32*',
    activation: 'u32',
    parameter: 'f32', // of the activation
  },

  Softmax: { kind: 'u32', x: 'const f32*', y: 'f32*', ...all('u32', 'outer', 'length', 'inner') },

  Activation: {
    activation: 'u32',
    parameter: 'f32',
    ...array('x', 'const f32*', 'Row'),
    ...all('u32', 'rows', 'columns'),
    y: 'f32*',
  },

  Gate: { activation: 'u32', parameter: 'f32', x: 'const f32*', ...all('u32', 'rows', 'half'), y: 'f32*' },

  Arithmetic: {
    kind: 'u32',
    scale: 'f32',
    rank: 'u32',
    ...all('const i32*', 'lengths', 'aStrides', 'bStrides'),
    ...all('const f32*', 'a', 'b'),
    y: 'f32*',
  },

  Blend: {
    rank: 'u32',
    ...all('const i32*', 'lengths', 'aStrides', 'bStrides', 'gateStrides'),
    ...all('const f32*', 'a', 'b', 'gate'),
    y: 'f32*',
  },

  /** Numbers moved to other strides. */
  Copy: {
    rank: 'u32',
    ...all('const i32*', 'lengths', 'xStrides', 'yStrides'),
    x: 'const f32*',
    y: 'f32*',
  },

  CumulativeSum: { x: 'const f32*', ...all('u32', 'outer', 'length', 'inner'), y: 'f32*' },

  /** Rows taken by their indices, or added up. */
  ListedRows: {
    ...all('u32', 'outer', 'length', 'inner'),
    indices: 'const i32*',
    count: 'u32',
    x: 'const f32*',
    y: 'f32*',
  },

  Argmax: { x: 'const f32*', ...all('u32', 'outer', 'length', 'inner'), y: 'i32*' },

  RowNorm: {
    kind: 'u32',
    ...all('u32', 'outer', 'length', 'inner'),
    ...array('x', 'const f32*', 'Outer'),
    ...all('const f32*', 'residual', 'weight', 'bias'),
    eps: 'f32',
    y: 'f32*',
  },

  Pooling: {
    kind: 'u32',
    ...all('u32', 'outer', 'length', 'outLength', 'inner', 'kernel', 'stride', 'padding', 'countPadding'),
    x: 'const f32*',
    y: 'f32*',
  },

  Conv1d: {
    ...all('u32', 'batch', 'inChannels', 'outChannels', 'groups', 'tokens', 'outTokens', 'kernel', 'stride', 'dilation'),
    ...all('u32', 'padding', 'channelsLast'),
    ...all('const f32*', 'x', 'weight', 'bias'),
    y: 'f32*',
  },

  RecurrentDirection: {
    ...all('const f32*', 'weightIh', 'weightHh', 'biasIh', 'biasHh', 'weightHr', 'initialHidden', 'initialCell'),
    ...all('f32*', 'lastHidden', 'lastCell'),
  },

  Recurrent: {
    kind: 'u32',
    updateReplaces: 'u32',
    ...all('u32', 'batch', 'tokens', 'width', 'hidden', 'state'),
    ...array('x', 'const f32*', 'Batch', 'Token'),
    ...array('output', 'f32*', 'Batch', 'Token'),
    lengths: 'const i32*',
    ...all('const RecurrentDirectionBlock*', 'forward', 'backward'), // 0 = the layer has no such direction
  },

  Sinusoidal: { form: 'u32', ...all('u32', 'tokens', 'width'), start: 'i32', base: 'f64', y: 'f32*' },

  /** Rows of a learned table. */
  TableRows: {
    table: 'const f32*',
    ...all('u32', 'rows', 'width'),
    positions: 'const i32*', // 0 = from start on
    start: 'i32',
    tokens: 'u32',
    y: 'f32*',
  },

  Rotary: {
    interleaved: 'u32',
    ...all('u32', 'batch', 'heads', 'tokens', 'width', 'rotary'),
    ...heads('x', 'const f32*'),
    ...heads('output', 'f32*'),
    ...array('positions', 'const i32*', 'Batch'),
    start: 'i32',
    ...all('f64', 'base', 'scale', 'ntk'),
    ...all('f64', 'factor', 'lowFrequency', 'highFrequency', 'originalTokens'), // Llama 3
    ...all('const f32*', 'cos', 'sin'),
    tableRows: 'u32',
  },

  MatmulBackward: productBackward('Matmul'),

  /** The layer has no activation. */
  LinearLayerBackward: productBackward('LinearLayer'),

  ArithmeticBackward: backward('Arithmetic', ['dY'], ['dA', 'dB']),

  BlendBackward: backward('Blend', ['dY'], ['dA', 'dB', 'dGate']),

  /** Where the call wrote y over x: by the result, of the functions that it tells. fresh: whether dX is written and not read. */
  ActivationBackward: backward('Activation', ['dY'], ['dX'], { fresh: 'u32' }),

  GateBackward: backward('Gate', ['dY'], ['dX']),

  ElementaryBackward: backward('Elementary', ['dY'], ['dX']),

  CumulativeSumBackward: backward('CumulativeSum', ['dY'], ['dX']),

  CopyBackward: backward('Copy', ['dY'], ['dX']),

  SoftmaxBackward: backward('Softmax', ['dY'], ['dX']),

  RowNormBackward: backward('RowNorm', ['dY'], ['dX', 'dResidual', 'dWeight', 'dBias']),

  /** Rows were taken by their indices, or added up. */
  ListedRowsBackward: backward('ListedRows', ['dY'], ['dX']),

  TableRowsBackward: backward('TableRows', ['dY'], ['dTable']),

  /** dB: plain rows [allColumns, rows]. */
  UnpackWeightsBackward: backward('UnpackWeights', ['dOut'], ['dB']),

  RotaryBackward: backward('Rotary', ['dOutput'], ['dX']),

  AttentionBackward: backward(
    'Attention',
    ['dOutput', 'dWeights', 'dSparseValues', 'dLse'],
    [
      ...['dQ', 'dK', 'dV', 'dFloatMask', 'dKeyFloatMask', 'dSinks'],
      // Gradients of the variant's arrays:
      ...['dPairBias', 'dRelativeBias', 'dBucketTable', 'dRelativeKeys', 'dRelativeValues', 'dWeightScale'],
      ...['dScoreWeights', 'dEdgeBiases'],
    ],
  ),

  PoolingBackward: backward('Pooling', ['dY'], ['dX']),

  Conv1dBackward: backward('Conv1d', ['dY'], ['dX', 'dWeight', 'dBias']),

  UnitRowsBackward: backward('UnitRows', ['dY'], ['dX']),

  /** The call is of the linear rule, and began with an empty state. */
  LinearBackward: backward('Linear', ['dOutput'], ['dQ', 'dK', 'dV']),

  RecurrentDirectionBackward: {
    ...all('f32*', 'dWeightIh', 'dWeightHh', 'dBiasIh', 'dBiasHh', 'dWeightHr', 'dInitialHidden', 'dInitialCell'),
    ...all('const f32*', 'dLastHidden', 'dLastCell'),
  },

  /** dForward, dBackward: the gradients of the directions that the call has. */
  RecurrentBackward: backward('Recurrent', ['dOutput'], ['dX'], {
    ...all('const RecurrentDirectionBackwardBlock*', 'dForward', 'dBackward'),
  }),

  CrossEntropy: {
    ...all('u32', 'rows', 'classes'),
    ...array('x', 'const f32*', 'Row'),
    targets: 'const i32*',
    ignoreIndex: 'i32',
    weights: 'const f32*', // [rows]
    statistics: 'f32*', // [rows, 2], for the gradient
    loss: 'f32*',
  },

  CrossEntropyBackward: backward('CrossEntropy', ['dLoss'], ['dX']),

  MeanSquaredError: { count: 'u32', ...all('const f32*', 'x', 'target'), loss: 'f32*' },

  MeanSquaredErrorBackward: backward('MeanSquaredError', ['dLoss'], ['dX', 'dTarget']),

  /** The sum of squares, in double. */
  SquaredNorm: { count: 'u32', x: 'const f32*', norm: 'f64*' },

  /** x <- factor x */
  Scale: { count: 'u32', factor: 'f32', x: 'f32*' },

  Sgd: {
    ...all('f64', 'learningRate', 'momentum', 'dampening', 'weightDecay'),
    ...all('u32', 'nesterov', 'isFirst', 'count'), // isFirst: the moment is not read
    gradient: 'const f32*',
    ...all('f32*', 'parameter', 'moment'), // moment: 0 without momentum
  },

  Adam: {
    ...all('f64', 'learningRate', 'beta1', 'beta2', 'eps', 'weightDecay', 'beta1Power', 'beta2Power'), // beta^t, t = 1, 2, …
    ...all('u32', 'decoupled', 'count'), // decoupled: AdamW
    gradient: 'const f32*',
    ...all('f32*', 'parameter', 'firstMoment', 'secondMoment'),
  },
};
