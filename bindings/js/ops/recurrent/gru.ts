/** `gru`: layers of gated recurrent units. */
import type { Fovea } from '../../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../../tensor/array_input.ts';
import { runLayers } from './run.ts';
import type { GruOptions, RecurrentParams, RecurrentResult } from './types.ts';

/**
 * Gated recurrent units, `torch.nn.GRU`:
 *
 *     r = σ(W_ir x + b_ir + W_hr h + b_hr),   z = σ(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r∘(W_hn h + b_hn)),   h' = (1 - z)∘n + z∘h
 *
 * One step is a call with T = 1 and `initialState`, in the same bits as within a longer call.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [B, T, I], or [T, I] of one sequence; [T, B, I] with `layout: 'tbd'`.
 * @param params the weights under PyTorch's names, gates in the order r, z, n.
 * @param options `resetAfter`, `updateGate`, `initialState: { hidden }`, `lengths`, `layout`, `out`.
 * @returns `output`, x's layout, directions · Hd wide: that of the last layer; `hidden` [layers · directions, B, Hd]. Tensors where
 *   x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load` | `internal`.
 *
 * Accuracy: at most twice the error of the float32 loops plus 8 eps. Bits depend neither on threads nor on other sequences.
 * Source: PyTorch's torch.nn.GRU; Cho et al. 2014, arXiv:1406.1078 §2.3, which resets before the product; Bahdanau, Cho,
 * Bengio 2015, arXiv:1409.0473 A.1.1, whose z weighs n.
 * @example
 * import { gru } from 'fovea/ops';
 * const params = { weight_ih_l0: [[0], [0], [1]], weight_hh_l0: [[0], [0], [0]] };
 * toNested(gru(fovea, [[1], [1]], params).output); // [[0.381], [0.571]]
 */
export function gru<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  params: RecurrentParams,
  options?: GruOptions,
): RecurrentResult<ResultArray<X>> {
  return runLayers('gru', fovea, x, params, options) as RecurrentResult<ResultArray<X>>;
}
