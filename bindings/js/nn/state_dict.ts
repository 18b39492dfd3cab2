/** Weights by name: which must be there, which may, and of which shape. */
import { describe, fail } from '../errors/errors.ts';
import { checkBoolean, isFunction, isList, isPlainObject, readOptions } from '../errors/options.ts';
import { formatShape, sameShape, sizeOf } from '../tensor/shapes.ts';
import { isMap } from '../tensor/collections.ts';
import { tagOf } from '../errors/objects.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { PackedWeights } from '../ops/packed_weights.ts';
import { readWeightForm, type InputPrecision, type WeightDtype } from '../ops/weight_form.ts';
import { parameterValue, type Parameter, type ParameterOwner } from './parameter.ts';
import { readOperand } from '../tensor/operands.ts';

/** Arrays by name, as `readSafetensors` of fovea/files gives them. */
export type StateDict = ReadonlyMap<string, ArrayInput> | Readonly<Record<string, ArrayInput>>;

export interface LoadOptions {
  /** The prefix of the module's names. */
  readonly prefix?: string | undefined;
  /** Default true: names that are not the module's are an error. */
  readonly strict?: boolean | undefined;
  /**
   * The module's name for a name of `weights`, `prefix` included: a function of the name, whose undefined leaves the array out;
   * or pairs [from, to] that are applied one after the other, `from` a text with which names begin or a RegExp, `to` as in
   * String.replace. A name that ends in [0], [1], … is a part: parts are joined along the first axis, as query, key and value in
   * `in_proj_weight`.
   */
  readonly rename?: Rename | undefined;
  /**
   * 'int8' keeps the matrices of linear layers and projections in 8 bits, a quarter of their memory, and rounds what they are multiplied by:
   * `quantize` of fovea/ops tells how, and the error. All other weights stay as they are. Default 'float32'.
   */
  readonly dtype?: WeightDtype | undefined;
  /**
   * With `dtype: 'int8'`, the rounding of what the matrices are multiplied by. 'fast', the default: up to four rows of a call to 15 bits, more
   * to 7. 'precise': to 14 bits, in about twice the time for many rows.
   */
  readonly inputs?: InputPrecision | undefined;
}

export const LOAD_OPTIONS = ['prefix', 'strict', 'rename', 'dtype', 'inputs'] as const satisfies readonly (keyof LoadOptions)[];

export type Rename = ((name: string) => string | undefined) | readonly (readonly [from: string | RegExp, to: string])[];

/** @internal */
export function checkPrefix(fn: string, prefix: unknown): asserts prefix is string {
  if (typeof prefix !== 'string') fail('option', fn, `prefix must be a text, got ${describe(prefix)}`);
}

/** @internal */
export function loadWeights(fn: string, module: ParameterOwner, weights: StateDict, options: LoadOptions | undefined): void {
  const { prefix = '', strict = true, rename, dtype, inputs } = readOptions(fn, options, LOAD_OPTIONS);
  checkPrefix(fn, prefix);
  checkBoolean(fn, 'strict', strict);
  const form = readWeightForm(fn, dtype, inputs);
  const entries = entriesOf(fn, weights);
  const given = rename === undefined ? entries : renamed(module, fn, entries, rename);
  const wanted = module.named(prefix);
  const missing = [...wanted.keys()].filter((name) => !given.has(name));
  const unknown = strict ? [...given.keys()].filter((name) => name.startsWith(prefix) && !wanted.has(name)) : [];
  const wrong = [
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`unexpected ${unknown.join(', ')}`] : []),
  ];
  if (wrong.length > 0)
    fail(
      'value',
      fn,
      `weights must have the module's names, got ${wrong.join('; ')}${hintOf([...given.keys()], prefix, missing)}`,
    );
  checkShapes(fn, module, wanted, given);
  replaceAll(module, wanted, (name, parameter) => parameterValue(module, fn, name, parameter, given.get(name)!, form));
}

/**
 * Makes all new weights before it frees an old one: a failure leaves the module as it was.
 * @internal
 */
export function replaceAll(
  module: ParameterOwner,
  wanted: Map<string, Parameter>,
  make: (name: string, of: Parameter) => Tensor | PackedWeights,
): void {
  const made = module.fovea.scope(() => [...wanted].map(([name, parameter]) => make(name, parameter)));
  for (const parameter of wanted.values()) {
    parameter.value?.dispose();
    parameter.value = made.shift()!;
  }
}

