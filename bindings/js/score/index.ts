/** The entry `fovea/score`: how a query and a key are compared, what is added to the score, how logits become weights. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { bias, type Bias, type BiasBuilders } from './bias.ts';
export { score, type ScoreBuilders } from './builders.ts';
export { multiDimensionalAttention } from './multi_dimensional.ts';
export { normalizer, type BuiltNormalizer, type NormalizerBuilders } from './normalizers.ts';
export type { Score } from './score.ts';
export type * from './types.ts';
