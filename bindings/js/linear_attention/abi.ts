/** The parameter blocks of linear attention, as bindings/wasm/linear_blocks.hpp declares them; see ../abi.ts. */

// prettier-ignore
export const LINEAR_FIELDS = [
  'batch', 'heads', 'kvHeads', 'queries', 'keys', 'width', 'valueWidth', 'q', 'qBatch', 'qHead', 'qToken', 'k',
  'kBatch', 'kHead', 'kToken', 'v', 'vBatch', 'vHead', 'vToken', 'output', 'outputBatch', 'outputHead',
  'outputToken', 'featureMap', 'randomFeatures', 'projection', 'rule', 'causal', 'normalize', 'queryScale',
  'keyScale', 'outputScale', 'eps', 'keyLengths', 'decay', 'decayBatch', 'decayHead', 'decayToken', 'decayWidth',
  'beta', 'betaBatch', 'betaHead', 'betaToken', 'chunk', 's', 'z', 'm',
] as const;

// prettier-ignore
export const FAVOR_FIELDS = [
  'features', 'width', 'seedLow', 'seedHigh', 'projection',
] as const;

// prettier-ignore
export const FEATURES_FIELDS = [
  'rows', 'width', 'x', 'xRow', 'scale', 'featureMap', 'randomFeatures', 'projection', 'shared', 'y',
] as const;

// prettier-ignore
export const NORMALS_FIELDS = [
  'count', 'name', 'seedLow', 'seedHigh', 'scale', 'y',
] as const;

// prettier-ignore
export const LOGARITHM_FIELDS = [
  'count', 'x', 'y',
] as const;

export const BLOCKS = [LINEAR_FIELDS, FAVOR_FIELDS, FEATURES_FIELDS, NORMALS_FIELDS, LOGARITHM_FIELDS];
