/** The entry `fovea/mechanisms`: the named systems of the literature, as functions that take the instance first. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export * from '../../../build/generated/lists/mechanisms.ts';
export type { LengthsOption, PartLengthsOption } from './system/lengths.ts';
export type { NestedParams, ParamInput } from './system/params.ts';
export * from './system/random_params.ts';
