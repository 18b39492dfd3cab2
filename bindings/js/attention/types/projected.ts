/** The parameters of `selfAttention` and `multiHeadAttention`. */
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { WeightInput, WeightLayout } from '../../tensor/weights.ts';
import type { AttentionOptions } from './options.ts';
import type { RequestTypes } from './results.ts';

export type { WeightLayout } from '../../tensor/weights.ts';

export interface ProjectionParams {
  /** [Din, H·D] with weightLayout 'inOut' (default), [H·D, Din] with 'outIn'. */
  readonly Wq: WeightInput;
  readonly Wk: WeightInput;
  readonly Wv: WeightInput;
  /** The output projection; left out = identity. */
  readonly Wo?: WeightInput | undefined;
  readonly bq?: ArrayInput | undefined;
  readonly bk?: ArrayInput | undefined;
  readonly bv?: ArrayInput | undefined;
  readonly bo?: ArrayInput | undefined;
}

export interface SelfAttentionOptions<R extends RequestTypes = RequestTypes> extends Omit<
  AttentionOptions<R>,
  'layout' | 'out'
> {
  readonly weightLayout?: WeightLayout | undefined;
}

export interface MultiHeadParams extends ProjectionParams {
  /** One learned key and value appended to every sequence, [H·D] and [H·Dv] (PyTorch's add_bias_kv). */
  readonly biasK?: ArrayInput | undefined;
  readonly biasV?: ArrayInput | undefined;
}

export interface MultiHeadOptions<R extends RequestTypes = RequestTypes> extends SelfAttentionOptions<R> {
  /** Required: number of heads. */
  readonly heads: number;
  /** Appends one zero key and value (PyTorch's add_zero_attn). */
  readonly addZeroAttention?: boolean | undefined;
  /** weights averaged over heads: [B, Tq, Tk]. */
  readonly averageWeights?: boolean | undefined;
}
