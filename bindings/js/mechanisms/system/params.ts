/** The params of a mechanism: nested objects, or names with dots as a state dict has them, in an object or a Map. */
import { describe, fail } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';
import { readProperty } from '../../errors/objects.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import { isMap } from '../../tensor/collections.ts';
import { isTensor } from '../../tensor/tensor.ts';

/** Arrays by name: nested, or flat with dotted names as `readSafetensors` of fovea/files gives them. */
export type ParamInput = NestedParams | ReadonlyMap<string, ArrayInput>;

export interface NestedParams {
  readonly [name: string]: ArrayInput | NestedParams | number | undefined;
}

/** Objects nested in themselves have no end. */
const MOST_LEVELS = 64;

/** The arrays by their dotted names, each read once. */
export function flattenParams(fn: string, params: unknown, argument = 'params'): Map<string, ArrayInput> {
  const flat = new Map<string, ArrayInput>();
  const take = (prefix: string, entries: Iterable<[string, unknown]>, depth: number): void => {
    if (depth > MOST_LEVELS) fail('value', fn, `${argument} must be nested at most ${MOST_LEVELS} levels deep, got more`);
    for (const [name, value] of entries) {
      if (value === undefined) continue;
      if (isPlainObject(value) && !isArray(value)) take(`${prefix}${name}.`, Object.entries(value), depth + 1);
      else flat.set(prefix + name, value as ArrayInput);
    }
  };
  if (isMap(params)) take('', params as Map<string, unknown>, 1);
  else if (isPlainObject(params) && !isArray(params)) take('', Object.entries(params), 1);
  else if (params !== undefined) fail('value', fn, `${argument} must be an object of arrays by name, got ${describe(params)}`);
  return flat;
}

/** Throws a `value` error that lists the names that are missing, and those that the mechanism does not have. */
export function checkNames(
  fn: string,
  given: ReadonlyMap<string, unknown>,
  required: readonly string[],
  isKnown: (name: string) => boolean,
): void {
  const missing = required.filter((name) => !given.has(name));
  const unknown = [...given.keys()].filter((name) => !isKnown(name));
  const wrong = [
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`unexpected ${unknown.join(', ')}`] : []),
  ];
  if (wrong.length > 0) fail('value', fn, `params must have the mechanism's names, got ${wrong.join('; ')}`);
}

function isArray(value: object): boolean {
  const has = (name: string): boolean => readProperty(value, name) !== undefined;
  return isTensor(value) || (has('data') && (has('shape') || has('dims')));
}
