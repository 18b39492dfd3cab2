/** `RNN`. */
import type { Fovea } from '../fovea/fovea.ts';
import { rnn, type RecurrentResult } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkChoice, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Recurrent, RECURRENT_OPTIONS, type RecurrentModuleOptions, type SequenceOptions } from './recurrent.ts';

export interface RNNOptions extends RecurrentModuleOptions {
  /** Default 'tanh'. */
  readonly nonlinearity?: 'tanh' | 'relu' | undefined;
}

/**
 * `torch.nn.RNN`, with its names: `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`, `…_l0_reverse`, `…_l1`, … Accuracy
 * and source: `rnn` of fovea/ops.
 *
 * @example
 * import { RNN } from 'fovea/nn';
 * const layer = new RNN(fovea, { inputSize: 1, hiddenSize: 1, bias: false, nonlinearity: 'relu' });
 * layer.loadStateDict({ weight_ih_l0: [[1]], weight_hh_l0: [[2]] });
 * toNested(layer.forward([[1], [1]]).output); // [[1], [3]]
 */
export class RNN extends Recurrent {
  readonly #nonlinearity: 'tanh' | 'relu' | undefined;

  /** Simple recurrent layers: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: RNNOptions) {
    const fn = 'RNN';
    const known = readOptions(fn, options, [...RECURRENT_OPTIONS, 'nonlinearity'], translate);
    checkChoice(fn, 'nonlinearity', known.nonlinearity, ['tanh', 'relu']);
    super(fn, fovea, 1, known);
    this.#nonlinearity = known.nonlinearity;
  }

  /**
   * Runs the layers over a sequence, each direction token by token.
   *
   * @param x [T, I] or [B, T, I]; [T, B, I] where batchFirst is false.
   * @returns `output` and `hidden`, as `rnn` of fovea/ops.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: SequenceOptions): RecurrentResult<ResultArray<X>> {
    return rnn(this.fovea, x, this.params(), { ...this.settings(options), nonlinearity: this.#nonlinearity });
  }
}
