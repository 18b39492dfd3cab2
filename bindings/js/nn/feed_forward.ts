/** `FeedForward`: two linear layers with an activation between them. */
import type { Fovea } from '../fovea/fovea.ts';
import type { ActivationName } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { readOptions } from '../errors/options.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Linear } from './linear.ts';
import { Module, type SeedOption } from './module.ts';

export interface FeedForwardOptions extends SeedOption {
  readonly dModel: number;
  /** The width between the layers; default 2048. */
  readonly dimFeedforward?: number | undefined;
  /** Default 'relu'. */
  readonly activation?: ActivationName | undefined;
  /** Default true. */
  readonly bias?: boolean | undefined;
}

/**
 * W₂·activation(W₁·x + b₁) + b₂, under the names that PyTorch's transformer layers have for it: `linear1.weight`
 * [dimFeedforward, dModel], `linear1.bias`, `linear2.weight` [dModel, dimFeedforward], `linear2.bias`.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.3.
 *
 * @example
 * import { FeedForward } from 'fovea/nn';
 * const layer = new FeedForward(fovea, { dModel: 1, dimFeedforward: 2, bias: false });
 * layer.loadStateDict({ 'linear1.weight': [[1], [-1]], 'linear2.weight': [[2, 3]] });
 * toNested(layer.forward([[1], [-1]])); // [[2], [3]]
 */
export class FeedForward extends Module {
  readonly #first: Linear;
  readonly #second: Linear;

  /** Two linear layers with an activation between them: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: FeedForwardOptions) {
    const fn = 'FeedForward';
    super(fn, fovea);
    const known = readOptions(fn, options, ['dModel', 'dimFeedforward', 'activation', 'bias', 'seed'], translate);
    const { dModel, dimFeedforward: between = 2048, activation = 'relu', bias } = known;
    const first = { inFeatures: dModel, outFeatures: between, activation, bias };
    this.#first = this.adopt('linear1', new Linear(fovea, first));
    this.#second = this.adopt('linear2', new Linear(fovea, { inFeatures: between, outFeatures: dModel, bias }));
    this.begin(fn, known.seed);
  }

  /**
   * W₂·activation(W₁·x + b₁) + b₂ of each row.
   *
   * @param x [..., dModel].
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X): ResultArray<X> {
    this.fn('forward');
    return this.compute(x, (tensor) => this.run(tensor));
  }

  /** @internal */
  run(x: Tensor): Tensor {
    const between = this.#first.forward(x);
    const y = this.#second.forward(between);
    between.dispose();
    return y;
  }
}
