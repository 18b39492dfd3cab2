/**
 * The tape: the operations that the instance runs while a function is differentiated, and the memory that they compute in. All of it lasts
 * until the tape ends, so that the block of an operation is all that its gradient needs.
 */
import { COPY_BLOCK } from '../../../build/generated/blocks/copy.ts';
import type { Block } from '../../../build/generated/abi.ts';
import { fail } from '../errors/errors.ts';
import type { AnyOperation } from '../runtime/engine.ts';
import { align } from '../runtime/heap.ts';
import type { Instance } from '../runtime/instance.ts';
import { Storage } from '../runtime/storage.ts';
import type { Piece, Place, Recorder } from '../runtime/recorder.ts';
import { shareAxes } from '../ops/shared_axes.ts';
import { rowMajor } from '../tensor/shapes.ts';
import { lastFrom } from './by_address.ts';
import { addressesOf, variableConstants, type Fields, type Memory } from './rule.ts';
import { ruleOf } from './rules.ts';
import type { Variables } from './variables.ts';

/** An array of floats that the tape holds. */
export interface TapeArray {
  readonly from: number;
  readonly bytes: number;
  /** The first operation that has written to it; null: none. */
  writer: number | null;
  /** Whether a variable has gone into it. */
  dependsOnVariables: boolean;
  /** The function that has made it of variables in a way that has no gradient. */
  closedBy: string | null;
}

export interface TapeEntry {
  readonly fn: string;
  readonly operation: AnyOperation;
  /** The address of the block. */
  readonly address: number;
  readonly fields: Fields;
  /** The addresses of the floats that it writes. */
  readonly outputs: readonly number[];
}

interface Chunk {
  readonly from: number;
  readonly to: number;
  /** In the order of their addresses. */
  readonly arrays: TapeArray[];
}

/** The least that is taken at once. */
const LEAST_CHUNK = 2 ** 20;

/** The bytes that the last tape of an instance took: the next begins with as many. */
const lastBytes = new WeakMap<Instance, number>();

export class Tape implements Recorder, Memory {
  readonly entries: TapeEntry[] = [];
  readonly #instance: Instance;
  readonly #variables: Variables;
  readonly #chunks: Chunk[] = [];
  readonly #blocks = new Map<number, Fields>();
  readonly #releases: (() => void)[] = [];
  readonly #storages = new Set<Storage>();
  #next = 0;
  #bytes = 0;

  constructor(instance: Instance, variables: Variables) {
    this.#instance = instance;
    this.#variables = variables;
  }

