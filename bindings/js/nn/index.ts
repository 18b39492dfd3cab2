/**
 * The entry `fovea/nn`: layers that keep their weights in wasm memory, named and shaped as in PyTorch. They compute
 * what a trained network computes: there is no dropout, and no gradient.
 */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { CausalDecoder } from './causal_decoder.ts';
export type {
  CausalDecoderOptions,
  CausalForwardOptions,
  CausalWeights,
  CausalWeightsOptions,
} from './causal_decoder_options.ts';
export { CausalDecoderLayer, type CausalLayerForwardOptions } from './causal_decoder_layer.ts';
export type { CausalDecoderLayerOptions, RopeOptions } from './layer_config.ts';
export { Conv1d, type Conv1dModuleOptions } from './conv1d.ts';
export { Conv1dGLU, type Conv1dGLUOptions } from './conv1d_glu.ts';
export { Embedding, type EmbeddingOptions } from './embedding.ts';
export { FeedForward, type FeedForwardOptions } from './feed_forward.ts';
export { GRU, type GRUOptions } from './gru.ts';
export { LayerNorm, type LayerNormModuleOptions, type NormForwardOptions } from './layer_norm.ts';
export { Linear, type LinearOptions } from './linear.ts';
export { LSTM, type LSTMOptions } from './lstm.ts';
export { Module, type SeedOption } from './module.ts';
export { MultiHeadAttention, type MultiHeadAttentionOptions } from './multi_head_attention.ts';
export type { RecurrentModuleOptions, SequenceOptions } from './recurrent.ts';
export { Residual } from './residual.ts';
export { RMSNorm, type RMSNormModuleOptions } from './rms_norm.ts';
export { RNN, type RNNOptions } from './rnn.ts';
export type { EncoderForwardOptions, ForwardOptions, LayerForwardOptions } from './forward_options.ts';
export { SelfAttention, type SelfAttentionModuleOptions } from './self_attention.ts';
export type { LoadOptions, Rename, StateDict } from './state_dict.ts';
export { TransformerDecoder, type DecoderStackForwardOptions } from './transformer_decoder.ts';
export {
  TransformerDecoderLayer,
  type DecoderForwardOptions,
  type DecoderLayerForwardOptions,
} from './transformer_decoder_layer.ts';
export type { EncoderWindow, TransformerEncoderLayerOptions, TransformerEncoderOptions } from './encoder_config.ts';
export { TransformerEncoder } from './transformer_encoder.ts';
export { TransformerEncoderLayer } from './transformer_encoder_layer.ts';
export type { TransformerLayerOptions, TransformerStackOptions } from './transformer_options.ts';
