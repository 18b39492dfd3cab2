/**
 * The memory of one call. Everything the call needs is reserved first, then `commit` takes one piece of memory for it, makes
 * the Tensors that will be returned, and copies the inputs in. The caller of `commit` also calls `release`, whatever happens.
 */
import { ATTENTION_BLOCK, type AttentionBlock } from '../../../build/generated/blocks/attention.ts';
import { MAX_BLOCK_BYTES, type Block } from '../../../build/generated/abi.ts';
import { ownProperties } from '../errors/options.ts';
import type { AnyOperation } from '../runtime/engine.ts';
import { align, type Heap } from '../runtime/heap.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Piece, Recorder } from '../runtime/recorder.ts';
import { checkAlive, type Operand } from '../tensor/operands.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import { createTensor, type Tensor } from '../tensor/tensor.ts';
import { copyInto, type NumberSource } from '../tensor/typed_arrays.ts';
import { ArenaPtr, NULL_PTR, PendingTensor, type Ptr } from './ptr.ts';
import type { Step } from './step.ts';

/** A block some of whose fields are given: the others are 0, whatever `Object.prototype` has under their names. */
export function someFields<Fields extends object>(fields: Partial<Fields>): Fields {
  return ownProperties(fields) as Fields;
}

interface Copy {
  readonly ptr: Ptr;
  readonly length: number;
}

/** Memory that is not the call's own. */
type Held = Pick<Operand, 'name' | 'owner'> & Partial<Pick<Operand, 'address'>>;

type CopyType = 'floats' | 'integers' | 'bytes';

/** Takes an operation that would have been run. */
export type NoteCall = <Fields>(operation: AnyOperation, block: Block<Fields>, fields: NoInfer<Fields>) => void;

export class CallArena {
  readonly fn: string;
  readonly instance: Instance;
  /** The steps to run once the arena is committed. */
  readonly steps: Step[] = [];
  readonly #writes: (() => void)[] = [];
  readonly #placed: Record<CopyType, Map<unknown, Copy> | null> = { floats: null, integers: null, bytes: null };
  readonly #held: Held[] = [];
  readonly #pending: PendingTensor[] = [];
  readonly #releases: (() => void)[] = [];
  #taken: Set<number> | null = null;
  /** The block of the call itself is the first piece. */
  #bytes = align(MAX_BLOCK_BYTES);
  #tensorBytes = 0;
  #base = 0;
  #kept = false;
  #note: NoteCall | null = null;
  /** The recorder of the call; with one, all that the call computes on the way is needed again. */
  readonly recorder: Recorder | null;
  readonly #pieces: Piece[] = [];

  constructor(instance: Instance, fn: string) {
    this.instance = instance;
    this.fn = fn;
    this.recorder = instance.recorder;
  }

  get heap(): Heap {
    return this.instance.heap;
  }

  reserve(bytes: number): Ptr {
    const offset = this.#bytes;
    if (this.recorder !== null) this.#pieces.push({ offset, bytes });
    this.#bytes += align(bytes);
    return new ArenaPtr(this, offset);
  }

  /** Floats at `ptr`, whose numbers the call itself needs no more; where they are needed again, others. */
  reuse(ptr: Ptr, count: number): Ptr {
    return this.recorder === null ? ptr : this.reserveFloats(count);
  }

  /** The address of the first piece; 0 before `commit`. */
  get base(): number {
    return this.#base;
  }

  reserveFloats(count: number): Ptr {
    return this.reserve(4 * count);
  }

  /** Where the operand's numbers are: a Tensor's own memory, or a copy as float32; the same source is copied once. NULL_PTR for none. */
  place(operand: Operand | null): Ptr {
    if (operand === null) return NULL_PTR;
    if (operand.address === null) return this.#copyOnce(operand.data, 'floats', sizeOf(operand.shape));
    this.watch(operand);
    return { address: operand.address };
  }

  /** Memory that is not the call's own, which must still be there when it is committed. */
  watch(held: Held): void {
    this.#held.push(held);
  }

  /** A copy of a plain operand as one byte each. */
  placeBytes(operand: Operand | null): Ptr {
    return operand === null ? NULL_PTR : this.#copyOnce(operand.data, 'bytes', sizeOf(operand.shape));
  }

  placeFloats(values: Float32Array | null): Ptr {
    return values === null ? NULL_PTR : this.#copyOnce(values, 'floats', values.length);
  }

  placeIntegers(values: Int32Array | null): Ptr {
    return values === null ? NULL_PTR : this.#copyOnce(values, 'integers', values.length);
  }

