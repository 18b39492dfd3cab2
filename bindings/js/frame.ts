/**
 * The memory of one call. Everything the call needs is reserved first, then `commit` makes one allocation for it, makes
 * the Tensors that will be returned, and copies the inputs in. Whoever commits a frame releases it, whatever happens.
 */
import { ATTENTION_FIELDS } from './abi.ts';
import { BLOCK_BYTES, writeBlock, type AttentionFields } from './blocks.ts';
import type { Step } from './call.ts';
import type { Operation } from './engine.ts';
import { align, type Heap } from './heap.ts';
import type { Instance } from './instance.ts';
import type { Operand } from './operands.ts';
import { sizeOf, type Shape } from './shapes.ts';
import { createTensor, tensorStorage, type Tensor } from './tensor.ts';

/** A place in wasm memory whose address is known once the frame is committed. */
export interface Span {
  readonly address: number;
}

/** No place at all: a null pointer. */
export const NOWHERE: Span = { address: 0 };

/** A class, as a literal with a getter costs more than the rest of reserving. */
class FrameSpan implements Span {
  readonly #frame: Frame;
  readonly #offset: number;

  constructor(frame: Frame, offset: number) {
    this.#frame = frame;
    this.#offset = offset;
  }

  get address(): number {
    return this.#frame.base + this.#offset;
  }
}

/** `floats` after `span`. */
export class ShiftedSpan implements Span {
  readonly #span: Span;
  readonly #floats: number;

  constructor(span: Span, floats: number) {
    this.#span = span;
    this.#floats = floats;
  }

  get address(): number {
    return this.#span.address + 4 * this.#floats;
  }
}

type CopyType = 'floats' | 'integers' | 'bytes';

interface Pending {
  readonly shape: Shape;
  tensor: Tensor | null;
}

export class Frame {
  readonly fn: string;
  readonly instance: Instance;
  /** What is done once the frame is committed. */
  readonly steps: Step[] = [];
  readonly #writes: (() => void)[] = [];
  readonly #placed: Record<CopyType, Map<unknown, Span>> = { floats: new Map(), integers: new Map(), bytes: new Map() };
  readonly #pending: Pending[] = [];
  readonly #block: Span;
  readonly #taken = new Set<number>();
  readonly #leavings: (() => void)[] = [];
  #bytes = 0;
  #tensorBytes = 0;
  #base = 0;
  #kept = false;

  constructor(instance: Instance, fn: string) {
    this.instance = instance;
    this.fn = fn;
    this.#block = this.reserve(BLOCK_BYTES);
  }

  get heap(): Heap {
    return this.instance.heap;
  }

  reserve(bytes: number): Span {
    const span = new FrameSpan(this, this.#bytes);
    this.#bytes += align(bytes);
    return span;
  }

  /** The address of the first piece; 0 before `commit`. */
  get base(): number {
    return this.#base;
  }

  reserveFloats(count: number): Span {
    return this.reserve(4 * count);
  }

  /** Where the operand's numbers are: a Tensor's own memory, or a copy as float32; the same source is copied once. */
  place(operand: Operand): Span {
    return operand.address === null ? this.#copyOnce(operand.data, 'floats') : { address: operand.address };
  }

  /** A copy of a plain operand as one byte each. */
  placeBytes(operand: Operand): Span {
    return this.#copyOnce(operand.data, 'bytes');
  }

  placeFloats(values: Float32Array | null): Span {
    return values === null ? NOWHERE : this.#copyOnce(values, 'floats');
  }

  placeIntegers(values: Int32Array | null): Span {
    return values === null ? NOWHERE : this.#copyOnce(values, 'integers');
  }

  /** A block that the call's own block points to. `fields` is asked once everything has its place. */
  placeBlock<Names extends readonly string[]>(names: Names, fields: () => Partial<Record<Names[number], number>>): Span {
    const span = this.reserve(4 * names.length);
    this.#writes.push(() => writeBlock(this.heap, span.address, names, fields()));
    return span;
  }

  /** A Tensor that `commit` makes; it lives on only if the call succeeds. */
  reserveTensor(shape: Shape): { readonly span: Span; readonly get: () => Tensor } {
    const pending: Pending = { shape, tensor: null };
    this.#pending.push(pending);
    this.#tensorBytes += align(4 * sizeOf(shape));
    const get = (): Tensor => pending.tensor!;
    return {
      get,
      span: {
        get address() {
          return tensorStorage(get()).address;
        },
      },
    };
  }

  commit(): void {
    this.heap.checkSize(this.fn, this.#bytes + this.#tensorBytes);
    this.#base = this.heap.allocate(this.fn, this.#bytes);
    for (const pending of this.#pending) pending.tensor = createTensor(this.instance, this.fn, pending.shape);
    for (const write of this.#writes) write();
  }

  /** Memory beside what was reserved, where it is known only on the way how much is needed; held until `give` or the end. */
  take(bytes: number): number {
    const address = this.heap.allocate(this.fn, bytes);
    this.#taken.add(address);
    return address;
  }

  give(address: number): void {
    this.#taken.delete(address);
    this.heap.release(address);
  }

  /** Runs `leave` when the frame is released. */
  whenLeft(leave: () => void): void {
    this.#leavings.push(leave);
  }

  /** What a call with plans needs of something. */
  count(what: 'unitCount' | 'stateFloats', fields: AttentionFields): number {
    writeBlock(this.heap, this.#block.address, ATTENTION_FIELDS, fields);
    return this.instance.engine.count(this.fn, what, this.#block.address);
  }

  /** One crossing: writes the block and runs the operation on it. */
  run<Names extends readonly string[]>(
    operation: Operation,
    names: Names,
    fields: Partial<Record<Names[number], number>>,
  ): void {
    writeBlock(this.heap, this.#block.address, names, fields);
    this.instance.engine.run(this.fn, operation, this.#block.address);
  }

  /** The call has come to its end: the Tensors among its results live on. */
  succeed<R>(result: R): R {
    this.#kept = true;
    return result;
  }

  /** Frees what `commit` took, but the Tensors of a call that succeeded. */
  release(): void {
    if (!this.#kept) for (const { tensor } of this.#pending) tensor?.dispose();
    if (this.#base !== 0) this.heap.release(this.#base);
    this.#base = 0;
    for (const address of this.#taken) this.give(address);
    for (const leave of this.#leavings.splice(0)) leave();
  }

  #copyOnce(data: ArrayLike<number>, type: CopyType): Span {
    const known = this.#placed[type].get(data);
    if (known !== undefined) return known;
    const span = this.reserve((type === 'bytes' ? 1 : 4) * data.length);
    this.#placed[type].set(data, span);
    this.#writes.push(() => this.heap[type](span.address, data.length).set(data));
    return span;
  }
}
