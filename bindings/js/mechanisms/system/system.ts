/**
 * One run of a mechanism: its arguments are read and checked against its declaration, laid out as Tensors with an axis of the
 * batch; its equations are public functions on them; its results lose that axis where the inputs have none.
 */
import { AttentionError, describe, fail } from '../../errors/errors.ts';
import {
  checkBoolean,
  checkChoice,
  emptyRecord,
  isPlainObject,
  ownProperties,
  readOptions,
  unknownName,
} from '../../errors/options.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { add } from '../../ops/index.ts';
import { instanceOf } from '../../runtime/instances.ts';
import { readIntegerArray } from '../../tensor/integer_arrays.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { isTensor, type Tensor } from '../../tensor/tensor.ts';
import type { TraceAxis, TraceStage } from '../../trace/stages.ts';
import { readArguments, toTensor, type Declaration } from './arguments.ts';
import type { Dimensions } from './dimensions.ts';
import { readLengths, readPartLengths, type Lengths } from './lengths.ts';

export type { Declaration } from './arguments.ts';

/** Integers of a result, as JavaScript owns them. */
export class Integers {
  readonly data: Int32Array;
  /** With the batch's axis. */
  readonly shape: readonly number[];

  constructor(data: Int32Array, shape: readonly number[]) {
    this.data = data;
    this.shape = shape;
  }
}

export class System {
  readonly fovea: Fovea;
  readonly fn: string;
  /** 1 where the inputs have no axis of the batch. */
  readonly batch: number;
  readonly isBatched: boolean;
  /** Whether results are Tensors: the first array is one, or the call is differentiated. */
  readonly givesTensors: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly #dimensions: Dimensions;
  readonly #inputs = new Map<string, Tensor>();
  readonly #ids: ReadonlyMap<string, Int32Array>;
  readonly #params = emptyRecord<Tensor>();
  readonly #stages: TraceStage[] | null;

  constructor(declaration: Declaration, fovea: Fovea, inputs: unknown, params: unknown, options: unknown) {
    const { fn } = declaration;
    const instance = instanceOf(fn, fovea);
    this.fovea = fovea;
    this.fn = fn;
    const names = [...declaration.options, 'trace'];
    this.options = readOptions<Record<string, unknown>>(fn, options as Record<string, unknown>, names);
    const { trace = false } = this.options;
    checkBoolean(fn, 'trace', trace);
    this.#stages = trace ? [] : null;

    const given = readArguments(declaration, instance, inputs, params);
    this.isBatched = given.batch !== null;
    this.batch = given.batch ?? 1;
    this.givesTensors = given.givesTensors || instance.recorder !== null;
    this.#dimensions = given.dimensions;
    this.#ids = given.ids;
    for (const [name, value] of given.inputs) this.#inputs.set(name, this.#withBatch(value));
    for (const [name, value] of given.params) this.#params[name] = value;
  }

  /** The size of an axis, by its letter. */
  size(letter: string): number {
    return this.#dimensions.of(letter);
  }

  /** Whether a float or integer input, or a param, was given. */
  has(name: string): boolean {
    return this.#inputs.has(name) || this.#ids.has(name) || Object.hasOwn(this.#params, name);
  }

  /** Whether a float input was given. */
  hasInput(name: string): boolean {
    return this.#inputs.has(name);
  }

  /** A float input, [B, ...]. */
  input(name: string): Tensor {
    return this.#inputs.get(name)!;
  }

  /** Integers, row-major, of all batch entries. */
  ids(name: string): Int32Array {
    return this.#ids.get(name)!;
  }

  /** The params that were given, by their dotted names. */
  get params(): Readonly<Partial<Record<string, Tensor>>> {
    return this.#params;
  }

  /** An option that is one of some names; the first unless told. */
  choice<T extends string>(option: string, choices: readonly [T, ...T[]]): T {
    const given = this.options[option] as T | undefined;
    checkChoice(this.fn, option, given, choices);
    return given ?? choices[0];
  }

  /** The sum of arrays, and of a bias that may be absent. */
  sum(terms: readonly Tensor[], bias?: Tensor): Tensor {
    const all = bias === undefined ? terms : [...terms, bias];
    return all.reduce((sum, term) => add(this.fovea, sum, term));
  }

