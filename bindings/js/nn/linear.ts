/** `Linear`: y = x·Wᵀ + b. */
import type { Fovea } from '../fovea/fovea.ts';
import { linear, type ActivationName } from '../ops/index.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Module, type SeedOption } from './module.ts';
import { checkActivation } from '../ops/activations.ts';
import { readSize } from './sizes.ts';

export interface LinearOptions extends SeedOption {
  readonly inFeatures: number;
  readonly outFeatures: number;
  /** Default true. */
  readonly bias?: boolean | undefined;
  /** Computed while the results are in cache; default none. */
  readonly activation?: ActivationName | undefined;
}

/**
 * `torch.nn.Linear`: y = activation(x·Wᵀ + b). Weights: `weight` [out, in], `bias` [out].
 *
 * @example
 * import { Linear } from 'fovea/nn';
 * const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 1 });
 * layer.loadStateDict({ weight: [[3, 4]], bias: [5] });
 * const y = layer.forward([[1, 2]]);
 * toNested(y); // [[16]]
 * layer.dispose();
 */
export class Linear extends Module {
  readonly #activation: ActivationName | undefined;

  /** A linear layer: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: LinearOptions) {
    const fn = 'Linear';
    super(fn, fovea);
    const known = readOptions(fn, options, ['inFeatures', 'outFeatures', 'bias', 'activation', 'seed']);
    const outFeatures = readSize(fn, 'outFeatures', known.outFeatures);
    checkBoolean(fn, 'bias', known.bias);
    checkActivation(fn, known.activation);
    this.#activation = known.activation;
    this.declareMatrix('weight', [outFeatures, readSize(fn, 'inFeatures', known.inFeatures)]);
    if (known.bias ?? true) this.declare('bias', [outFeatures], 'zeros');
    this.begin(fn, known.seed);
  }

  /**
   * y = activation(x·Wᵀ + b) of each row.
   *
   * @param x [..., in].
   * @returns [..., out].
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X): ResultArray<X> {
    const fn = this.fn('forward');
    return linear(this.fovea, x, this.matrix(fn, 'weight'), this.weight(fn, 'bias'), { activation: this.#activation });
  }
}
