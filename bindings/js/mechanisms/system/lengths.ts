/** How many tokens each sequence of a batch has: those after are padding. */
import { describe, fail } from '../../errors/errors.ts';
import { checkInteger, isList } from '../../errors/options.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { readIntegerArray, type IntegerInput } from '../../tensor/integer_arrays.ts';
import { readIntegers } from '../../tensor/number_lists.ts';
import { formatShape, sameShape } from '../../tensor/shapes.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** The option: the length of all sequences, or one for each batch entry. */
export type LengthsOption = number | readonly number[] | Int32Array | BigInt64Array | undefined;

/** The option: the length of all parts of the sequences, or [parts] of one sequence and [B, parts] of a batch. */
export type PartLengthsOption = number | IntegerInput | undefined;

export class Lengths {
  /** [B]. */
  readonly list: readonly number[];
  /** The length of the axis, padding included. */
  readonly size: number;

  constructor(list: readonly number[], size: number) {
    this.list = list;
    this.size = size;
  }

  /** The lengths of sequences without padding. */
  static whole(batch: number, size: number): Lengths {
    return new Lengths(new Array<number>(batch).fill(size), size);
  }

  /** Whether no sequence has padding. */
  get areWhole(): boolean {
    return this.list.every((length) => length === this.size);
  }

  /** [B, T, 1] of 1 for tokens and 0 for padding. */
  existing(fovea: Fovea): Tensor {
    return fovea.tensor(this.#fill(1, 0), [this.list.length, this.size, 1]);
  }

  /** [B, 1, T] of 0 for tokens and -Infinity for padding: added to scores before a softmax. */
  forbidden(fovea: Fovea): Tensor {
    return fovea.tensor(this.#fill(0, -Infinity), [this.list.length, 1, this.size]);
  }

  /** An array [B, T, ...] with 0 in the padding, whatever stands there, NaN and Infinity too; `axis` where the tokens are another axis. */
  masked(array: Tensor, axis = 1): Tensor {
    if (this.areWhole) return array;
    const selected = array.clone();
    const { data, shape } = selected;
    const inner = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
    const outer = shape.slice(1, axis).reduce((product, size) => product * size, 1);
    for (let row = 0; row < this.list.length * outer; row++) {
      const end = (row + 1) * this.size * inner;
      data.fill(0, end - (this.size - this.list[Math.floor(row / outer)]!) * inner, end);
    }
    return selected;
  }

  #fill(token: number, padding: number): Float32Array {
    const filled = new Float32Array(this.list.length * this.size).fill(padding);
    this.list.forEach((length, b) => filled.fill(token, b * this.size, b * this.size + length));
    return filled;
  }
}

export function readLengths(fn: string, name: string, given: unknown, batch: number, size: number): Lengths {
  if (given === undefined || typeof given === 'number') {
    const length = given ?? size;
    checkInteger(fn, name, length, 0, size);
    return new Lengths(new Array<number>(batch).fill(length), size);
  }
  if (!isList(given) && !ArrayBuffer.isView(given))
    return fail('value', fn, `${name} must be a number or one for each batch entry, got ${describe(given)}`);
  return new Lengths([...readIntegers(fn, name, given, 0, size, { length: batch, per: 'batch entry' })], size);
}

/**
 * The lengths of the parts of sequences, such as the sentences of texts: [B * parts], those of parts that do not exist 0.
 *
 * @param parts how many each sequence has.
 * @param size of the longest part.
 */
export function readPartLengths(
  fn: string,
  name: string,
  given: unknown,
  parts: Lengths,
  size: number,
  isBatched: boolean,
): Lengths {
  const wanted = isBatched ? [parts.list.length, parts.size] : [parts.size];
  const count = parts.list.length * parts.size;
  const cut = (lengths: ArrayLike<number>): number[] =>
    Array.from(lengths, (length, n) => (n % parts.size < parts.list[Math.floor(n / parts.size)]! ? length : 0));
  if (given === undefined || typeof given === 'number') {
    const [length] = readLengths(fn, name, given, 1, size).list;
    return new Lengths(cut(new Array<number>(count).fill(length!)), size);
  }
  const { ids, shape } = readIntegerArray(fn, name, given, 0, size);
  if (!sameShape(shape, wanted))
    fail('shape', fn, `${name} must be a number or ${formatShape(wanted)}, got ${formatShape(shape)}`);
  return new Lengths(cut(ids), size);
}
