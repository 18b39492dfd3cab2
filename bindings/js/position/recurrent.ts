/** `recurrent`: positions that a recurrent cell makes out of each other. */
import { fail } from '../errors.ts';
import type { Fovea } from '../fovea.ts';
import { readOptions } from '../options.ts';
import { readLayers, readNames, type Family } from '../recurrent/params.ts';
import { CELL_OPTIONS, kindOf, planLayers, readState, recurrentTools } from '../recurrent/plan.ts';
import type { NDArray } from '../types.ts';
import { readCount } from './tools.ts';
import type { RecurrentPositionOptions } from './types.ts';

const FAMILIES: Record<number, Family> = { 1: 'rnn', 3: 'gru', 4: 'lstm' };

/**
 * Positions made by a recurrent cell that runs on without input: p[t] = cell(0, p[t-1]), from `initialState` on. Row t is the
 * hidden state after t + 1 steps, so any number of positions has the same few weights.
 *
 * @param fovea an instance of this thread.
 * @param options `tokens` and `params`; `initialState`, `nonlinearity` of an RNN, `resetAfter` of a GRU.
 * @returns [tokens, P].
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load`.
 *
 * Accuracy: as `rnn`, `gru` and `lstm` of fovea/ops.
 * Source: the discrete form of Liu et al. 2020 (FLOATER), arXiv:2003.09229 §3.1, where a differential equation drives p.
 * @example
 * import { recurrent } from 'fovea/position';
 * const params = { weight_hh_l0: [[0, 1], [0.5, 0]] };
 * const options = { tokens: 3, params, nonlinearity: 'relu', initialState: { hidden: [1, 0] } };
 * toNested(recurrent(fovea, options)); // [[0, 0.5], [0.5, 0], [0, 0.25]]
 */
export function recurrent(fovea: Fovea, options: RecurrentPositionOptions): NDArray {
  const fn = 'recurrent';
  const tools = recurrentTools(fn, fovea, 'fovea/position');
  const known = readOptions(fn, options, ['tokens', 'params', 'initialState', ...CELL_OPTIONS.rnn, ...CELL_OPTIONS.gru]);
  const tokens = readCount(fn, 'tokens', known.tokens, 0);
  const given = readNames(fn, 'lstm', known.params);
  for (const name of given.keys())
    if (!name.endsWith('_l0'))
      fail('option', fn, `params must be those of one layer that runs forward, names with _l0, got ${name}`);
  const family = familyOf(tools, fn, given);
  for (const [owner, names] of Object.entries(CELL_OPTIONS))
    for (const name of names)
      if (known[name] !== undefined && owner !== family)
        fail('option', fn, `${name} is an option of ${owner === 'rnn' ? 'an RNN' : 'a GRU'}, got the weights of another cell`);
  const layers = readLayers(tools, fn, family, given, null);
  const { hidden: width, state } = layers;
  const initial = readState(tools, fn, family, known.initialState, [1, state], [1, width]);
  const shape = [tokens, state];
  const x = { operand: null, batch: 1, tokens, width: 0, batchStride: 0, tokenStride: 0, tokenFirst: false };

  const call = tools.plan(tools.instance, fn, (frame) => {
    const output = frame.reserveFloats(tokens * state);
    const to = { output, hidden: frame.reserveFloats(state), cell: frame.reserveFloats(width) };
    planLayers(frame, { kind: kindOf(fn, family, known), layers, x, initial, lengths: null }, to);
    return (): NDArray => ({ data: tools.copyOut(frame, frame.heap.floats(output.address, tokens * state)), shape });
  });
  return tools.finish(call);
}

/** Which cell the weights are of: G·Hd rows, and as many columns as there are states. */
function familyOf(tools: ReturnType<typeof recurrentTools>, fn: string, given: ReadonlyMap<string, unknown>): Family {
  if (given.has('weight_hr_l0')) return 'lstm';
  const weight = given.get('weight_hh_l0');
  if (weight === undefined) return 'rnn'; // readLayers says that it is missing
  const { shape } = tools.readOperand(tools.instance, fn, 'params.weight_hh_l0', weight);
  const [rows = 0, columns = 0] = shape;
  return (
    FAMILIES[rows / columns] ??
    fail('shape', fn, `params.weight_hh_l0 must be [G·Hd, Hd] with G = 1 (RNN), 3 (GRU) or 4 (LSTM), got [${shape.join(', ')}]`)
  );
}
