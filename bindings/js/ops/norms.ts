/** Normalization along one axis. */
import { ROW_NORM } from '../../../build/generated/enums/row_norm.ts';
import { instanceOf } from '../runtime/instances.ts';
import { ROW_NORM_BLOCK } from '../../../build/generated/blocks/row_norm.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { checkFinite, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AxisOptions } from './axis_options.ts';
import { computeArray, placeDense, placeOptional, placeRows, readArray, readAxis, readOptional } from './operands.ts';
import { checkShape } from '../tensor/operands.ts';

export interface RmsNormOptions extends AxisOptions {
  /** [n], n being the axis's length; left out = 1. */
  readonly weight?: ArrayInput | undefined;
  /** Added to the mean square; default 1e-5. */
  readonly eps?: number | undefined;
  /** Added to x first; of x's shape. */
  readonly residual?: ArrayInput | undefined;
}

export interface LayerNormOptions extends RmsNormOptions {
  /** [n]; left out = 0. */
  readonly bias?: ArrayInput | undefined;
}

/**
 * (s - mean s) / √(variance s + eps)·weight + bias along `axis`, s = x + residual; the variance is that of a population, as in
 * torch.nn.LayerNorm. NaN or Infinity in a line makes that line NaN.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: at most twice the error of the float32 definition plus 8 eps, also where the mean is far from 0 or squares leave
 * float32's range. Source: Ba et al. 2016, arXiv:1607.06450 eq. 3.
 * @example
 * import { layerNorm } from 'fovea/ops';
 * toNested(layerNorm(fovea, [[1, 2, 3]], { weight: [1, 1, 2], bias: [0, 0, 1] })); // [[-1.2247, 0, 3.4495]]
 */
export function layerNorm<X extends ArrayInput>(fovea: Fovea, x: X, options?: LayerNormOptions): ResultArray<X> {
  const known = readOptions('layerNorm', options, ['weight', 'bias', 'eps', 'axis', 'residual']);
  return normalize(fovea, 'layerNorm', x, known);
}

/**
 * s / √(mean s² + eps)·weight along `axis`, s = x + residual. NaN or Infinity in a line makes it NaN there.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: as layerNorm. Source: Zhang, Sennrich 2019, arXiv:1910.07467 eq. 4.
 * @example
 * import { rmsNorm } from 'fovea/ops';
 * toNested(rmsNorm(fovea, [[3, 4]])); // [[0.8485, 1.1314]]
 */
export function rmsNorm<X extends ArrayInput>(fovea: Fovea, x: X, options?: RmsNormOptions): ResultArray<X> {
  return normalize(fovea, 'rmsNorm', x, readOptions('rmsNorm', options, ['weight', 'eps', 'axis', 'residual']));
}

function normalize<X extends ArrayInput>(
  fovea: Fovea,
  fn: 'layerNorm' | 'rmsNorm',
  input: X,
  options: LayerNormOptions,
): ResultArray<X> {
  const instance = instanceOf(fn, fovea);
  const { eps = 1e-5, axis = -1 } = options;
  checkFinite(fn, 'eps', eps);
  if (eps < 0) fail('value', fn, `eps must be at least 0, got ${eps}`);
  const x = readArray(instance, fn, 'x', input);
  const { outer, length, inner, place } = readAxis(fn, x, axis);
  const weight = readOptional(instance, fn, 'weight', options.weight);
  const bias = readOptional(instance, fn, 'bias', options.bias);
  const residual = readOptional(instance, fn, 'residual', options.residual);
  for (const operand of [weight, bias]) {
    if (operand !== null) checkShape(fn, operand, [length], `[n], n being the length of axis ${axis}`);
  }
  if (residual !== null) checkShape(fn, residual, x.shape, "x's shape");
  return computeArray(instance, fn, input, x.shape, (arena, y) => {
    // Rows may lie apart where the axis is the last one.
    const rows = place === x.shape.length - 1 ? placeRows(arena, x) : null;
    const ptr = rows?.ptr ?? placeDense(arena, x);
    const [residualPtr, weightPtr, biasPtr] = [residual, weight, bias].map((one) => placeOptional(arena, one));
    return () =>
      arena.run('rowNorm', ROW_NORM_BLOCK, {
        kind: ROW_NORM.indexOf(fn === 'layerNorm' ? 'layer' : 'rms'),
        outer,
        length,
        inner,
        x: ptr.address,
        xOuter: rows?.rowStride ?? length * inner,
        residual: residualPtr!.address,
        weight: weightPtr!.address,
        bias: biasPtr!.address,
        eps,
        y: y.address,
      });
  });
}
