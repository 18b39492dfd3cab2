/** `recurrentPositions`: positions that a recurrent cell makes out of each other. */
import { instanceOf } from '../runtime/instances.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { readOptions } from '../errors/options.ts';
import { readLayers, readNames, type Family } from '../ops/recurrent/params.ts';
import { CELL_OPTIONS, gateReplaces, kindOf, planLayers, readState } from '../ops/recurrent/plan.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Instance } from '../runtime/instance.ts';
import { readCount } from './read.ts';
import type { RecurrentPositionOptions } from './types.ts';
import { freshOutput } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';
import { readOperand } from '../tensor/operands.ts';

const FAMILIES: Record<number, Family> = { 1: 'rnn', 3: 'gru', 4: 'lstm' };

/**
 * Positions made by a recurrent cell that runs on without input: p[t] = cell(0, p[t-1]), from `initialState` on. Row t is the
 * hidden state after t + 1 steps, so any number of positions has the same few weights.
 *
 * @param fovea an instance of this thread.
 * @param options `tokens` and `params`; `initialState`, `nonlinearity` of an RNN, `resetAfter` and `updateGate` of a GRU.
 * @returns [tokens, P].
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load`.
 *
 * Accuracy: as `rnn`, `gru` and `lstm` of fovea/ops.
 * Source: the discrete form of Liu et al. 2020 (FLOATER), arXiv:2003.09229 §3.1, where a differential equation drives p.
 * @example
 * import { recurrentPositions } from 'fovea/position';
 * const params = { weight_hh_l0: [[0, 1], [0.5, 0]] };
 * const options = { tokens: 3, params, nonlinearity: 'relu', initialState: { hidden: [1, 0] } };
 * toNested(recurrentPositions(fovea, options)); // [[0, 0.5], [0.5, 0], [0, 0.25]]
 */
export function recurrentPositions(fovea: Fovea, options: RecurrentPositionOptions): NDArray {
  const fn = 'recurrentPositions';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['tokens', 'params', 'initialState', ...CELL_OPTIONS.rnn, ...CELL_OPTIONS.gru]);
  const tokens = readCount(fn, 'tokens', known.tokens, 0);
  const given = readNames(fn, 'lstm', known.params);
  for (const name of given.keys())
    if (!name.endsWith('_l0'))
      fail('option', fn, `params must be those of one layer that runs forward, names with _l0, got ${name}`);
  const family = familyOf(instance, fn, given);
  for (const [owner, names] of Object.entries(CELL_OPTIONS))
    for (const name of names)
      if (known[name] !== undefined && owner !== family)
        fail('option', fn, `${name} is an option of ${owner === 'rnn' ? 'an RNN' : 'a GRU'}, got the weights of another cell`);
  const kind = kindOf(fn, family, known);
  const updateReplaces = gateReplaces(fn, known);
  const layers = readLayers(instance, fn, family, given, null);
  const { hidden: width, state } = layers;
  const initial = readState(instance, fn, family, known.initialState, [1, state], [1, width]);
  const shape = [tokens, state];
  const x = { operand: null, batch: 1, tokens, width: 0, batchStride: 0, tokenStride: 0, tokenFirst: false };

  const call = plan(instance, fn, (arena) => {
    const y = freshOutput(arena, shape, false);
    const to = { output: y.ptr, hidden: arena.reserveFloats(state), cell: arena.reserveFloats(width) };
    planLayers(arena, { kind, updateReplaces, layers, x, initial, lengths: null }, to);
    return () => y.finish() as NDArray;
  });
  return finish(call);
}

/** Which cell the weights are of: G·Hd rows, and as many columns as there are states. */
function familyOf(instance: Instance, fn: string, given: ReadonlyMap<string, unknown>): Family {
  if (given.has('weight_hr_l0')) return 'lstm';
  const weight = given.get('weight_hh_l0');
  if (weight === undefined) return 'rnn'; // readLayers says that it is missing
  const { shape } = readOperand(instance, fn, 'params.weight_hh_l0', weight);
  const [rows = 0, columns = 0] = shape;
  return (
    FAMILIES[rows / columns] ??
    fail('shape', fn, `params.weight_hh_l0 must be [G·Hd, Hd] with G = 1 (RNN), 3 (GRU) or 4 (LSTM), got [${shape.join(', ')}]`)
  );
}
