/** `LayerNorm`. */
import type { Fovea } from '../fovea/fovea.ts';
import { layerNorm } from '../ops/index.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface LayerNormModuleOptions extends SeedOption {
  /** The length of the last axis, the one that is normalized. */
  readonly normalizedShape: number;
  /** Default 1e-5. */
  readonly eps?: number | undefined;
  /** Default true. */
  readonly bias?: boolean | undefined;
}

export interface NormForwardOptions {
  /** Added to x first; of x's shape. */
  readonly residual?: ArrayInput | undefined;
}

/**
 * `torch.nn.LayerNorm` over the last axis. Weights: `weight` and `bias` [width]. Accuracy and source: `layerNorm` of fovea/ops.
 *
 * @example
 * import { LayerNorm } from 'fovea/nn';
 * const norm = new LayerNorm(fovea, { normalizedShape: 3, seed: 0 });
 * toNested(norm.forward([[1, 2, 3]])); // [[-1.2247, 0, 1.2247]]
 */
export class LayerNorm extends Module {
  readonly #eps: number | undefined;

  /** A layer norm: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: LayerNormModuleOptions) {
    const fn = 'LayerNorm';
    super(fn, fovea);
    const known = readOptions(fn, options, ['normalizedShape', 'eps', 'bias', 'seed']);
    const width = readSize(fn, 'normalizedShape', known.normalizedShape);
    checkBoolean(fn, 'bias', known.bias);
    this.#eps = known.eps;
    this.declare('weight', [width], 'ones');
    if (known.bias ?? true) this.declare('bias', [width], 'zeros');
    this.begin(fn, known.seed);
  }

  /**
   * (x - mean) / √(variance + eps)·weight + bias of each row.
   *
   * @param x [..., width].
   * @param options `residual`, of x's shape: added to x first.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: NormForwardOptions): ResultArray<X> {
    const fn = this.fn('forward');
    const { residual } = readOptions(fn, options, ['residual']);
    const [weight, bias] = [this.weight(fn, 'weight'), this.weight(fn, 'bias')];
    return layerNorm(this.fovea, x, { weight, bias, eps: this.#eps, residual });
  }
}
