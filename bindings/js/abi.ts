/**
 * The parameter blocks, as bindings/wasm/blocks.hpp declares them: 32-bit words in this order. The hash of these names is
 * compared with the module's own when it is loaded.
 */

export const ATTENTION_FIELDS = [
  'batch',
  'heads',
  'kvHeads',
  'queries',
  'keys',
  'width',
  'valueWidth',
  'q',
  'qBatch',
  'qHead',
  'qToken',
  'k',
  'kBatch',
  'kHead',
  'kToken',
  'v',
  'vBatch',
  'vHead',
  'vToken',
  'output',
  'outputBatch',
  'outputHead',
  'outputToken',
  'weights',
  'lse',
  'logits',
  'logitStage',
  'scale',
  'softcap',
  'causal',
  'windowLeft',
  'windowRight',
  'offsets',
  'keyLengths',
  'boolMask',
  'boolMaskBatch',
  'boolMaskHead',
  'boolMaskQuery',
  'boolMaskKey',
  'floatMask',
  'floatMaskBatch',
  'floatMaskHead',
  'floatMaskQuery',
  'floatMaskKey',
  'alibiSlopes',
  'sinks',
  'queryFrom',
  'queryTo',
  'plans',
  'sparseIndptr',
  'sparseIndices',
  'sparseValues',
  'unitFrom',
  'unitTo',
  'state',
  'axes',
  'axesBatch',
  'axesHead',
  'axesQuery',
  'firstHead',
  'allHeads',
  'storeHalves',
  'storeKeepFirst',
  'storeShift',
  'storeWindow',
] as const;

/** What the block of attention points to where a call chooses a score, a bias or a normalizer. */
export const AXES_FIELDS = [
  'score',
  'scoreWeights',
  'scoreWeightsHead',
  'relativeBias',
  'relativeBiasHead',
  'relativeBiasClip',
  'bucketTable',
  'bucketTableBucket',
  'bucketTableHead',
  'buckets',
  'bucketMaxDistance',
  'bucketBidirectional',
  'gaussianCentre',
  'gaussianCentreBatch',
  'gaussianCentreHead',
  'gaussianCentreQuery',
  'gaussianSigma',
  'gaussianSigmaBatch',
  'gaussianSigmaHead',
  'gaussianSigmaQuery',
  'direction',
  'relativeKeys',
  'relativeKeysHead',
  'relativeKeysClip',
  'relativeValues',
  'relativeValuesHead',
  'relativeValuesClip',
  'temperature',
  'normalizer',
  'normalizerBias',
  'normalizerScaled',
  'normalizerK',
  'seedLow',
  'seedHigh',
] as const;

export const MATMUL_FIELDS = [
  'rows',
  'inner',
  'columns',
  'a',
  'aRow',
  'aColumn',
  'b',
  'bRow',
  'bColumn',
  'bias',
  'c',
  'cRow',
] as const;

export const SOFTMAX_FIELDS = ['kind', 'x', 'y', 'outer', 'length', 'inner'] as const;

export const COMBINE_FIELDS = [
  'batch',
  'heads',
  'queries',
  'valueWidth',
  'parts',
  'count',
  'output',
  'outputBatch',
  'outputHead',
  'outputToken',
  'lse',
  'sinks',
] as const;

/** Of one part, at `parts`: as many of these one after another as `count` says. */
export const PART_FIELDS = [
  'output',
  'outputBatch',
  'outputHead',
  'outputToken',
  'lse',
  'lseBatch',
  'lseHead',
  'lseToken',
] as const;

/** One batch entry and query head of a call with a pattern. */
// prettier-ignore
export const PATTERN_FIELDS = [
  'queries', 'keys', 'batch', 'head', 'offset', 'length', 'causal', 'windowLeft', 'windowRight', 'direction', 'program',
  'programWords', 'boolMask', 'boolMaskQuery', 'boolMaskKey', 'floatMask', 'floatMaskQuery', 'floatMaskKey', 'counts',
  'indices', 'plan',
] as const;

// prettier-ignore
export const LSH_FIELDS = [
  'batch', 'heads', 'tokens', 'width', 'x', 'xBatch', 'xHead', 'xToken', 'buckets', 'rounds', 'seedLow', 'seedHigh',
  'ids',
] as const;

/** Fields that hold a float32; all others are integers. */
export const FLOAT_FIELDS: readonly string[] = [
  'scale',
  'softcap',
  'queryScale',
  'keyScale',
  'outputScale',
  'eps',
  'temperature',
  'normalizerBias',
  'parameter',
  'bound',
];

export const LOGIT_STAGES = ['raw', 'capped', 'biased'] as const;
export const SOFTMAX_KINDS = ['softmax', 'logSoftmax', 'logSumExp'] as const;

const BLOCKS = [
  ATTENTION_FIELDS,
  AXES_FIELDS,
  MATMUL_FIELDS,
  SOFTMAX_FIELDS,
  COMBINE_FIELDS,
  PART_FIELDS,
  PATTERN_FIELDS,
  LSH_FIELDS,
];

/** FNV-1a (32 bit) over the field names of all blocks, or of `blocks`, each followed by a line feed. */
export function abiHash(blocks: readonly (readonly string[])[] = BLOCKS): number {
  let hash = 2166136261;
  for (const name of blocks.flat()) {
    for (const c of `${name}\n`) hash = Math.imul(hash ^ c.charCodeAt(0), 16777619);
  }
  return hash >>> 0;
}
