/** How a torch.rnn or torch.rnn_cell case is put to `rnn`, `gru` and `lstm`. */
import type { Fovea } from 'fovea';
import { gru, lstm, rnn, type LstmResult, type RecurrentParams, type RnnOptions } from 'fovea/ops';
import { floats, type TruthCase } from './truth_files.ts';

export interface Plain {
  readonly data: Float32Array;
  readonly shape: number[];
}
export type Layer = (x: Plain, params: RecurrentParams, options: RnnOptions) => LstmResult;

export function layerOf(fovea: Fovea, cell: unknown): Layer {
  const known: Record<string, unknown> = { RNN: rnn, GRU: gru, LSTM: lstm };
  const run = known[cell as string] as (instance: Fovea, ...args: Parameters<Layer>) => LstmResult;
  return (x, params, options) => run(fovea, x, params, options);
}

export const weightNames = (one: TruthCase): string[] => Object.keys(one.inputs).filter((name) => /^(weight|bias)_/.test(name));

export const weightsOf = (one: TruthCase, suffix = ''): RecurrentParams =>
  Object.fromEntries(weightNames(one).map((name) => [`${name}${suffix}`, floats(one.inputs[name]!)]));

export function optionsOf(one: TruthCase): RnnOptions {
  const { batch_first: batchFirst, nonlinearity } = one.attributes;
  const [h0, c0, lengths] = ['h0', 'c0', 'lengths'].map((name) => one.inputs[name]);
  return {
    layout: batchFirst === true ? 'btd' : 'tbd',
    ...(nonlinearity === undefined ? {} : { nonlinearity: nonlinearity as 'tanh' | 'relu' }),
    lengths: lengths && Array.from(lengths.data),
    initialState: h0 && { hidden: floats(h0), ...(c0 && { cell: floats(c0) }) },
  };
}
