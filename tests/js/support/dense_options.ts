/** Options without a pattern, whose weights are dense: so TypeScript knows what `weights` are where options are in a variable. */
import type { AttentionOptions, MultiHeadOptions } from 'fovea';

type Dense = boolean | 'dense' | undefined;
export type DenseOptions = AttentionOptions<Dense, undefined>;
export type DenseMultiHeadOptions = MultiHeadOptions<Dense, undefined>;
