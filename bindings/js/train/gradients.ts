/** The gradients of what a tape holds: each array's lies in memory of its own, in the array's order, and is there while it is needed. */
import { UNPACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/unpack_weights.ts';
import { fail } from '../errors/errors.ts';
import type { Instance } from '../runtime/instance.ts';
import { sizeOf } from '../tensor/shapes.ts';
import { lastFrom } from './by_address.ts';
import { writePlainRows } from './plain_rows.ts';
import type { GradientPlaces } from './rule.ts';
import type { Tape, TapeArray } from './tape.ts';
import type { Variable, Variables } from './variables.ts';

/** Memory that belongs to a variable. */
export interface VariablePlaces {
  /** The address of its gradient, of as many floats as it has; a packed matrix has that of its rows [out, in]. */
  gradientOf(variable: Variable): number;
  /** The address of the rows [out, in] of a packed matrix; 0: they are nowhere. */
  rowsOf(variable: Variable): number;
}

export class Gradients implements GradientPlaces {
  readonly #instance: Instance;
  readonly #fn: string;
  readonly #tape: Tape;
  readonly #variables: Variables;
  readonly #places: VariablePlaces;
  /** By the array of the tape: the address of its gradient. */
  readonly #ofArrays = new Map<TapeArray, number>();
  /** The variables to whose gradient something was added. */
  readonly #written = new Set<Variable>();
  /** Packed matrices as rows [out, in], by their address. */
  readonly #plain = new Map<number, number>();

  /** Gradients of 0. */
  constructor(instance: Instance, fn: string, tape: Tape, variables: Variables, places: VariablePlaces) {
    this.#instance = instance;
    this.#fn = fn;
    this.#tape = tape;
    this.#variables = variables;
    this.#places = places;
  }

  /** Where the gradient of the numbers at an address is added to; 0 where they depend on no variable. */
  at(address: number): number {
    if (address === 0) return 0;
    const array = this.#tape.arrayAt(address);
    if (array !== undefined) return array.dependsOnVariables ? this.#ofArray(array) + address - array.from : 0;
    const variable = this.#variables.at(address);
    if (variable === undefined) return 0;
    const from = this.#ofVariable(variable);
    const { packing } = variable;
    if (packing === null) return from + address - variable.from;
    return from + 4 * lastFrom(packing.parts, address)!.row * packing.inner;
  }

  /**
   * Where the gradient of an array or a variable of `bytes` bytes is to be written, whatever the memory holds; 0 where it is added to: something
   * was added before, there are other bytes, or it depends on no variable.
   */
  claim(address: number, bytes: number): number {
    if (address === 0 || bytes === 0) return 0;
    const array = this.#tape.arrayAt(address);
    if (array !== undefined) {
      const isWhole = array.from === address && array.bytes === bytes && array.dependsOnVariables;
      return isWhole && !this.#ofArrays.has(array) ? this.#make(array) : 0;
    }
    const variable = this.#variables.at(address);
    if (variable === undefined || variable.from !== address || 4 * sizeOf(variable.shape) !== bytes) return 0;
    if (this.#written.has(variable)) return 0;
    this.#written.add(variable);
    return this.#places.gradientOf(variable);
  }

  /** The gradient of a result; 0 where the loss does not depend on it. */
  found(address: number): number {
    const array = address === 0 ? undefined : this.#tape.arrayAt(address);
    const gradient = array === undefined ? undefined : this.#ofArrays.get(array);
    return gradient === undefined ? 0 : gradient + address - array!.from;
  }

  /** Frees the gradients of the arrays that operation `n` of the tape was the first to write. */
  freeWrittenBy(n: number, addresses: readonly number[]): void {
    for (const address of addresses) {
      const array = address === 0 ? undefined : this.#tape.arrayAt(address);
      if (array?.writer !== n) continue;
      const gradient = this.#ofArrays.get(array);
      if (gradient === undefined) continue;
      this.#instance.heap.release(gradient);
      this.#ofArrays.delete(array);
    }
  }

  /** The address of a packed matrix as rows [out, in]. */
  plainOf(panels: number, inner: number, columns: number): number {
    const known = this.#plain.get(panels) ?? this.#rowsOfVariable(panels);
    if (known !== 0) return known;
    const { heap } = this.#instance;
    const out = heap.allocate(this.#fn, 4 * inner * columns);
    this.#plain.set(panels, out);
    const block = heap.allocateForCall(this.#fn, UNPACK_WEIGHTS_BLOCK.bytes);
    try {
      writePlainRows(this.#instance, this.#fn, block, { panels, inner, outer: columns, out });
    } finally {
      heap.releaseOfCall(block);
    }
    return out;
  }

  /** Frees all but the gradients of the variables, which are 0 where nothing was added to them. */
  end(): void {
    for (const variable of this.#variables.list) this.#ofVariable(variable);
    this.dispose();
  }

  /** Frees all but the gradients of the variables. */
  dispose(): void {
    const { heap } = this.#instance;
    for (const address of [...this.#ofArrays.values(), ...this.#plain.values()]) heap.release(address);
    this.#ofArrays.clear();
    this.#plain.clear();
  }

  #ofArray(array: TapeArray): number {
    const known = this.#ofArrays.get(array);
    if (known !== undefined) return known;
    const made = this.#make(array);
    this.#instance.heap.floats(made, array.bytes / 4).fill(0);
    return made;
  }

  #make(array: TapeArray): number {
    if (array.closedBy !== null) fail('option', this.#fn, `this result of ${array.closedBy} has no gradient`);
    const made = this.#instance.heap.allocate(this.#fn, array.bytes);
    this.#ofArrays.set(array, made);
    return made;
  }

  #ofVariable(variable: Variable): number {
    const address = this.#places.gradientOf(variable);
    if (this.#written.has(variable)) return address;
    this.#written.add(variable);
    this.#instance.heap.floats(address, sizeOf(variable.shape)).fill(0);
    return address;
  }

  #rowsOfVariable(panels: number): number {
    const variable = this.#variables.at(panels);
    if (variable?.packing == null) return 0;
    const { inner, parts } = variable.packing;
    const rows = this.#places.rowsOf(variable);
    return rows === 0 ? 0 : rows + 4 * lastFrom(parts, panels)!.row * inner;
  }
}
