/** The arguments of a mechanism, read and checked against its declaration. */
import { describe, fail } from '../../errors/errors.ts';
import { isPlainObject, ownProperties, unknownName } from '../../errors/options.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import { readIntegerArray } from '../../tensor/integer_arrays.ts';
import { copyToTensor } from '../../tensor/make_tensor.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { isTensor, tensorState, type Tensor } from '../../tensor/tensor.ts';
import { axesOf, Dimensions, type DeclaredShape } from './dimensions.ts';
import { checkNames, flattenParams } from './params.ts';

/** The arguments of a mechanism. A name that ends with '?' may be left out. */
export interface Declaration {
  readonly fn: string;
  /** Float arrays: their axes, without the batch's. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Integer arrays, the same. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  /** Params whose names begin so are read by the functions that take them, such as `lstm`: 'decoder.' `params` may name some of them. */
  readonly groups?: readonly string[];
  /** Params of which there are as many as are given, such as W1, b1, W2, b2, …: declared by the names that are there. */
  readonly numbered?: (given: readonly string[]) => Readonly<Record<string, string>>;
  /** Inputs of which exactly one is given. */
  readonly oneOf?: readonly (readonly string[])[];
  /** Optional params, or optional inputs, that are given together or not at all. */
  readonly together?: readonly (readonly string[])[];
  /** Inputs that all entries of a batch share: they never have its axis. */
  readonly shared?: readonly string[];
  /** The names of the options besides `trace`. */
  readonly options: readonly string[];
}

/** The arrays that were given, by name. */
export interface GivenArguments {
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly ids: ReadonlyMap<string, Int32Array>;
  /** By their dotted names. */
  readonly params: ReadonlyMap<string, Tensor>;
  readonly dimensions: Dimensions;
  /** Null where no input has the batch's axis. */
  readonly batch: number | null;
  /** Whether the first float input is a Tensor. */
  readonly givesTensors: boolean;
}

interface NamedInput {
  readonly name: string;
  readonly axes: string[];
  readonly value: ArrayInput;
}

const LARGEST_ID = 2 ** 31 - 1;

/** @internal */
export function readArguments(declaration: Declaration, instance: Instance, inputs: unknown, params: unknown): GivenArguments {
  const { fn } = declaration;
  const given = readInputs(declaration, inputs);
  const floats = namedInputs(given, declaration.inputs);
  const integers = namedInputs(given, declaration.ids ?? {});
  const tensors = floats.map(({ name, value }) => toTensor(instance, fn, name, value));
  const ids = integers.map(({ name, value }) => readIntegerArray(fn, name, asArray(value), -LARGEST_ID - 1, LARGEST_ID));
  const shapes = [
    ...floats.map(({ name, axes }, n) => ({ name, axes, shape: tensors[n]!.shape })),
    ...integers.map(({ name, axes }, n) => ({ name, axes, shape: ids[n]!.shape })),
  ];
  const shared = shapes.filter(({ name }) => declaration.shared?.includes(name));
  for (const { name, axes, shape } of shared)
    if (shape.length !== axes.length) fail('shape', fn, `${name} must be [${axes.join(', ')}], got ${formatShape(shape)}`);
  const batch = batchOf(
    fn,
    shapes.filter((one) => !shared.includes(one)),
  );
  const inner = shapes.map((one) => ({ ...one, shape: one.shape.slice(one.shape.length - one.axes.length) }));
  const flat = flattenParams(fn, params);
  const declared = ownProperties({ ...declaration.params, ...declaration.numbered?.([...flat.keys()]) });
  checkParams(declaration, declared, flat);
  const weights = new Map([...flat].map(([name, value]) => [name, toTensor(instance, fn, name, value)]));
  const dimensions = new Dimensions(fn);
  dimensions.bind([...inner, ...paramShapes(fn, declared, weights)]);
  return {
    inputs: new Map(floats.map(({ name }, n) => [name, tensors[n]!])),
    ids: new Map(integers.map(({ name }, n) => [name, ids[n]!.ids])),
    params: weights,
    dimensions,
    batch,
    givesTensors: floats.length > 0 && isTensor(floats[0]!.value),
  };
}

/**
 * A copy of a plain array or a number; a Tensor of this instance itself.
 * @internal
 */
export function toTensor(instance: Instance, fn: string, name: string, value: unknown): Tensor {
  if (!isTensor(value)) return copyToTensor(instance, fn, name, asArray(value));
  tensorState(instance, fn, name, value);
  return value;
}

/** A number is an array without axes. */
function asArray(value: unknown): unknown {
  return typeof value === 'number' ? { data: [value], shape: [] } : value;
}

