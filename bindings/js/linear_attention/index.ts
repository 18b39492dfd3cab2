/** The entry `fovea/linear-attention`: linear attention, its state, and other attention that grows with the tokens alone. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { approximation, type Approximation, type ApproximationMethod } from './approximation.ts';
export { favorProjection } from './favor_projection.ts';
export { linearAttention } from './linear_attention.ts';
export type { LinearState } from './linear_state.ts';
export { linformer, type LinformerOptions } from './linformer.ts';
export { linearState, linearStateFrom } from './make_state.ts';
export type * from './types.ts';
