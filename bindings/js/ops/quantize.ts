/** `quantize`: weights of 8 bits. */
import { readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { packWeights, type PackedWeights } from './packed_weights.ts';
import { readWeightForm, type InputPrecision } from './weight_form.ts';

/**
 * The weights of a linear layer in 8 bits, a quarter of their memory, for `linear` in place of the matrix.
 *
 *   W[o, i] ≈ sw[o] q[o, i],   sw[o] = max |W[o, ·]| / 127,   q an integer from -127 to 127
 *
 * `linear` rounds its input row by row, to integers u from -L to L: x[i] ≈ sx u[i], sx = max |x| / L. With `inputs: 'precise'` they have
 * 14 bits, L = 8191, and the rounding of the weights is all that counts. With 'fast', the default, the rows of a call, batches included,
 * decide: one to four are memory-bound, as in decoding, and have 15 bits, L = 16383; more are compute-bound, and have 7 bits, L = 63. Sums
 * are exact integers, so a row has the same bits in every engine and variant and on any threads: with 'precise' in every call, with 'fast'
 * among any rows of a call that has as many bits. The error of an output against the product of the f32 numbers, before an activation, is
 * at most h·sx·Σ |sw q| + 0.501·sw·Σ |x|, h = 0.503 with 15 bits, 0.502 with 14, 0.501 with 7, and the roundings of two products and the
 * bias, whatever the sizes of sx and sw. Weights of one output below 2^-119 count as 0, as do rows of x below 2^-112 with 15 bits, below
 * 2^-113 with 14, below 2^-119 with 7. NaN or Infinity among the weights of an output makes it NaN, among a row of x the row.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param weight [out, in]; in is at most 133,144.
 * @param options `inputs`: 'fast' or 'precise', which takes about twice the time of 'fast' for many rows.
 * @returns the packed weights; the caller disposes them.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { linear, quantize } from 'fovea/ops';
 * const W = quantize(fovea, [[1, 0], [0, -2]]);
 * toNested(linear(fovea, [[63, 0]], W)); // [[63, 0]]
 * W.dispose();
 */
export function quantize(
  fovea: Fovea,
  weight: ArrayInput,
  options?: { readonly inputs?: InputPrecision | undefined },
): PackedWeights {
  const fn = 'quantize';
  const instance = instanceOf(fn, fovea);
  instance.engine.check(fn);
  const { inputs } = readOptions(fn, options, ['inputs']);
  return packWeights(instance, fn, 'weight', weight, 'outIn', readWeightForm(fn, 'int8', inputs));
}
