/** The entry `fovea/mechanisms`: the named systems of the literature, as functions that take the instance first. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export * from './bahdanau.ts';
export * from './disan.ts';
export * from './distance_self_attention.ts';
export * from './hierarchical_attention.ts';
export * from './key_value_memory.ts';
export * from './key_value_predict.ts';
export * from './luong.ts';
export * from './luong_local.ts';
export * from './memory_network.ts';
export * from './ngram_rnn.ts';
export * from './saliency.ts';
export * from './structured_self_attention.ts';
export * from './transformer.ts';
export * from './transformer_generate.ts';
export type { LengthsOption, PartLengthsOption } from './system/lengths.ts';
export type { NestedParams, ParamInput } from './system/params.ts';
