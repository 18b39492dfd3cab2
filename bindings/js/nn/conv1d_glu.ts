/** `Conv1dGLU`: a convolution whose one half of channels gates the other. */
import type { Fovea } from '../fovea/fovea.ts';
import { glu } from '../ops/index.ts';
import { checkBoolean, ownProperties, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Conv1d, type Conv1dModuleOptions } from './conv1d.ts';
import { Module } from './module.ts';
import { addResidual } from './residual.ts';
import { readSize } from './sizes.ts';

export interface Conv1dGLUOptions extends Conv1dModuleOptions {
  /** Whether √0.5·(result + x) is returned, which needs inChannels = outChannels and as many results as tokens. Default false. */
  readonly residual?: boolean | undefined;
}

/**
 * GLU(conv1d(x)), the block of convolutional sequence models. `outChannels` are those of the result: the convolution has twice as
 * many. Weights: `weight` [2·Co, Ci / groups, K], `bias` [2·Co].
 * Source: Gehring et al. 2017, arXiv:1705.03122 §3.2; Dauphin et al. 2017, arXiv:1612.08083.
 *
 * @example
 * import { Conv1dGLU } from 'fovea/nn';
 * const layer = new Conv1dGLU(fovea, { inChannels: 1, outChannels: 1, kernelSize: 1, bias: false });
 * layer.loadStateDict({ weight: [[[2]], [[0]]] });
 * toNested(layer.forward([[1, 2, 3]])); // [[1, 2, 3]]
 */
export class Conv1dGLU extends Module {
  readonly #conv: Conv1d;
  readonly #residual: boolean;
  readonly #axis: number;

  /** A gated convolution: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: Conv1dGLUOptions) {
    const fn = 'Conv1dGLU';
    super(fn, fovea);
    const {
      residual = false,
      seed,
      outChannels,
      ...rest
    } = readOptions(fn, options, [
      ...(['inChannels', 'outChannels', 'kernelSize', 'stride', 'padding', 'dilation', 'groups', 'layout', 'bias'] as const),
      'residual',
      'seed',
    ]);
    const conv = ownProperties(rest);
    checkBoolean(fn, 'residual', residual);
    this.#residual = residual;
    this.#axis = conv.layout === 'btd' ? -1 : -2;
    const doubled = 2 * readSize(fn, 'outChannels', outChannels);
    this.#conv = this.adopt('', new Conv1d(fovea, { ...conv, outChannels: doubled }));
    this.begin(fn, seed);
  }

  /**
   * GLU(conv1d(x)): half of the channels, each times the sigmoid of one of the other half.
   *
   * @param x [Ci, T] or [B, Ci, T]; with `layout: 'btd'` [T, Ci] or [B, T, Ci].
   * @returns the axes of x, with Co channels.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X): ResultArray<X> {
    const fn = this.fn('forward');
    return this.compute(x, (tensor) => {
      const gated = glu(this.fovea, this.#conv.forward(tensor), { axis: this.#axis });
      return this.#residual ? addResidual(this.fovea, fn, tensor, gated, Math.sqrt(0.5)) : gated;
    });
  }
}