function isGrouped({ groups = [] }: Declaration, name: string): boolean {
  return groups.some((prefix) => name.startsWith(prefix));
}

/** Throws a `value` error for params that are missing, unknown, or without those that they go with. */
function checkParams(
  declaration: Declaration,
  declared: Readonly<Record<string, string>>,
  given: ReadonlyMap<string, unknown>,
): void {
  const isKnown = (name: string): boolean => isDeclared(declared, name) || isGrouped(declaration, name);
  checkNames(declaration.fn, given, required(declared), isKnown);
  checkTogether(declaration, 'params', declared, given);
}

function checkTogether(
  { fn, together = [] }: Declaration,
  kind: 'inputs' | 'params',
  declared: Readonly<Record<string, string>>,
  given: ReadonlyMap<string, unknown>,
): void {
  for (const names of together.filter(([first]) => isDeclared(declared, first!))) {
    const missing = names.filter((name) => !given.has(name));
    if (missing.length > 0 && missing.length < names.length)
      fail('value', fn, `${kind} must have ${names.join(', ')} together or none of them, got no ${missing.join(', ')}`);
  }
}

/** The shapes of the params that are declared by name. */
function paramShapes(
  fn: string,
  declared: Readonly<Record<string, string>>,
  weights: ReadonlyMap<string, Tensor>,
): DeclaredShape[] {
  const own = [...weights].filter(([name]) => isDeclared(declared, name));
  return own.map(([name, { shape }]) => {
    const axes = axesOf(declared[name] ?? declared[`${name}?`]!);
    if (shape.length !== axes.length) fail('shape', fn, `${name} must be [${axes.join(', ')}], got ${formatShape(shape)}`);
    return { name, axes, shape };
  });
}

/** The inputs by name, each read once. */
function readInputs(declaration: Declaration, given: unknown): Map<string, unknown> {
  const { fn, inputs, ids = {}, oneOf = [] } = declaration;
  if (!isPlainObject(given)) return fail('value', fn, `inputs must be an object of arrays by name, got ${describe(given)}`);
  const declared = ownProperties({ ...inputs, ...ids });
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name] of entries)
    if (!isDeclared(declared, name)) unknownName(fn, 'input', name, Object.keys(declared).map(bareName));
  const read = new Map(entries);
  const missing = required(declared).filter((name) => !read.has(name));
  if (missing.length > 0)
    fail('value', fn, `inputs must have ${missing.join(', ')}, which ${missing.length > 1 ? 'are' : 'is'} missing`);
  for (const names of oneOf) {
    const count = names.filter((name) => read.has(name)).length;
    if (count !== 1)
      fail(
        'option',
        fn,
        `inputs must have exactly one of ${names.join(', ')}, got ${count === 0 ? 'none' : `${count} of them`}`,
      );
  }
  checkTogether(declaration, 'inputs', declared, read);
  return read;
}

function namedInputs(given: ReadonlyMap<string, unknown>, declared: Readonly<Record<string, string>>): NamedInput[] {
  const names = Object.entries(declared).map(([key, axes]) => ({ name: bareName(key), axes: axesOf(axes) }));
  return names.filter(({ name }) => given.has(name)).map((one) => ({ ...one, value: given.get(one.name) as ArrayInput }));
}

function isDeclared(declared: Readonly<Record<string, string>>, name: string): boolean {
  return name in declared || `${name}?` in declared;
}

function bareName(key: string): string {
  return key.endsWith('?') ? key.slice(0, -1) : key;
}

function required(declared: Readonly<Record<string, string>>): string[] {
  return Object.keys(declared).filter((key) => !key.endsWith('?'));
}

/** The size of the batch, or null where no input has that axis; an error where some do, or sizes differ. */
function batchOf(fn: string, arrays: readonly DeclaredShape[]): number | null {
  let batch: number | null | undefined;
  for (const { name, axes, shape } of arrays) {
    const extra = shape.length - axes.length;
    const spelled = axes.join(', ');
    if (extra !== 0 && extra !== 1)
      fail('shape', fn, `${name} must be [${spelled}] or [${['B', ...axes].join(', ')}], got ${formatShape(shape)}`);
    const own = extra === 1 ? shape[0]! : null;
    if (batch === undefined) batch = own;
    if (own !== batch)
      fail(
        'shape',
        fn,
        `all inputs or none must have the batch's axis, of one length, got ${name} ${formatShape(shape)} beside ${arrays[0]!.name} ${formatShape(arrays[0]!.shape)}`,
      );
  }
  return batch ?? null;
}
