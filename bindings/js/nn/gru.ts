/** `GRU`. */
import type { Fovea } from '../fovea/fovea.ts';
import { gru, type RecurrentResult } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Recurrent, RECURRENT_OPTIONS, type RecurrentModuleOptions, type SequenceOptions } from './recurrent.ts';

export interface GRUOptions extends RecurrentModuleOptions {
  /** As `gru` of fovea/ops has it; default true, as in PyTorch. */
  readonly resetAfter?: boolean | undefined;
}

/**
 * `torch.nn.GRU`, with its names and its order of gates, r, z, n. Accuracy and source: `gru` of fovea/ops.
 *
 * @example
 * import { GRU } from 'fovea/nn';
 * const layer = new GRU(fovea, { inputSize: 1, hiddenSize: 1, bias: false });
 * layer.loadStateDict({ weight_ih_l0: [[0], [0], [1]], weight_hh_l0: [[0], [0], [0]] });
 * toNested(layer.forward([[1], [1]]).output); // [[0.381], [0.571]]
 */
export class GRU extends Recurrent {
  readonly #resetAfter: boolean | undefined;

  constructor(fovea: Fovea, options: GRUOptions) {
    const fn = 'GRU';
    const known = readOptions(fn, options, [...RECURRENT_OPTIONS, 'resetAfter'], translate);
    checkBoolean(fn, 'resetAfter', known.resetAfter);
    super(fn, fovea, 3, known);
    this.#resetAfter = known.resetAfter;
  }

  /**
   * @param x [T, I] or [B, T, I]; [T, B, I] where batchFirst is false.
   * @returns `output` and `hidden`, as `gru` of fovea/ops.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: SequenceOptions): RecurrentResult<ResultArray<X>> {
    return gru(this.fovea, x, this.params(), { ...this.settings(options), resetAfter: this.#resetAfter });
  }
}
