/**
 * The parameter blocks, as bindings/wasm/blocks.hpp declares them: 32-bit words in this order. The hash of these names is
 * compared with the module's own when it is loaded.
 */
import type { PositionCore } from './position/abi.ts';
import type { RecurrentCore } from './recurrent/abi.ts';

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
] as const;

/** What the block of attention points to where a call chooses a score, a bias or a normalizer. */
export const AXES_FIELDS = [
  'score',
  'scoreWeights',
  'scoreWeightsHead',
  'distanceAlphas',
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
export const PATTERN_FIELDS = [
  'queries',
  'keys',
  'batch',
  'head',
  'offset',
  'length',
  'causal',
  'windowLeft',
  'windowRight',
  'program',
  'programWords',
  'boolMask',
  'boolMaskQuery',
  'boolMaskKey',
  'floatMask',
  'floatMaskQuery',
  'floatMaskKey',
  'counts',
  'indices',
  'plan',
] as const;

export const LSH_FIELDS = [
  'batch',
  'heads',
  'tokens',
  'width',
  'x',
  'xBatch',
  'xHead',
  'xToken',
  'buckets',
  'rounds',
  'seedLow',
  'seedHigh',
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

/** What bindings/wasm/module.cpp exports through Embind, with the memory that the glue adds. */
export interface CoreModule extends PositionCore, RecurrentCore {
  readonly wasmMemory: WebAssembly.Memory;
  /** The address of `bytes` new bytes (16-byte aligned), or 0 where memory is refused. */
  allocate(bytes: number): number;
  release(address: number): void;
  /** Each takes the address of its block and returns a status: an index into statusName. */
  attention(block: number): number;
  attentionLogits(block: number): number;
  combine(block: number): number;
  matmul(block: number): number;
  softmax(block: number): number;
  compilePattern(block: number): number;
  patternPairs(block: number): number;
  lshBuckets(block: number): number;
  linearAttention(block: number): number;
  favorProjection(block: number): number;
  featureRows(block: number): number;
  parameterNormals(block: number): number;
  logarithm(block: number): number;
  activation(block: number): number;
  gate(block: number): number;
  add(block: number): number;
  rowNorm(block: number): number;
  pooling(block: number): number;
  conv1d(block: number): number;
  linearLayer(block: number): number;
  /** How many units of work a call with plans has, and how many floats its `state`: each takes the block of the call. */
  unitCount(block: number): number;
  stateFloats(block: number): number;
  /** Starts threads until so many work, the caller counted; returns how many work. */
  startThreads(threads: number): number;
  stopThreads(): void;
  statusName(status: number): string;
  /** The size of the workspace that was refused by the last call that returned 'memory'. */
  refusedBytes(): number;
  abiHash(): number;
  /** Of the blocks that only fovea/linear writes. */
  linearAbiHash(): number;
  /** Of the blocks that only fovea/ops writes. */
  opsAbiHash(): number;
  version(): string;
  /** The build: one of the names of `Variant`. */
  variant(): string;
}