  allocate(fn: string, bytes: number): number {
    const size = align(Math.max(1, bytes));
    const { heap } = this.#instance;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || this.#next + size > chunk.to) {
      const planned = this.#chunks.length === 0 ? (lastBytes.get(this.#instance) ?? 0) : this.#bytes;
      const room = Math.max(size, LEAST_CHUNK, heap.hasRoom(planned) ? planned : 0);
      const from = heap.allocate(fn, room);
      chunk = { from, to: from + room, arrays: [] };
      this.#chunks.push(chunk);
      this.#next = from;
    }
    const address = this.#next;
    this.#next += size;
    this.#bytes += size;
    return address;
  }

  allocateArray(fn: string, bytes: number): number {
    const from = this.allocate(fn, bytes);
    this.#hold(from, bytes);
    return from;
  }

  createStorage(fn: string, floats: number): Storage {
    const storage = new Storage(this.allocateArray(fn, 4 * floats), floats);
    storage.isRecorded = true;
    this.#storages.add(storage);
    return storage;
  }

  /** Gives storage of the tape memory of its own. */
  keep(fn: string, storage: Storage): void {
    if (!this.#storages.delete(storage) || storage.disposed) return;
    const { heap } = this.#instance;
    const { address, floats } = storage;
    storage.address = heap.allocate(fn, 4 * floats);
    heap.floats(storage.address, floats).set(heap.floats(address, floats));
    storage.isRecorded = false;
    this.#instance.watch(storage);
  }

  allocateCall(fn: string, bytes: number, pieces: readonly Piece[]): number {
    const base = this.allocate(fn, bytes);
    for (const { offset, bytes: own } of pieces) this.#hold(base + offset, own);
    return base;
  }

  run<F>(fn: string, operation: AnyOperation, block: Block<F>, given: F): void {
    const fields = ruleOf(operation).prepare?.(given as Fields, this, fn) ?? (given as Fields);
    const address = this.allocate(fn, block.bytes);
    this.#instance.heap.write(block, address, fields as F);
    this.#instance.engine.run(fn, operation, address);
    this.#note({ fn, operation, address, fields });
  }

  keepBlock(address: number, fields: object): void {
    this.#blocks.set(address, fields as Fields);
  }

  /** The fields of a block that another points to. */
  block(address: number): Fields | undefined {
    return this.#blocks.get(address);
  }

  noteCopy(fn: string, from: number, shape: readonly number[], strides: readonly number[], to: number): void {
    const axes = shareAxes(shape, [strides, rowMajor(shape)]);
    const rank = axes.lengths.length;
    const lists = this.allocate(fn, 12 * rank);
    this.#instance.heap.integers(lists, 3 * rank).set([...axes.lengths, ...axes.strides.flat()]);
    const fields = { rank, lengths: lists, xStrides: lists + 4 * rank, yStrides: lists + 8 * rank, x: from, y: to };
    const address = this.allocate(fn, COPY_BLOCK.bytes);
    this.#instance.heap.write(COPY_BLOCK, address, fields);
    this.#note({ fn, operation: 'copyStrided', address, fields });
  }

  atEnd(release: () => void): void {
    this.#releases.push(release);
  }

  /** The array that holds an address; undefined for memory that is not the tape's. */
  arrayAt(address: number): TapeArray | undefined {
    const chunk = this.#chunks.find(({ from, to }) => address >= from && address < to);
    return chunk && lastFrom(chunk.arrays, address);
  }

  /** Whether the numbers at an address depend on variables. */
  dependsOnVariables(address: number): boolean {
    if (address === 0) return false;
    const array = this.arrayAt(address);
    return array === undefined ? this.#variables.at(address) !== undefined : array.dependsOnVariables;
  }

  /** Frees the memory; the Tensors that were made are disposed. */
  end(): void {
    lastBytes.set(this.#instance, this.#bytes);
    for (const release of this.#releases.splice(0)) release();
    for (const storage of this.#storages) this.#instance.freeStorage(storage);
    for (const { from } of this.#chunks.splice(0)) this.#instance.heap.release(from);
  }

  noteResults(fn: string, results: readonly Place[], inputs: readonly Partial<Place>[]): void {
    const unwritten = results.filter(({ address }) => this.arrayAt(address!)?.writer === null);
    if (unwritten.length > 0 && inputs.some(({ address }) => this.dependsOnVariables(address ?? 0)))
      for (const { address } of unwritten) this.#close(fn, address!);
  }

  /** No gradient flows through an array: that is an error where it would have to. */
  #close(fn: string, address: number): void {
    const array = address === 0 ? undefined : this.arrayAt(address);
    if (array === undefined) return;
    array.dependsOnVariables = true;
    array.closedBy = fn;
  }

  #hold(from: number, bytes: number): void {
    this.#chunks.at(-1)!.arrays.push({ from, bytes, writer: null, dependsOnVariables: false, closedBy: null });
  }

  #note(entry: Omit<TapeEntry, 'outputs'>): void {
    const { fn, operation, fields } = entry;
    const rule = ruleOf(operation);
    const outputs = addressesOf('outputs', rule, fields, this);
    const constants = variableConstants(rule, fields, this);
    if (constants.length > 0) fail('option', fn, `${constants.join(', ')} of ${operation} has no gradient`);
    const isWanted = addressesOf('inputs', rule, fields, this).some((address) => this.dependsOnVariables(address));
    if (isWanted) {
      const problem = rule.backward === null ? `${operation} has no gradient` : (rule.refuse?.(fields, this) ?? null);
      if (problem !== null) fail('option', fn, problem);
    }
    for (const address of outputs) {
      const array = address === 0 ? undefined : this.arrayAt(address);
      if (array === undefined) continue;
      array.writer ??= this.entries.length;
      array.dependsOnVariables ||= isWanted;
    }
    if (isWanted) this.entries.push({ ...entry, outputs });
  }
}
