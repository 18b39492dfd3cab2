/** The calls of modules, with seeded or drawn weights: { CLASS: [how many of about 2000, (context) => results] }. */
import { drawBiases, given, maybe } from './options.mjs';
import { drawPattern } from './patterns.mjs';
import { label } from './record.mjs';

const LENGTHS = [1, 3, 5, 33, 65];
const WIDTHS = [1, 7, 8, 64];

/** A module with weights of its seed, or with drawn ones, biases too. */
function make(c, name, options, ...before) {
  const module = c.make(name, ...before, given({ ...options, seed: c.integer(0, 1e6) }));
  if (c.chance(0.6))
    module.loadStateDict(
      new Map([...module.stateDict()].map(([key, { shape }]) => [key, c.floats(shape, 1 / Math.sqrt(shape.at(-1)))])),
    );
  return module;
}

/** `forward`, whose arguments go into the description. */
function forward(c, module, ...args) {
  c.note('forward', args);
  const result = module.forward(...args);
  return 'shape' in result ? { y: result } : result;
}

/** [B?, T, width], or [T, B, width] where the batch is not first. */
function sequence(c, B, T, width, batchFirst = true) {
  const shape = batchFirst ? [B, T, width] : [T, B, width];
  return c.array(B === 0 ? [T, width] : shape);
}

const noBias = (c) => maybe(c, 0.3, () => false);

function Linear(c) {
  const [inFeatures, outFeatures] = [c.pick(...WIDTHS), c.pick(...WIDTHS)];
  const activation = maybe(c, 0.5, () => c.pick('relu', 'gelu', 'geluTanh', 'silu', 'tanh', 'sigmoid'));
  const module = make(c, 'Linear', { inFeatures, outFeatures, bias: noBias(c), activation });
  return forward(c, module, sequence(c, c.integer(0, 2), c.pick(...LENGTHS), inFeatures));
}

function norm(name) {
  return (c) => {
    const width = c.pick(...WIDTHS);
    const options = {
      normalizedShape: width,
      eps: maybe(c, 0.4, () => 1e-3),
      bias: name === 'LayerNorm' ? noBias(c) : undefined,
    };
    const shape = [c.pick(1, 3), c.pick(...LENGTHS), width];
    const residual = c.chance(0.4) ? [{ residual: c.array(shape) }] : [];
    return forward(c, make(c, name, options), c.array(shape), ...residual);
  };
}

function FeedForward(c) {
  const dModel = c.pick(...WIDTHS);
  const activation = maybe(c, 0.5, () => c.pick('gelu', 'silu'));
  const module = make(c, 'FeedForward', { dModel, dimFeedforward: c.pick(8, 130), activation, bias: noBias(c) });
  return forward(c, module, sequence(c, c.integer(0, 2), c.pick(...LENGTHS), dModel));
}

function convolution(name) {
  return (c) => {
    const channels = c.pick(2, 6, 8);
    const layout = c.pick('btd', 'bct');
    const [T, K] = [c.pick(5, 33, 65), c.pick(1, 3, 5)];
    const options = {
      inChannels: channels,
      outChannels: channels,
      kernelSize: K,
      padding: c.pick('same', 'causal'),
      dilation: maybe(c, 0.3, () => 2),
      groups: maybe(c, 0.3, () => 2),
      layout,
      bias: noBias(c),
      residual: name === 'Conv1dGLU' ? maybe(c, 0.5, () => true) : undefined,
    };
    return forward(c, make(c, name, options), c.array(layout === 'btd' ? [2, T, channels] : [2, channels, T]));
  };
}

function Residual(c) {
  const width = c.pick(...WIDTHS);
  const inner = label(make(c, 'Linear', { inFeatures: width, outFeatures: width }), 'Linear');
  const module = c.make('Residual', inner, given({ scale: maybe(c, 0.5, () => 0.7) }));
  return forward(c, module, sequence(c, 1, c.pick(...LENGTHS), width));
}

function recurrent(name) {
  return (c) => {
    const [inputSize, hiddenSize, B, T] = [c.pick(...WIDTHS), c.pick(1, 7, 33), c.pick(0, 1, 3), c.pick(1, 5, 33)];
    const options = {
      inputSize,
      hiddenSize,
      numLayers: maybe(c, 0.4, () => 2),
      bias: noBias(c),
      batchFirst: maybe(c, 0.3, () => false),
      bidirectional: maybe(c, 0.3, () => true),
      nonlinearity: name === 'RNN' ? maybe(c, 0.4, () => 'relu') : undefined,
      projSize: name === 'LSTM' && hiddenSize > 1 ? maybe(c, 0.3, () => c.integer(1, hiddenSize - 1)) : undefined,
    };
    return forward(c, make(c, name, options), sequence(c, B, T, inputSize, options.batchFirst));
  };
}

/** attnMask, keyPaddingMask and rules of a module's attention. */
function drawModuleRules(c, { B, H, Tq, Tk }, appends = false) {
  const isBatched = B > 0;
  const mask = (shape) => (c.chance(0.5) ? c.booleans(shape, 0.2) : c.floats(shape));
  return given({
    attnMask: maybe(c, 0.3, () => mask(isBatched && c.chance(0.4) ? [B * H, Tq, Tk] : [Tq, Tk])),
    keyPaddingMask: maybe(c, 0.3, () => mask(isBatched ? [B, Tk] : [Tk])),
    causal: maybe(c, 0.3, () => true),
    window: maybe(c, 0.2, () => [c.integer(0, 20), c.integer(0, 5)]),
    softcap: maybe(c, 0.1, () => 5),
    bias: appends
      ? maybe(c, 0.2, () => c.api.bias.alibi())
      : maybe(c, 0.2, () => drawBiases(c, { B: Math.max(1, B), H, Tq, Tk })),
  });
}

