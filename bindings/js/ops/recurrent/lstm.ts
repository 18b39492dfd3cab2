/** `lstm`: layers of long short-term memory. */
import type { Fovea } from '../../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../../tensor/array_input.ts';
import { runLayers } from './run.ts';
import type { LstmResult, RecurrentOptions, RecurrentParams } from './types.ts';

/**
 * Long short-term memory, `torch.nn.LSTM`:
 *
 *     i, f, o = σ(W x + b_ih + W_hh h + b_hh) with weights of their own,   g = tanh(W_ig x + b_ig + W_hg h + b_hg)
 *     c' = f∘c + i∘g,   h' = o∘tanh(c'), or W_hr (o∘tanh(c')) where there is a weight_hr (PyTorch's proj_size)
 *
 * One step is a call with T = 1 and `initialState`, in the same bits as within a longer call.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [B, T, I], or [T, I] of one sequence; [T, B, I] with `layout: 'tbd'`.
 * @param params the weights under PyTorch's names, gates in the order i, f, g, o.
 * @param options `initialState: { hidden, cell }`, `lengths`, `layout`, `out`.
 * @returns `output`, x's layout, directions · P wide: that of the last layer; `hidden` [layers · directions, B, P] and `cell`
 *   [layers · directions, B, Hd]. Tensors where x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load` | `internal`.
 *
 * Accuracy: at most twice the error of the float32 loops plus 8 eps. Bits depend neither on threads nor on other sequences.
 * Source: Hochreiter, Schmidhuber 1997, with the forget gate of Gers, Schmidhuber, Cummins 2000; Sak, Senior, Beaufays 2014,
 *   arXiv:1402.1128 (projection); PyTorch's torch.nn.LSTM.
 * @example
 * import { lstm } from 'fovea/ops';
 * const params = { weight_ih_l0: [[0], [0], [1], [0]], weight_hh_l0: [[0], [0], [0], [0]] };
 * const { hidden, cell } = lstm(fovea, [[1], [1]], params);
 * toNested(lstm(fovea, [[1]], params, { initialState: { hidden, cell } }).cell); // [[0.666]]
 */
export function lstm<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  params: RecurrentParams,
  options?: RecurrentOptions,
): LstmResult<ResultArray<X>> {
  return runLayers('lstm', fovea, x, params, options) as LstmResult<ResultArray<X>>;
}
