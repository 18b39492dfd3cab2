/** The values of the option `weightScale`: what weights are multiplied by, once the normalizer has made them. */
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { GaussianBias } from './bias.ts';

/**
 * Multiplies the weights after the normalizer; they are not normalized again. A weight of 0 stays 0: what is given for a masked pair,
 * NaN and Infinity too, counts nothing. The keys that biasK and addZeroAttention append are scaled by `heads` alone.
 * - an array of factors, broadcast by NumPy's rule to [B, H, Tq, Tk], whatever `layout` is.
 * - `gaussian`: exp(-(j - center)² / (2·sigma²)) (local-p: Luong, Pham, Manning 2015, arXiv:1508.04025 eq. 10). In positions; sigma > 0.
 * - `heads`: [H], one finite number for each query head.
 */
export type WeightScale = ArrayInput | Pick<GaussianBias, 'gaussian'> | { readonly heads: ArrayInput };
