/** `Residual`: x + module(x). */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add } from '../ops/index.ts';
import { isRevoked, readOptions } from '../errors/options.ts';
import { formatShape, sameShape } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Module } from './module.ts';

/** A module whose result has the shape of its input, or whose `output` has. */
type Inner<A extends readonly unknown[]> = Module & {
  forward(x: Tensor, ...rest: A): Tensor | { readonly output: ResultArray<ArrayInput> };
};

/**
 * scale·(x + module(x)). Its weights are those of the module, under the same names; `dispose` frees them.
 * Source: He et al. 2016, arXiv:1512.03385 eq. 1; the scale √0.5: Gehring et al. 2017, arXiv:1705.03122 §3.5.
 *
 * @example
 * import { Linear, Residual } from 'fovea/nn';
 * const inner = new Linear(fovea, { inFeatures: 1, outFeatures: 1, bias: false });
 * inner.loadStateDict({ weight: [[3]] });
 * const layer = new Residual(fovea, inner);
 * toNested(layer.forward([[2]])); // [[8]]
 */
export class Residual<A extends readonly unknown[] = readonly unknown[]> extends Module {
  readonly #module: Inner<A>;
  readonly #scale: number | undefined;

  /** Wraps a module, which it disposes with itself. `options.scale` multiplies the sum; default 1. */
  constructor(fovea: Fovea, module: Inner<A>, options?: { readonly scale?: number | undefined }) {
    const fn = 'Residual';
    super(fn, fovea);
    if (isRevoked(module) || !(module instanceof Module)) fail('value', fn, 'module must be a module of fovea/nn');
    this.#scale = readOptions(fn, options, ['scale']).scale;
    this.#module = this.adopt('', module);
  }

  /**
   * scale·(x + module(x)).
   *
   * @param rest what the module's `forward` takes beside x.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, ...rest: A): ResultArray<X> {
    const fn = this.fn('forward');
    return this.compute(x, (tensor) => {
      const result = this.#module.forward(tensor, ...rest);
      return addResidual(this.fovea, fn, tensor, 'output' in result ? (result.output as Tensor) : result, this.#scale);
    });
  }
}

/** scale·(x + y), which does not broadcast. */
export function addResidual(fovea: Fovea, fn: string, x: Tensor, y: Tensor, scale: number | undefined): Tensor {
  if (!sameShape(x.shape, y.shape))
    fail('shape', fn, `the result must have the shape of x, got ${formatShape(y.shape)} for x ${formatShape(x.shape)}`);
  return add(fovea, x, y, { scale });
}
