/** `LSTM`. */
import type { Fovea } from '../fovea/fovea.ts';
import { lstm, type LstmResult } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Recurrent, RECURRENT_OPTIONS, type RecurrentModuleOptions, type SequenceOptions } from './recurrent.ts';

export interface LSTMOptions extends RecurrentModuleOptions {
  /** The width that the hidden state is projected to: `weight_hr_l0`, …; default 0, not projected. */
  readonly projSize?: number | undefined;
}

/**
 * `torch.nn.LSTM`, with its names and its order of gates, i, f, g, o. Accuracy and source: `lstm` of fovea/ops.
 *
 * @example
 * import { LSTM } from 'fovea/nn';
 * const layer = new LSTM(fovea, { inputSize: 1, hiddenSize: 1, bias: false });
 * layer.loadStateDict({ weight_ih_l0: [[0], [0], [1], [0]], weight_hh_l0: [[0], [0], [0], [0]] });
 * toNested(layer.forward([[1], [1]]).cell); // [[0.571]]
 */
export class LSTM extends Recurrent {
  /** LSTM layers: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: LSTMOptions) {
    const fn = 'LSTM';
    const known = readOptions(fn, options, [...RECURRENT_OPTIONS, 'projSize'], translate);
    const { projSize = 0 } = known;
    checkInteger(fn, 'projSize', projSize, 0, 2 ** 30);
    super(fn, fovea, 4, known, projSize);
  }

  /**
   * Runs the layers over a sequence, each direction token by token.
   *
   * @param x [T, I] or [B, T, I]; [T, B, I] where batchFirst is false.
   * @returns `output`, `hidden` and `cell`, as `lstm` of fovea/ops.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: SequenceOptions): LstmResult<ResultArray<X>> {
    return lstm(this.fovea, x, this.params(), this.settings(options));
  }
}
