/** Options without a pattern, whose weights are dense: so TypeScript knows what `weights` are where options are in a variable. */
import type { AttentionOptions, MultiHeadOptions, RequestTypes } from 'fovea';

type Dense = boolean | 'dense' | undefined;
export type DenseOptions = AttentionOptions<RequestTypes<Dense, undefined>>;
export type DenseMultiHeadOptions = MultiHeadOptions<RequestTypes<Dense, undefined>>;