/** Where the missing names are there behind a prefix: which. */
function hintOf(given: readonly string[], prefix: string, missing: readonly string[]): string {
  const [first] = missing;
  const inner = first?.slice(prefix.length);
  const found = given.find((name) => inner !== undefined && name.endsWith(`.${inner}`));
  if (found === undefined || first === undefined) return '';
  const before = found.slice(0, found.length - inner!.length);
  const all = given.every((name) => name.startsWith(before)) ? 'all names begin' : `${found} begins`;
  return `; ${all} with '${before}': pass prefix: '${before}'`;
}

/** The arrays by the names that `rename` gives them, their parts joined. */
function renamed(
  module: ParameterOwner,
  fn: string,
  entries: Map<string, ArrayInput>,
  rename: Rename,
): Map<string, ArrayInput> {
  const call = isFunction(rename) ? rename : (name: string) => applyPairs(fn, name, rename);
  const result = new Map<string, ArrayInput>();
  const parts = new Map<string, ArrayInput[]>();
  for (const [from, array] of entries) {
    const name = call(from);
    if (name === undefined) continue;
    if (typeof name !== 'string') fail('value', fn, `rename must give a text or undefined, got ${describe(name)} for ${from}`);
    const [, whole, index] = /^(.*)\[(\d+)\]$/.exec(name) ?? [];
    const list = whole === undefined ? [] : (parts.get(whole) ?? parts.set(whole, []).get(whole)!);
    if (result.has(name) || list[Number(index)] !== undefined || parts.has(name))
      fail('value', fn, `rename must give each name once, got ${name} for ${from} too`);
    if (whole === undefined) result.set(name, array);
    else list[Number(index)] = array;
  }
  for (const [name, list] of parts) {
    if (result.has(name)) fail('value', fn, `rename must give each name once, got ${name} and parts of it`);
    result.set(name, joined(module, fn, name, list));
  }
  return result;
}

/** @internal */
export function applyPairs(fn: string, name: string, pairs: unknown): string {
  if (!isList(pairs)) fail('option', fn, `rename must be a function or pairs [from, to], got ${describe(pairs)}`);
  let text = name;
  for (const pair of pairs) {
    const [from, to] = isList(pair) ? pair : [];
    if (typeof to !== 'string') return fail('option', fn, `rename must hold pairs [from, to], got ${describe(pair)}`);
    if (typeof from === 'string') text = text.startsWith(from) ? to + text.slice(from.length) : text;
    else if (tagOf(from) === 'RegExp') text = text.replace(from as RegExp, to);
    else fail('option', fn, `rename must begin pairs with a text or a RegExp, got ${describe(from)}`);
  }
  return text;
}

/** Arrays one after another along their first axis. */
function joined({ instance }: ParameterOwner, fn: string, name: string, list: readonly (ArrayInput | undefined)[]): ArrayInput {
  const parts = Array.from(list, (part, n) => readOperand(instance, fn, `${name}[${n}]`, part));
  const [first] = parts;
  const rest = first!.shape.slice(1);
  for (const { shape, name: part } of parts)
    if (shape.length === 0 || !sameShape(shape.slice(1), rest))
      fail(
        'shape',
        fn,
        `parts must have one shape but for the first axis, got ${part} ${formatShape(shape)} and ${name}[0] ${formatShape(first!.shape)}`,
      );
  const rows = parts.reduce((sum, { shape }) => sum + shape[0]!, 0);
  const data = new Float32Array(rows * sizeOf(rest));
  let at = 0;
  parts.forEach(({ data: numbers, shape }, n) => {
    const part = list[n]!;
    data.set(isTensor(part) ? part.toArray().data : numbers, at);
    at += sizeOf(shape);
  });
  return { data, shape: [rows, ...rest] };
}

/** @internal */
export function entriesOf(fn: string, weights: unknown): Map<string, ArrayInput> {
  if (isMap(weights)) return weights as Map<string, ArrayInput>;
  if (isPlainObject(weights) && Object.hasOwn(weights, 'tensors') && isMap(weights['tensors']))
    fail('value', fn, 'weights must be arrays by name, got the whole result of readSafetensors: pass its tensors');
  if (!isPlainObject(weights)) fail('value', fn, `weights must be a Map or an object of arrays, got ${describe(weights)}`);
  return new Map(Object.entries(weights)) as Map<string, ArrayInput>;
}

function checkShapes(fn: string, module: ParameterOwner, wanted: Map<string, Parameter>, given: Map<string, ArrayInput>): void {
  const { instance } = module;
  const wrong: string[] = [];
  for (const [name, { shape }] of wanted) {
    const operand = readOperand(instance, fn, name, given.get(name));
    if (!sameShape(operand.shape, shape))
      wrong.push(`${name} must be ${formatShape(shape)}, got ${formatShape(operand.shape)}`);
  }
  if (wrong.length > 0) fail('shape', fn, wrong.join('; '));
}
