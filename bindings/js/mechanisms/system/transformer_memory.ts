/** The decoder's memory in a transformer: the encoded source, or the state of a call before. */
import { ownProperty } from '../../errors/options.ts';
import { fail } from '../../errors/errors.ts';
import { transpose } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { existingIds } from './ids.ts';
import { Lengths } from './lengths.ts';
import { rowOf, stackRows } from './steps.ts';
import { Integers, type System } from './system.ts';
import type { KeysAndValues, TransformerLayers } from './transformer_layers.ts';

export interface Memory {
  /** [B, S, E]. */
  readonly memory: Tensor;
  readonly sourceLengths: Lengths;
  /** Keys and values of the tokens before, a layer each. */
  readonly past: readonly KeysAndValues[];
  /** How many tokens came before. */
  readonly length: number;
  /** [B, layers, heads, S, S]; undefined where the memory is that of a state. */
  readonly encoderWeights: Tensor | undefined;
}

const LONGEST = 2 ** 30;

/** The source through the encoder. */
export function encodeSource(system: System, layers: TransformerLayers): Memory {
  const S = system.size('S');
  const sourceLengths = system.lengths('sourceLengths', S);
  const vectors = (): Tensor => sourceLengths.masked(system.input('source'));
  const embedded = (): Tensor => {
    const table = layers.sourceTable;
    return layers.embed(existingIds(system, 'source', sourceLengths, table.shape[0]!), table);
  };
  const X = layers.place(system.hasInput('source') ? vectors() : embedded(), 0);
  const encoded = layers.encode(X, sourceLengths.list);
  const encoderWeights = stackWeights(system, 'encoderWeights', encoded.weights, [layers.heads, S, S], sourceLengths);
  const memory = system.record('memory', 'X^{(N)}', ['token', 'feature'], sourceLengths.masked(encoded.memory));
  return { memory, encoderWeights, sourceLengths, past: [], length: 0 };
}

/** `initialState`: memory, keys and values, and their lengths. */
export function readState(system: System, layers: TransformerLayers): Memory {
  const { fn, fovea } = system;
  const [E, L, H] = [system.size('E'), layers.decoderLayers, layers.heads];
  const rows = [L, H, 'n', E / H];
  const state = system.initialState({ memory: ['S', E], keys: rows, values: rows }, ['length', 'sourceLength']);
  const missing = ['memory', 'keys', 'values'].filter((name) => state[name] === undefined);
  if (missing.length > 0) fail('value', fn, `initialState must have ${missing.join(', ')}, as state of a call before has them`);
  if (system.options['targetLengths'] !== undefined)
    fail('option', fn, 'targetLengths cannot be combined with initialState: the tokens before have one length');
  const [length, S] = [system.size('n'), system.size('S')];
  if (system.initialIntegers('length', LONGEST).some((given) => given !== length))
    fail('value', fn, `initialState.length must be the tokens of keys and values, ${length}`);
  const layer = (array: Tensor, l: number): Tensor =>
    transpose(fovea, rowOf(array, l), [0, 1, 3, 2, 4]).reshape([system.batch, length, E]);
  const past = Array.from({ length: L }, (_, l) => ({
    keys: layer(state['keys']!, l),
    values: layer(state['values']!, l),
  }));
  const sourceLength = ownProperty(system.options['initialState'], 'sourceLength');
  const isOfState = system.options['sourceLengths'] === undefined && sourceLength !== undefined;
  const sourceLengths = isOfState
    ? new Lengths(system.initialIntegers('sourceLength', S), S)
    : system.lengths('sourceLengths', S);
  return { memory: sourceLengths.masked(state['memory']!), encoderWeights: undefined, sourceLengths, past, length };
}

/** keys and values [B, layers, heads, n, E / heads] and their length. */
export function stateOf(
  system: System,
  layers: TransformerLayers,
  past: readonly KeysAndValues[],
  length: number,
): Record<string, unknown> {
  const { fovea, batch } = system;
  const width = system.size('E') / layers.heads;
  const stack = (name: 'keys' | 'values'): Tensor => {
    const rows = past.map((one) => one[name].reshape([batch, 1, length, layers.heads, width]));
    return transpose(fovea, stackRows(fovea, rows, batch, [length, layers.heads, width]), [0, 1, 3, 2, 4]);
  };
  return { keys: stack('keys'), values: stack('values'), length: new Integers(new Int32Array(batch).fill(length), [batch]) };
}

/** The weights of all layers, 0 in the rows of padding: [B, layers, heads, queries, keys]. */
export function stackWeights(
  system: System,
  name: string,
  list: readonly Tensor[],
  row: readonly number[],
  lengths: Lengths,
): Tensor {
  const { fovea, batch } = system;
  const layers = list.map((weights) => lengths.masked(weights, 2).reshape([batch, 1, ...row]));
  const formula = '\\operatorname{softmax}(Q K^\\top / \\sqrt{d})';
  return system.record(name, formula, ['layer', 'head', 'query', 'key'], stackRows(fovea, layers, batch, row));
}
