/** The entry `fovea/position`: vectors and rotations that tell tokens where they are. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { learnedPositions } from './learned.ts';
export { recurrentPositions } from './recurrent.ts';
export { rotaryEmbedding } from './rotary.ts';
export { sinusoidalPositions } from './sinusoidal.ts';
export type { RecurrentParams, RecurrentState } from '../ops/recurrent/types.ts';
export type * from './types.ts';
