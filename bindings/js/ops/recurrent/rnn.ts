/** `rnn`: layers of Elman's recurrent network. */
import type { Fovea } from '../../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../../tensor/array_input.ts';
import { runLayers } from './run.ts';
import type { RecurrentParams, RecurrentResult, RnnOptions } from './types.ts';

/**
 * Recurrent layers, `torch.nn.RNN`: h[t] = tanh(W_ih x[t] + b_ih + W_hh h[t-1] + b_hh), or max(·, 0) in place of tanh.
 *
 * One step is a call with T = 1 and `initialState`, in the same bits as within a longer call.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [B, T, I], or [T, I] of one sequence; [T, B, I] with `layout: 'tbd'`.
 * @param params the weights under PyTorch's names.
 * @param options `nonlinearity`, `initialState: { hidden }`, `lengths`, `layout`, `out`.
 * @returns `output`, x's layout, directions · Hd wide: that of the last layer; `hidden` [layers · directions, B, Hd]. Tensors where
 *   x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load` | `internal`.
 *
 * Accuracy: at most twice the error of the float32 loops plus 8 eps. Bits depend neither on threads nor on other sequences.
 * Source: Elman 1990, Finding structure in time; PyTorch's torch.nn.RNN.
 * @example
 * import { rnn } from 'fovea/ops';
 * const params = { weight_ih_l0: [[1], [0]], weight_hh_l0: [[0, 0], [1, 0]] };
 * toNested(rnn(fovea, [[1], [0]], params, { nonlinearity: 'relu' }).output); // [[1, 0], [0, 1]]
 */
export function rnn<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  params: RecurrentParams,
  options?: RnnOptions,
): RecurrentResult<ResultArray<X>> {
  return runLayers('rnn', fovea, x, params, options) as RecurrentResult<ResultArray<X>>;
}
