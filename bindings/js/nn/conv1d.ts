/** `Conv1d`. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { conv1d, type Conv1dOptions } from '../ops/index.ts';
import { checkBoolean, ownProperties, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Module, type SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

export interface Conv1dModuleOptions extends SeedOption, Omit<Conv1dOptions, 'bias'> {
  readonly inChannels: number;
  readonly outChannels: number;
  readonly kernelSize: number;
  /** Default true. */
  readonly bias?: boolean | undefined;
}

const SETTINGS = ['stride', 'padding', 'dilation', 'groups', 'layout'] as const;
const NAMES = ['inChannels', 'outChannels', 'kernelSize', 'bias', 'seed', ...SETTINGS] as const;

/**
 * `torch.nn.Conv1d`. Weights: `weight` [Co, Ci / groups, K], `bias` [Co]. Options, accuracy and source: `conv1d` of fovea/ops.
 *
 * @example
 * import { Conv1d } from 'fovea/nn';
 * const layer = new Conv1d(fovea, { inChannels: 1, outChannels: 1, kernelSize: 2, padding: 'causal', bias: false });
 * layer.loadStateDict({ weight: [[[1, 10]]] });
 * toNested(layer.forward([[1, 2, 3]])); // [[10, 21, 32]]
 */
export class Conv1d extends Module {
  readonly #settings: Omit<Conv1dOptions, 'bias'>;

  /** A convolution over the tokens: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: Conv1dModuleOptions) {
    const fn = 'Conv1d';
    super(fn, fovea);
    const { inChannels, outChannels, kernelSize, bias = true, seed, ...rest } = readOptions(fn, options, NAMES);
    const settings = ownProperties(rest);
    checkBoolean(fn, 'bias', bias);
    const from = readSize(fn, 'inChannels', inChannels);
    const to = readSize(fn, 'outChannels', outChannels);
    const groups = readSize(fn, 'groups', settings.groups, 1);
    if (from % groups !== 0 || to % groups !== 0)
      fail('shape', fn, `groups must divide inChannels and outChannels, got ${groups}, ${from} and ${to}`);
    this.#settings = settings;
    this.declare('weight', [to, from / groups, readSize(fn, 'kernelSize', kernelSize)]);
    if (bias) this.declare('bias', [to], 'zeros');
    this.begin(fn, seed);
  }

  /**
   * The convolution of x with the kernels, as `conv1d` of fovea/ops.
   *
   * @param x [Ci, T] or [B, Ci, T]; with `layout: 'btd'` [T, Ci] or [B, T, Ci].
   * @returns as `conv1d` of fovea/ops.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X): ResultArray<X> {
    const fn = this.fn('forward');
    return conv1d(this.fovea, x, this.weight(fn, 'weight')!, { ...this.#settings, bias: this.weight(fn, 'bias') });
  }
}
