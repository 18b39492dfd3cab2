/** Weights by name: which must be there, which may, and of which shape. */
import { describe, fail } from '../errors.ts';
import { checkBoolean, isPlainObject, readOptions } from '../options.ts';
import { formatShape, sameShape } from '../shapes.ts';
import type { Tensor } from '../tensor.ts';
import type { ArrayInput } from '../types.ts';
import type { Module, Parameter } from './module.ts';

/** Arrays by name, as `readSafetensors` of fovea/files gives them. */
export type StateDict = ReadonlyMap<string, ArrayInput> | Readonly<Record<string, ArrayInput>>;

export interface LoadOptions {
  /** What stands before the module's names. */
  readonly prefix?: string | undefined;
  /** Default true: names that are not the module's are an error. */
  readonly strict?: boolean | undefined;
}

export function loadWeights(fn: string, module: Module, weights: StateDict, options: LoadOptions | undefined): void {
  const { prefix = '', strict = true } = readOptions(fn, options, ['prefix', 'strict']);
  if (typeof prefix !== 'string') fail('option', fn, `prefix must be a text, got ${describe(prefix)}`);
  checkBoolean(fn, 'strict', strict);
  const given = entriesOf(fn, weights);
  const wanted = module.named(prefix);
  const missing = [...wanted.keys()].filter((name) => !given.has(name));
  const unknown = strict ? [...given.keys()].filter((name) => name.startsWith(prefix) && !wanted.has(name)) : [];
  const wrong = [
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`unexpected ${unknown.join(', ')}`] : []),
  ];
  if (wrong.length > 0) fail('value', fn, `weights must have the module's names, got ${wrong.join('; ')}`);
  checkShapes(fn, module, wanted, given);
  replaceAll(module, wanted, (name) => module.fovea.tensor(given.get(name)!));
}

/** Makes all new Tensors before it frees an old one: a failure leaves the module as it was. */
export function replaceAll(
  module: Module,
  wanted: Map<string, Parameter>,
  make: (name: string, of: Parameter) => Tensor,
): void {
  const made = module.fovea.scope(() => [...wanted].map(([name, parameter]) => make(name, parameter)));
  for (const parameter of wanted.values()) {
    parameter.tensor?.dispose();
    parameter.tensor = made.shift()!;
  }
}

export function entriesOf(fn: string, weights: unknown): Map<string, ArrayInput> {
  if (weights instanceof Map) return weights as Map<string, ArrayInput>;
  if (!isPlainObject(weights)) fail('value', fn, `weights must be a Map or an object of arrays, got ${describe(weights)}`);
  return new Map(Object.entries(weights)) as Map<string, ArrayInput>;
}

function checkShapes(fn: string, module: Module, wanted: Map<string, Parameter>, given: Map<string, ArrayInput>): void {
  const { tools } = module;
  const wrong: string[] = [];
  for (const [name, { shape }] of wanted) {
    const operand = tools.readOperand(tools.instance, fn, name, given.get(name));
    if (!sameShape(operand.shape, shape))
      wrong.push(`${name} must be ${formatShape(shape)}, got ${formatShape(operand.shape)}`);
  }
  if (wrong.length > 0) fail('shape', fn, wrong.join('; '));
}
