/** LSTM layers of a mechanism: states are [B, layers, S], those of `state` and `initialState`. */
import { lstm, transpose } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { System } from './system.ts';

export interface LstmState<A> {
  /** [layers, S]. */
  h: A;
  /** [layers, S]. */
  c: A;
}

/** The weights of the first layer by their letters, for a declaration. */
export function lstmParams(prefix: string, input: string, rows: string, state: string): Record<string, string> {
  return { [`${prefix}weight_ih_l0`]: `${rows} ${input}`, [`${prefix}weight_hh_l0`]: `${rows} ${state}` };
}

/** The shapes of the state, S wide, without the batch's axis. */
export function lstmStateShapes(system: System, prefix: string, S: number): { h: readonly number[]; c: readonly number[] } {
  const layers = Object.keys(system.group(prefix)).map((name) => Number(/_l(\d+)/.exec(name)?.[1] ?? 0));
  const state = [Math.max(...layers) + 1, S];
  return { h: state, c: state };
}

/** The outputs of the last layer [B, T, S] and the states after the last token; what is left out of `initial` is zeros. */
export function runLstm(
  system: System,
  prefix: string,
  x: Tensor,
  initial: Partial<Record<string, Tensor>>,
): { output: Tensor } & LstmState<Tensor> {
  const { fovea } = system;
  const exchange = (state: Tensor): Tensor => transpose(fovea, state, [1, 0, 2]);
  const { h, c } = initial;
  const initialState = { hidden: h && exchange(h), cell: c && exchange(c) };
  const { output, hidden, cell } = lstm(fovea, x, system.group(prefix), { initialState });
  return { output, h: exchange(hidden), c: exchange(cell) };
}
