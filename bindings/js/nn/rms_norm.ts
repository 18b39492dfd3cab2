/** `RMSNorm`. */
import type { Fovea } from '../fovea/fovea.ts';
import { rmsNorm } from '../ops/index.ts';
import { readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NormForwardOptions } from './layer_norm.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface RMSNormModuleOptions extends SeedOption {
  /** The length of the last axis, the one that is normalized. */
  readonly normalizedShape: number;
  /** Default 2^-23, as in PyTorch for float32. */
  readonly eps?: number | undefined;
}

/**
 * `torch.nn.RMSNorm` over the last axis. Weights: `weight` [width]. Accuracy and source: `rmsNorm` of fovea/ops.
 *
 * @example
 * import { RMSNorm } from 'fovea/nn';
 * const norm = new RMSNorm(fovea, { normalizedShape: 2, seed: 0 });
 * toNested(norm.forward([[3, 4]])); // [[0.8485, 1.1314]]
 */
export class RMSNorm extends Module {
  readonly #eps: number;

  /** An RMS norm: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: RMSNormModuleOptions) {
    const fn = 'RMSNorm';
    super(fn, fovea);
    const known = readOptions(fn, options, ['normalizedShape', 'eps', 'seed']);
    this.#eps = known.eps ?? 2 ** -23;
    this.declare('weight', [readSize(fn, 'normalizedShape', known.normalizedShape)], 'ones');
    this.begin(fn, known.seed);
  }

  /**
   * x / √(mean of x² + eps)·weight of each row.
   *
   * @param x [..., width].
   * @param options `residual`, of x's shape: added to x first.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: NormForwardOptions): ResultArray<X> {
    const fn = this.fn('forward');
    const { residual } = readOptions(fn, options, ['residual']);
    const weight = this.weight(fn, 'weight');
    return rmsNorm(this.fovea, x, { weight, eps: this.#eps, residual });
  }
}
