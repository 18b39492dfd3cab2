/** Recurrent layers as parts of a mechanism: the names of their params, whole sequences, one step. */
import type { Fovea } from '../../fovea/fovea.ts';
import { gru, transpose } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/** The params of a first layer, GRU (3 gates) or LSTM (4), for a declaration; each bias may be left out. */
export function layerParams(
  prefix: string,
  gates: 3 | 4,
  input: string,
  state: string,
  suffixes: readonly ('' | '_reverse')[] = [''],
): Record<string, string> {
  const rows = `${gates}${state}`;
  const entries = suffixes.flatMap((suffix) => [
    [`${prefix}.weight_ih_l0${suffix}`, `${rows} ${input}`],
    [`${prefix}.weight_hh_l0${suffix}`, `${rows} ${state}`],
    [`${prefix}.bias_ih_l0${suffix}?`, rows],
    [`${prefix}.bias_hh_l0${suffix}?`, rows],
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * A GRU, of one direction or two side by side, over x [B, T, I].
 *
 * @returns `output` [B, T, W], 0 in the padding; `last` [B, 1, W]: the state of the last layer after all tokens of each direction.
 */
export function gruStates(system: System, x: Tensor, prefix: string, lengths: Lengths): { output: Tensor; last: Tensor } {
  const { fovea, batch } = system;
  const { output, hidden } = gru(fovea, x, system.group(prefix), { lengths: lengths.list });
  const [states, , width] = hidden.shape as [number, number, number];
  const directions = output.shape[2]! / width;
  const last = hidden.slice(0, states - directions, states);
  return { output, last: transpose(fovea, last, [1, 0, 2]).reshape([batch, 1, directions * width]) };
}

/** One step of a GRU of one layer: x [B, 1, I] and the state h [B, 1, S] give the next state, [B, 1, S]. */
export function gruStep(fovea: Fovea, x: Tensor, h: Tensor, params: Record<string, Tensor>): Tensor {
  const [batch, , width] = h.shape as [number, number, number];
  return gru(fovea, x, params, { initialState: { hidden: h.reshape([1, batch, width]) } }).output;
}
