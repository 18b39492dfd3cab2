/** The parameter blocks of layers, as bindings/wasm/layer_blocks.hpp declares them; see ../abi.ts. */

export const ACTIVATION_FIELDS = ['activation', 'parameter', 'x', 'xRow', 'rows', 'columns', 'y'] as const;

export const GATE_FIELDS = ['activation', 'parameter', 'x', 'rows', 'half', 'y'] as const;

export const ADD_FIELDS = ['a', 'b', 'count', 'bCount', 'scale', 'y'] as const;

// prettier-ignore
export const ROW_NORM_FIELDS = [
  'kind', 'outer', 'length', 'inner', 'x', 'xOuter', 'residual', 'weight', 'bias', 'eps', 'y',
] as const;

// prettier-ignore
export const POOLING_FIELDS = [
  'kind', 'outer', 'length', 'outLength', 'inner', 'kernel', 'stride', 'padding', 'countPadding', 'x', 'y',
] as const;

// prettier-ignore
export const CONV1D_FIELDS = [
  'batch', 'inChannels', 'outChannels', 'groups', 'tokens', 'outTokens', 'kernel', 'stride', 'dilation', 'padding',
  'channelsLast', 'x', 'weight', 'bias', 'y',
] as const;

// prettier-ignore
export const LINEAR_LAYER_FIELDS = [
  'rows', 'inner', 'columns', 'a', 'aRow', 'b', 'bRow', 'bColumn', 'bias', 'c', 'activation', 'parameter',
] as const;

export const BLOCKS = [
  ACTIVATION_FIELDS,
  GATE_FIELDS,
  ADD_FIELDS,
  ROW_NORM_FIELDS,
  POOLING_FIELDS,
  CONV1D_FIELDS,
  LINEAR_LAYER_FIELDS,
];

/** The places are those of the core's enum Activation. */
export const ACTIVATIONS = ['none', 'relu', 'gelu', 'geluTanh', 'silu', 'elu', 'leakyRelu', 'tanh', 'sigmoid'] as const;
export const NORMS = ['layerNorm', 'rmsNorm'] as const;
export const POOLINGS = ['maxPool', 'meanPool'] as const;