  /** The params of a group, by what follows the prefix. */
  group(prefix: string): Record<string, Tensor> {
    const own = Object.entries(this.#params).filter(([name]) => name.startsWith(prefix));
    return ownProperties(Object.fromEntries(own.map(([name, tensor]) => [name.slice(prefix.length), tensor])));
  }

  /** An option of lengths along an axis of so many tokens. */
  lengths(option: string, size: number): Lengths {
    return readLengths(this.fn, option, this.options[option], this.batch, size);
  }

  /** An option of lengths of the parts of each sequence, [B * parts] in all. */
  partLengths(option: string, parts: Lengths, size: number): Lengths {
    return readPartLengths(this.fn, option, this.options[option], parts, size, this.isBatched);
  }

  /**
   * The arrays of the option `initialState`: [B, ...] each; empty where it is absent. An axis is a length or a letter, which it
   * fixes where no input or param has it. The entries of a list h are h.0, h.1, …; `initialIntegers` reads the `integers`.
   */
  initialState(
    shapes: Readonly<Record<string, readonly (number | string)[]>>,
    integers: readonly string[] = [],
  ): Partial<Record<string, Tensor>> {
    const { initialState: given = {} } = this.options;
    if (!isPlainObject(given)) fail('option', this.fn, `initialState must be an object, got ${describe(given)}`);
    const state = emptyRecord<Tensor>();
    const axesOf = ownProperties(shapes);
    const isList = (name: string, value: unknown): value is object => `${name}.0` in axesOf && Object(value) === value;
    const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] =>
      isList(name, value) ? Object.entries(value).map(([n, one]) => [`${name}.${n}`, one]) : [[name, value]],
    );
    for (const [name, value] of entries) {
      if (value === undefined || integers.includes(name)) continue;
      const axes = axesOf[name] ?? unknownName(this.fn, 'state', name, [...Object.keys(shapes), ...integers]);
      const array = toTensor(instanceOf(this.fn, this.fovea), this.fn, `initialState.${name}`, value);
      const tensor = this.#withBatch(array, axes.length);
      const known = axes.map((axis) => (typeof axis === 'number' ? axis : (this.#dimensions.find(axis) ?? axis)));
      const own = tensor.shape.slice(1);
      const differs = known.some((size, n) => typeof size === 'number' && size !== own[n]);
      if (tensor.shape[0] !== this.batch || own.length !== axes.length || differs) {
        const expected = [...(this.isBatched ? [this.batch] : []), ...known].join(', ');
        fail('shape', this.fn, `initialState.${name} must be [${expected}], got ${formatShape(array.shape)}`);
      }
      const letters = axes.flatMap((axis, n) => (typeof axis === 'string' ? [{ axis, size: own[n]! }] : []));
      this.#dimensions.bind([
        { name: `initialState.${name}`, axes: letters.map(({ axis }) => axis), shape: letters.map(({ size }) => size) },
      ]);
      state[name] = tensor;
    }
    return state;
  }

  /** An integer of the option `initialState` for each batch entry, from 0 to `to`; 0 where it is absent. */
  initialIntegers(name: string, to: number): readonly number[] {
    const value = ownProperties(Object(this.options['initialState']) as Record<string, unknown>)[name] ?? 0;
    const one = typeof value === 'number' ? { data: new Array<number>(this.batch).fill(value), shape: [this.batch] } : value;
    const { ids, shape } = readIntegerArray(this.fn, `initialState.${name}`, one, 0, to);
    if (ids.length !== this.batch || shape.length > 1)
      fail(
        'shape',
        this.fn,
        `initialState.${name} must be a number or [${this.isBatched ? 'B' : ''}], got ${formatShape(shape)}`,
      );
    return [...ids];
  }

  /** Takes a result, or an intermediate, into the trace; `axes` are those after the batch's. Gives the array back. */
  record(name: string, formula: string, axes: readonly TraceAxis[], array: Tensor): Tensor {
    if (this.#stages !== null) {
      const { data, shape } = this.#withoutBatch(array).toArray();
      this.#stages.push({ name, formula, shape, axes: this.isBatched ? ['batch', ...axes] : [...axes], data });
    }
    return array;
  }

  /** The results as the caller gets them: without the batch's axis where the inputs have none, plain or Tensors. */
  results(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const finish = (value: unknown): unknown => {
      if (isTensor(value)) {
        const array = this.#withoutBatch(value);
        return this.givesTensors ? array : array.toArray();
      }
      if (value instanceof Integers)
        return { data: value.data, shape: this.isBatched ? [...value.shape] : value.shape.slice(1) };
      if (Array.isArray(value)) return value.map(finish);
      return isPlainObject(value) ? present(value, finish) : value;
    };
    const results = present(given, finish);
    if (this.#stages !== null) results['trace'] = this.#stages;
    return results;
  }

  /** Gives an array without an axis of the batch one. */
  #withBatch(tensor: Tensor, rank?: number): Tensor {
    const { shape } = tensor;
    return this.isBatched || shape.length === (rank ?? -1) + 1 ? tensor : tensor.reshape([1, ...shape]);
  }

  #withoutBatch(tensor: Tensor): Tensor {
    return this.isBatched ? tensor : tensor.reshape(tensor.shape.slice(1));
  }
}

/** Runs the equations of a mechanism in a scope of their own. An error of a function that they call is told as the mechanism's. */
export function runSystem(
  declaration: Declaration,
  fovea: Fovea,
  inputs: unknown,
  params: unknown,
  options: unknown,
  equations: (system: System) => Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  instanceOf(declaration.fn, fovea);
  return fovea.scope(() => {
    const system = new System(ownProperties(declaration), fovea, inputs, params, options);
    try {
      return system.results(equations(system));
    } catch (error) {
      if (!(error instanceof AttentionError) || error.message.startsWith(`${declaration.fn}: `)) throw error;
      throw new AttentionError(error.code, `${declaration.fn}: ${error.message}`, { cause: error });
    }
  });
}

function present(given: Readonly<Record<string, unknown>>, finish: (value: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, finish(value)]));
}
