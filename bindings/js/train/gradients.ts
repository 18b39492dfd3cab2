/** The gradients of what a tape holds: each array's lies in memory of its own, in the array's order, and is there while it is needed. */
import { UNPACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/unpack_weights.ts';
import { fail } from '../errors/errors.ts';
import type { Instance } from '../runtime/instance.ts';
import { createTensor, tensorStorage, type Tensor } from '../tensor/tensor.ts';
import { lastFrom } from './by_address.ts';
import { writePlainRows } from './plain_rows.ts';
import type { GradientPlaces } from './rule.ts';
import type { Tape, TapeArray } from './tape.ts';
import type { Variable, Variables } from './variables.ts';

export class Gradients implements GradientPlaces {
  readonly #instance: Instance;
  readonly #fn: string;
  readonly #tape: Tape;
  readonly #variables: Variables;
  /** By the array of the tape: the address of its gradient. */
  readonly #ofArrays = new Map<TapeArray, number>();
  readonly #ofVariables: ReadonlyMap<Variable, Tensor>;
  /** Packed matrices as rows [out, in], by their address. */
  readonly #plain = new Map<number, number>();

  /** Gradients of 0. */
  constructor(instance: Instance, fn: string, tape: Tape, variables: Variables) {
    this.#instance = instance;
    this.#fn = fn;
    this.#tape = tape;
    this.#variables = variables;
    const made = new Map<Variable, Tensor>();
    this.#ofVariables = made;
    try {
      for (const variable of variables.list) {
        const { packing, shape } = variable;
        const tensor = createTensor(instance, fn, packing === null ? shape : [packing.outer, packing.inner]);
        made.set(variable, tensor);
        tensor.data.fill(0);
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** The gradients of the variables; a packed matrix has that of its rows [out, in]. */
  get ofVariables(): ReadonlyMap<Variable, Tensor> {
    return this.#ofVariables;
  }

  /** Where the gradient of the numbers at an address is added to; 0 where they depend on no variable. */
  at(address: number): number {
    if (address === 0) return 0;
    const array = this.#tape.arrayAt(address);
    if (array !== undefined) return array.dependsOnVariables ? this.#ofArray(array) + address - array.from : 0;
    const variable = this.#variables.at(address);
    if (variable === undefined) return 0;
    const { address: from } = tensorStorage(this.#ofVariables.get(variable)!);
    const { packing } = variable;
    if (packing === null) return from + address - variable.from;
    return from + 4 * lastFrom(packing.parts, address)!.row * packing.inner;
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
    const known = this.#plain.get(panels);
    if (known !== undefined) return known;
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

  /** Frees all but the gradients of the variables. */
  end(): void {
    const { heap } = this.#instance;
    for (const address of [...this.#ofArrays.values(), ...this.#plain.values()]) heap.release(address);
    this.#ofArrays.clear();
    this.#plain.clear();
  }

  /** Frees the gradients of the variables, too. */
  dispose(): void {
    this.end();
    for (const tensor of this.#ofVariables.values()) tensor.dispose();
  }

  #ofArray(array: TapeArray): number {
    const known = this.#ofArrays.get(array);
    if (known !== undefined) return known;
    if (array.closedBy !== null) fail('option', this.#fn, `this result of ${array.closedBy} has no gradient`);
    const { heap } = this.#instance;
    const made = heap.allocate(this.#fn, array.bytes);
    heap.floats(made, array.bytes / 4).fill(0);
    this.#ofArrays.set(array, made);
    return made;
  }
}
