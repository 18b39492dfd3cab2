/** The entry `fovea/score`: how a query and a key are compared. */
export { AttentionError, type ErrorCode } from '../errors.ts';
export { score, type ScoreBuilders } from './builders.ts';
export { multiDimensionalAttention } from './multi_dimensional.ts';
export type { Score } from './score.ts';
export type * from './types.ts';