  /** A block that the call's own block points to. `fields` is asked once everything has its place. */
  placeBlock<Fields>(block: Block<Fields>, fields: () => NoInfer<Fields>): Ptr {
    const ptr = this.reserve(block.bytes);
    this.#writes.push(() => {
      const values = fields();
      this.heap.write(block, ptr.address, values);
      this.recorder?.keepBlock(ptr.address, values as object);
    });
    return ptr;
  }

  /** A Tensor that `commit` makes; it lives on only if the call succeeds. */
  reserveTensor(shape: Shape): Ptr & { readonly tensor: Tensor | null } {
    const pending = new PendingTensor(shape);
    this.#pending.push(pending);
    this.#tensorBytes += align(4 * sizeOf(shape));
    return pending;
  }

  commit(): void {
    for (const held of this.#held) checkAlive(this.fn, held);
    this.heap.checkSize(this.fn, this.#bytes + this.#tensorBytes);
    this.#base =
      this.recorder?.allocateCall(this.fn, this.#bytes, this.#pieces) ?? this.heap.allocateForCall(this.fn, this.#bytes);
    this.#fill();
  }

  /** Like `commit`, in `bytes` bytes that the caller holds: operations are given to `note`, and not run. */
  commitAt(address: number, note: NoteCall): void {
    for (const held of this.#held) checkAlive(this.fn, held);
    this.#base = address;
    this.#note = note;
    this.#fill();
  }

  /** Bytes that are reserved, without those of Tensors. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether memory that is not the call's own is there no more. */
  get isStale(): boolean {
    return this.#held.some(({ owner }) => owner?.disposed);
  }

  #fill(): void {
    for (const pending of this.#pending) pending.tensor = createTensor(this.instance, this.fn, pending.shape);
    for (const write of this.#writes) write();
  }

  /** Memory beside what was reserved, where it is known only on the way how much is needed; held until `free` or the end. */
  alloc(bytes: number): number {
    if (this.recorder !== null) return this.recorder.allocate(this.fn, bytes);
    const address = this.heap.allocate(this.fn, bytes);
    (this.#taken ??= new Set()).add(address);
    return address;
  }

  free(address: number): void {
    if (this.#taken?.delete(address)) this.heap.release(address);
  }

  /** Runs `release` when the arena is released. */
  onRelease(release: () => void): void {
    this.#releases.push(release);
  }

  /** The number of units, or of state floats, of a call with plans. */
  count(what: 'unitCount' | 'stateFloats', fields: AttentionBlock): number {
    this.heap.write(ATTENTION_BLOCK, this.#base, fields);
    return this.instance.engine.count(this.fn, what, this.#base);
  }

  /** One wasm call: writes the block and runs the operation on it. */
  run<Fields>(operation: AnyOperation, block: Block<Fields>, fields: NoInfer<Fields>): void {
    if (this.#note !== null) return this.#note(operation, block, fields);
    if (this.recorder !== null) return this.recorder.run(this.fn, operation, block, fields);
    this.heap.write(block, this.#base, fields);
    this.instance.engine.run(this.fn, operation, this.#base);
  }

  /** The call has come to its end: the Tensors among its results live on. */
  succeed<R>(result: R): R {
    this.#kept = true;
    this.recorder?.noteResults(this.fn, this.#pending, this.#held);
    return result;
  }

  /** Frees what `commit` took, but the Tensors of a call that succeeded. */
  release(): void {
    if (!this.#kept) for (const { tensor } of this.#pending) tensor?.dispose();
    if (this.#base !== 0 && this.recorder === null) this.heap.releaseOfCall(this.#base);
    this.#base = 0;
    if (this.#taken !== null) for (const address of this.#taken) this.free(address);
    for (const release of this.#releases.splice(0)) {
      if (this.recorder === null) release();
      else this.recorder.atEnd(release);
    }
  }

  /** `length` is how many numbers there were when the argument was read. */
  #copyOnce(data: NumberSource, type: CopyType, length: number): Ptr {
    const placed = (this.#placed[type] ??= new Map<unknown, Copy>());
    const known = placed.get(data);
    if (known !== undefined && known.length === length) return known.ptr;
    const ptr = this.reserve((type === 'bytes' ? 1 : 4) * length);
    placed.set(data, { ptr, length });
    this.#writes.push(() => copyInto(this.fn, this.heap[type](ptr.address, length), data));
    return ptr;
  }
}
