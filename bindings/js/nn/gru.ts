/** `GRU`. */
import type { Fovea } from '../fovea/fovea.ts';
import { gru, type GruOptions, type RecurrentResult } from '../ops/index.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, checkChoice, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { Recurrent, RECURRENT_OPTIONS, type RecurrentModuleOptions, type SequenceOptions } from './recurrent.ts';

/** `resetAfter` and `updateGate` as `gru` of fovea/ops has them: PyTorch's by default. */
export interface GRUOptions extends RecurrentModuleOptions, Pick<GruOptions, 'resetAfter' | 'updateGate'> {}

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
  readonly #cell: Pick<GruOptions, 'resetAfter' | 'updateGate'>;

  /** GRU layers: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: GRUOptions) {
    const fn = 'GRU';
    const known = readOptions(fn, options, [...RECURRENT_OPTIONS, 'resetAfter', 'updateGate'], translate);
    const { resetAfter, updateGate } = known;
    checkBoolean(fn, 'resetAfter', resetAfter);
    checkChoice(fn, 'updateGate', updateGate, ['keep', 'replace']);
    super(fn, fovea, 3, known);
    this.#cell = { resetAfter, updateGate };
  }

  /**
   * Runs the layers over a sequence, each direction token by token.
   *
   * @param x [T, I] or [B, T, I]; [T, B, I] where batchFirst is false.
   * @returns `output` and `hidden`, as `gru` of fovea/ops.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options?: SequenceOptions): RecurrentResult<ResultArray<X>> {
    return gru(this.fovea, x, this.params(), { ...this.settings(options), ...this.#cell });
  }
}
