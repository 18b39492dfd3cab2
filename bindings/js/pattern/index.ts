/** The entry `fovea/pattern`: sparse attention's patterns. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { pattern, type PatternBuilders } from './builders.ts';
export type { LshPattern } from './lsh.ts';
export { Pattern } from './pattern.ts';
export type * from './types.ts';
