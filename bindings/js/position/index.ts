/** The entry `fovea/position`: vectors and rotations that tell tokens where they are. */
export { AttentionError, type ErrorCode } from '../errors.ts';
export { learned } from './learned.ts';
export { recurrent } from './recurrent.ts';
export { rotary } from './rotary.ts';
export { sinusoidal } from './sinusoidal.ts';
export type { RecurrentParams, RecurrentState } from '../recurrent/types.ts';
export type * from './types.ts';
