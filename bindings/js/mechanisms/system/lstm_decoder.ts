/** Decoders whose states are given, or are those of an LSTM that may be fed what it has attended to. */
import { fail } from '../../errors/errors.ts';
import { ownProperties, ownProperty } from '../../errors/options.ts';
import { concat } from '../../ops/index.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { lstmParams, lstmStateShapes, runLstm, type LstmState } from './lstm_layers.ts';
import { booleanOption } from './option_values.ts';
import { rowOf, stackRows, zeros } from './steps.ts';
import type { Declaration, System } from './system.ts';

/** The part of a declaration that is the decoder's: one of its two inputs. */
export const DECODER = {
  inputs: { 'decoder?': 'Tt S', 'decoderInputs?': 'Tt E' },
  oneOf: [['decoder', 'decoderInputs']],
  groups: ['decoder.'],
} as const satisfies Partial<Declaration>;

export interface DecoderInputs {
  /** [Tt, S]: the states of the decoder, given. */
  readonly decoder?: ArrayInput | undefined;
  /** [Tt, E]: what the LSTM of `params.decoder` reads. */
  readonly decoderInputs?: ArrayInput | undefined;
}

/** The state of the LSTM, and with input feeding the last attentional vector: what the next call goes on from. */
export interface DecoderState<A> extends LstmState<A> {
  /** [D]. */
  attentional?: A;
}

/** Rows [B, steps, ...] by name. */
export type Rows = Readonly<Record<string, Tensor>>;

/** The weights of the first layer by their letters; none where the states are given. */
export function decoderParams(inputs: unknown, isFed: boolean): Record<string, string> {
  if (ownProperty(inputs, 'decoderInputs') === undefined) return {};
  return lstmParams('decoder.', isFed ? 'E+D' : 'E', '4S', 'S');
}

/** The option `inputFeeding`, which needs an LSTM. */
export function readInputFeeding(system: System): boolean {
  const isFed = booleanOption(system, 'inputFeeding');
  if (isFed && system.has('decoder'))
    fail('option', system.fn, 'inputFeeding cannot be combined with decoder, whose states are given: give decoderInputs');
  return isFed;
}

/** The shapes of `initialState` without the batch's axis; none where the states are given. */
export function decoderStateShapes(system: System, isFed: boolean): Record<string, readonly number[]> {
  if (system.has('decoder')) return {};
  const attentional = isFed && { attentional: [system.size('D')] };
  return { ...lstmStateShapes(system, 'decoder.', system.size('S')), ...attentional };
}

/**
 * Gives the states to `attend`, all at once where they are given, else one after another: [B, steps, S] to rows of as many steps.
 *
 * @param initial the arrays of `initialState`; absent ones are zeros.
 * @param isFed whether the LSTM reads [x_t; attentional of the step before].
 * @returns what `attend` gave for all steps, the states, and the state of the LSTM after the last step.
 */
export function runDecoder<R extends Rows & { readonly attentional: Tensor }>(
  system: System,
  initial: Partial<Record<string, Tensor>>,
  isFed: boolean,
  attend: (h: Tensor, t: number) => R,
): { rows: R; states: Tensor; state: DecoderState<Tensor> | undefined } {
  const { fovea, batch } = system;
  if (system.has('decoder')) {
    const states = system.input('decoder');
    return { rows: ownProperties(attend(states, 0)), states: states.clone(), state: undefined };
  }
  const x = system.input('decoderInputs');
  const [S, D] = [system.size('S'), isFed ? system.size('D') : 0];
  let attentional = (initial['attentional'] ?? zeros(fovea, [batch, D])).reshape([batch, 1, D]);
  let state: Partial<Record<string, Tensor>> = initial;
  const [steps, states]: [R[], Tensor[]] = [[], []];
  for (let t = 0; t < system.size('Tt'); t++) {
    const input = isFed ? concat(fovea, [rowOf(x, t), attentional]) : rowOf(x, t);
    const { output, h, c } = runLstm(system, 'decoder.', input, state);
    const rows = attend(output, t);
    ({ attentional } = rows);
    state = { h, c };
    states.push(output);
    steps.push(rows);
  }
  const none = steps[0] ?? attend(zeros(fovea, [batch, 0, S]), 0);
  const stacked = Object.entries(none).map(([name, row]) => {
    const list = steps.map((rows) => rows[name]!);
    return [name, stackRows(fovea, list, batch, row.shape.slice(2))];
  });
  const { h: shape } = lstmStateShapes(system, 'decoder.', S);
  const ownState = (name: string): Tensor => state[name]?.clone() ?? zeros(fovea, [batch, ...shape]);
  return {
    rows: ownProperties(Object.fromEntries(stacked) as R),
    states: stackRows(fovea, states, batch, [S]),
    state: { h: ownState('h'), c: ownState('c'), ...(isFed && { attentional: attentional.reshape([batch, D]).clone() }) },
  };
}
