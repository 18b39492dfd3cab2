/** The entry `fovea/ops`: the equations of layers, as functions that take the instance first. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export {
  elu,
  gelu,
  leakyRelu,
  relu,
  sigmoid,
  silu,
  tanh,
  type ActivationName,
  type GeluKind,
  type GeluOptions,
} from './activations.ts';
export { argmax, type IntegerArray } from './argmax.ts';
export { sample, type SampleOptions } from './sample.ts';
export { add, divide, maximum, minimum, multiply, subtract } from './arithmetic.ts';
export { blend } from './blend.ts';
export { conv1d, type Conv1dOptions } from './conv1d.ts';
export { abs, exp, log } from './elementary.ts';
export { embedding } from './embedding.ts';
export { geglu, glu, reglu, swiglu } from './gates.ts';
export { gather, scatterAdd, type GatherOptions, type ScatterAddOptions } from './listed_rows.ts';
export { layerNorm, rmsNorm, type LayerNormOptions, type RmsNormOptions } from './norms.ts';
export type { Padding } from './padding.ts';
export { maxPool, meanPool, sumPool, type MaxPoolOptions, type MeanPoolOptions } from './pooling.ts';
export { linear, logSoftmax, logSumExp, matmul, softmax } from './products.ts';
export { concat, transpose } from './rearrange.ts';
export { quantize } from './quantize.ts';
export type { PackedWeights } from './packed_weights.ts';
export * from './recurrent/index.ts';
export { cumulativeSum, sum } from './sums.ts';
export { frames, patches, type FramesOptions, type PatchesOptions } from './windows.ts';
export type { BareIntegers, IntegerInput, NestedIntegers } from '../tensor/integer_arrays.ts';
