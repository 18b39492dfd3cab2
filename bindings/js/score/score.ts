/** Scores as values: what a query and a key are compared by, described and not yet used. */
import { readPlain } from '../tensor/arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import {
  checkChoice,
  emptyRecord,
  isPlainObject,
  isRevoked,
  ownProperties,
  readOptions,
  unknownName,
} from '../errors/options.ts';
import type { ScoreSource } from '../attention/options/scores.ts';
import { setInternals } from '../runtime/internals.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import type { AttentionScore } from '../attention/types/entries.ts';
import type { ScoreKind, ScoreOptions } from './types.ts';

/**
 * A score as one kind of it reads its parameters.
 * @internal
 */
export type ScoreReader = Pick<ScoreSource, 'read'>;

let make: (kind: ScoreKind, source: ScoreSource) => Score;

/**
 * How a query and a key are compared: for the option `score` of the attention functions. Made by the functions of `score`. It never
 * changes; arrays are copied when it is made, Tensors are read whenever it is used, by calls of their own instance.
 *
 * @example
 * import { score } from 'fovea/score';
 * const { output } = fovea.attention([[3, 4]], [[1, 0], [0, 9]], [[1], [2]], { score: score.cosine() });
 */
export class Score {
  readonly kind: ScoreKind;

  static {
    make = (kind, source) => new Score(kind, source);
  }

  /** Scores are made by `score`. */
  protected constructor(kind: ScoreKind, source: object) {
    this.kind = kind;
    setInternals(this, 'score', source);
    Object.freeze(this);
  }
}

export interface Score extends AttentionScore {}

/**
 * @param args - those of the builder, as they are kept
 * @internal
 */
export function makeScore(kind: ScoreKind, { read }: ScoreReader, ...args: readonly unknown[]): Score {
  return make(kind, { kind, args, read });
}

/**
 * A parameter as it is kept: a copy, or a Tensor. Whether it fits is known in a call.
 * @internal
 */
export function keep(fn: string, name: string, value: unknown): ArrayInput {
  if (value === undefined) fail('value', fn, `${name} must be given`);
  if (!isRevoked(value) && typeof (value as { dispose?: unknown } | null)?.dispose === 'function') return value as ArrayInput;
  const { data, shape } = readPlain(fn, name, value);
  return { data: Float32Array.from(data), shape };
}

/**
 * The parameters of one object, each kept: those that are required, and those that may be there.
 * @internal
 */
export function keepAll<Names extends string, Optional extends string = 'bias'>(
  fn: string,
  given: unknown,
  required: readonly Names[],
  optional: readonly Optional[],
): Record<Names, ArrayInput> & { [name in Optional]?: ArrayInput } {
  if (!isPlainObject(given)) fail('value', fn, `params must be an object with ${required.join(', ')}, got ${describe(given)}`);
  const params = ownProperties(given);
  const names: readonly string[] = [...required, ...optional];
  const kept = emptyRecord<ArrayInput>();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && !names.includes(name)) unknownName(fn, 'parameter', name, names);
  for (const name of required) kept[name] = keep(fn, `params.${name}`, params[name]);
  for (const name of optional) if (params[name] !== undefined) kept[name] = keep(fn, `params.${name}`, params[name]);
  return kept as Record<Names, ArrayInput> & { [name in Optional]?: ArrayInput };
}

/** @internal */
export function readWeightLayout(fn: string, options: ScoreOptions | undefined): WeightLayout {
  const { weightLayout } = readOptions(fn, options, ['weightLayout']);
  checkChoice(fn, 'weightLayout', weightLayout, ['inOut', 'outIn']);
  return weightLayout ?? 'inOut';
}
