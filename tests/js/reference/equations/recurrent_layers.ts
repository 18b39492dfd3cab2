/** Recurrent parts of references of mechanisms: params under a prefix, without biases, and the states that they give. */
import { gruStep, random, zeros, type Matrix, type Row } from './rows.ts';

type Params = Record<string, unknown>;

/** The weights of a first layer of 3 (GRU) or 4 gates (LSTM) under their names in PyTorch. */
export function layerParams(
  prefix: string,
  gates: 3 | 4,
  input: number,
  state: number,
  seed: number,
  suffixes = [''],
): Record<string, Matrix> {
  const entries = suffixes.flatMap((suffix, n) => [
    [`${prefix}.weight_ih_l0${suffix}`, random([gates * state, input], seed + 2 * n)] as const,
    [`${prefix}.weight_hh_l0${suffix}`, random([gates * state, state], seed + 2 * n + 1)] as const,
  ]);
  return Object.fromEntries(entries);
}

export const layerOf = (params: Params, prefix: string, suffix = ''): [Matrix, Matrix] =>
  ['weight_ih_l0', 'weight_hh_l0'].map((name) => params[`${prefix}.${name}${suffix}`]) as [Matrix, Matrix];

/** One step of the GRU under a prefix. */
export const stepOf = (params: Params, prefix: string, x: Row, h: Row): Row => gruStep(x, h, layerOf(params, prefix));

/** The states of the GRU under a prefix after each token. */
export function gruOf(params: Params, prefix: string, sequence: Matrix, suffix = ''): Matrix {
  const layer = layerOf(params, prefix, suffix);
  let h = zeros(layer[1][0]!.length);
  return sequence.map((x) => (h = gruStep(x, h, layer)));
}

/** The states of both directions side by side at each token, and the last of each. */
export function bothWays(params: Params, prefix: string, sequence: Matrix): { states: Matrix; last: Row } {
  const forward = gruOf(params, prefix, sequence);
  const backward = gruOf(params, prefix, [...sequence].reverse(), '_reverse').reverse();
  const none = zeros(layerOf(params, prefix)[1][0]!.length);
  return {
    states: forward.map((state, t) => [...state, ...backward[t]!]),
    last: [...(forward.at(-1) ?? none), ...(backward[0] ?? none)],
  };
}