function MultiHeadAttention(c) {
  const numHeads = c.pick(1, 2, 4);
  const embedDim = numHeads * c.pick(1, 7, 16);
  const [B, Tq, Tk] = [c.pick(0, 1, 2), c.pick(...LENGTHS), c.pick(...LENGTHS)];
  const other = c.chance(0.3);
  const options = {
    embedDim,
    numHeads,
    kdim: other ? 5 : undefined,
    vdim: other ? 9 : undefined,
    bias: noBias(c),
    addBiasKv: maybe(c, 0.25, () => true),
    addZeroAttn: maybe(c, 0.25, () => true),
    batchFirst: maybe(c, 0.2, () => false),
    averageWeights: maybe(c, 0.4, () => c.chance(0.5)),
    kvHeads: maybe(c, 0.25, () => 1),
    headDim: maybe(c, 0.2, () => 5),
  };
  const module = make(c, 'MultiHeadAttention', options);
  const place = { B: Math.max(1, B), H: numHeads, Tq, Tk, first: 0, last: Tq - 1 };
  const appends = options.addBiasKv || options.addZeroAttn;
  const rules = {
    ...drawModuleRules(c, { B, H: numHeads, Tq, Tk }, appends),
    pattern: appends ? undefined : maybe(c, 0.15, () => drawPattern(c, place)),
    returnWeights: maybe(c, 0.4, () => true),
    returnLse: maybe(c, 0.15, () => true),
    trace: maybe(c, 0.1, () => true),
  };
  const inputs = [embedDim, options.kdim ?? embedDim, options.vdim ?? embedDim].map((width, n) =>
    sequence(c, B, n === 0 ? Tq : Tk, width, options.batchFirst),
  );
  return forward(c, module, ...inputs, given(rules));
}

function SelfAttention(c) {
  const heads = c.pick(1, 2, 4);
  const dim = heads * c.pick(1, 7, 16);
  const [B, T] = [c.pick(0, 1, 2), c.pick(...LENGTHS)];
  const options = {
    dim,
    heads,
    kvHeads: maybe(c, 0.3, () => 1),
    headDim: maybe(c, 0.2, () => 5),
    outDim: maybe(c, 0.2, () => 9),
    bias: maybe(c, 0.4, () => true),
  };
  const { attnMask, keyPaddingMask, ...rules } = drawModuleRules(c, { B, H: heads, Tq: T, Tk: T });
  return forward(c, make(c, 'SelfAttention', options), sequence(c, B, T, dim), {
    ...rules,
    ...given({ returnWeights: maybe(c, 0.3, () => true) }),
  });
}

function layerOptions(c, nHead) {
  return {
    dModel: nHead * c.pick(2, 7, 16),
    nHead,
    dimFeedforward: c.pick(8, 65),
    activation: maybe(c, 0.5, () => c.pick('gelu', 'geluTanh', 'relu')),
    layerNormEps: maybe(c, 0.2, () => 1e-3),
    normFirst: maybe(c, 0.5, () => true),
    bias: noBias(c),
    batchFirst: maybe(c, 0.2, () => false),
  };
}

function encoder(name) {
  return (c) => {
    const nHead = c.pick(1, 2, 4);
    const [B, T] = [c.pick(0, 1, 2), c.pick(...LENGTHS)];
    const stack = name === 'TransformerEncoder' ? { numLayers: 2, finalNorm: maybe(c, 0.5, () => true) } : {};
    const options = { ...layerOptions(c, nHead), ...stack };
    const x = sequence(c, B, T, options.dModel, options.batchFirst);
    return forward(c, make(c, name, options), x, drawModuleRules(c, { B, H: nHead, Tq: T, Tk: T }));
  };
}

function decoder(name) {
  return (c) => {
    const nHead = c.pick(1, 2, 4);
    const [B, T, Tm] = [c.pick(0, 1, 2), c.pick(...LENGTHS), c.pick(...LENGTHS)];
    const stack = name === 'TransformerDecoder' ? { numLayers: 2, finalNorm: maybe(c, 0.5, () => true) } : {};
    const options = { ...layerOptions(c, nHead), ...stack };
    const inputs = [T, Tm].map((length) => sequence(c, B, length, options.dModel, options.batchFirst));
    const memory = given({
      memoryMask: maybe(c, 0.3, () => c.booleans([T, Tm], 0.2)),
      memoryKeyPaddingMask: maybe(c, 0.3, () => c.booleans(B > 0 ? [B, Tm] : [Tm], 0.2)),
    });
    return forward(c, make(c, name, options), ...inputs, { ...drawModuleRules(c, { B, H: nHead, Tq: T, Tk: T }), ...memory });
  };
}

const each = (weight, names, build) => Object.fromEntries(names.map((name) => [name, [weight, build(name)]]));

export const calls = {
  Linear: [10, Linear],
  ...each(8, ['LayerNorm', 'RMSNorm'], norm),
  FeedForward: [10, FeedForward],
  ...each(12, ['Conv1d', 'Conv1dGLU'], convolution),
  Residual: [6, Residual],
  ...each(14, ['RNN', 'GRU', 'LSTM'], recurrent),
  MultiHeadAttention: [40, MultiHeadAttention],
  SelfAttention: [16, SelfAttention],
  ...each(18, ['TransformerEncoderLayer', 'TransformerEncoder'], encoder),
  ...each(18, ['TransformerDecoderLayer', 'TransformerDecoder'], decoder),
};
