/** The values of the option `weightScale`: what weights are multiplied by, once the normalizer has made them. */
import type { ArrayInput } from '../../tensor/array_input.ts';

/** A Gaussian of the key's position, for each query. In positions. */
export interface GaussianFactor {
  /** A number, or an array that broadcasts to [B, H, Tq] as masks do to pairs. */
  readonly center: number | ArrayInput;
  /** Above 0. */
  readonly sigma: number | ArrayInput;
}

/**
 * Multiplies the weights after the normalizer; they are not normalized again. A weight of 0 stays 0: what is given for a masked pair,
 * NaN and Infinity too, counts nothing. The keys that biasK and addZeroAttention append are scaled by `heads` alone.
 * - an array of factors, broadcast by NumPy's rule to [B, H, Tq, Tk], whatever `layout` is.
 * - `gaussian`: exp(-(j - center)² / (2·sigma²)) (local-p: Luong, Pham, Manning 2015, arXiv:1508.04025 eq. 10). In positions; sigma > 0.
 * - `heads`: [H], one finite number for each query head.
 */
export type WeightScale = ArrayInput | { readonly gaussian: GaussianFactor } | { readonly heads: ArrayInput };
