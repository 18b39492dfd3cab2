/**
 * wasm memory, seen from JavaScript: addresses, views, and an account of what is allocated. But for core_text.ts, which reads names, no other file makes a view
 * of wasm memory, and none keeps one: growth detaches them.
 */
import type { Block, MemoryViews } from '../../../build/generated/abi.ts';
import type { Engine } from './engine.ts';
import { fail } from '../errors/errors.ts';
import { SpareBlocks } from './spare_blocks.ts';

/** The module's own data and stack. */
const OWN_BYTES = 2 ** 20;

/** Pieces start on a multiple of this, as malloc's do. */
const ALIGN = 16;

export function align(bytes: number): number {
  return Math.ceil(bytes / ALIGN) * ALIGN;
}

export class Heap {
  readonly #engine: Engine;
  readonly #sizes = new Map<number, number>();
  readonly #capacity: number;
  readonly #calls: CallStack;
  readonly #spare: SpareBlocks;
  #live = 0;
  /** Views of the whole memory, kept for parameter blocks: making views costs more than writing one. */
  #views: MemoryViews = viewsOf(new ArrayBuffer(0));

  /** @param maximumBytes - what the memory may grow to */
  constructor(engine: Engine, maximumBytes: number) {
    this.#engine = engine;
    this.#capacity = maximumBytes - OWN_BYTES;
    this.#calls = new CallStack(engine);
    this.#spare = new SpareBlocks(engine);
  }

  /** Bytes allocated and not yet released. */
  get live(): number {
    return this.#engine.disposed ? 0 : this.#live;
  }

  get total(): number {
    return this.#engine.buffer.byteLength;
  }

  /** Throws a `memory` error that names `bytes` when they cannot be had at all, before anything is allocated. */
  checkSize(fn: string, bytes: number): void {
    if (!this.hasRoom(bytes)) {
      const held = this.#live === 0 ? '' : ` beside the ${this.#live} that are in use`;
      fail('memory', fn, `needs ${bytes} bytes of WebAssembly memory${held}; it has ${this.#capacity}`);
    }
  }

  /** Whether `bytes` fit beside those that are in use; false for NaN. */
  hasRoom(bytes: number): boolean {
    return this.#live + bytes <= this.#capacity;
  }

  allocate(fn: string, bytes: number): number {
    this.checkSize(fn, bytes);
    const size = Math.max(ALIGN, align(bytes));
    const address = this.#spare.take(size) || this.#engine.allocate(fn, size) || this.#allocateTrimmed(fn, size);
    if (address === 0) fail('memory', fn, `WebAssembly memory refused ${bytes} bytes; ${this.#live} are in use`);
    this.#sizes.set(address, size);
    this.#live += size;
    return address;
  }

  release(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) return;
    this.#sizes.delete(address);
    this.#live -= size;
    this.#spare.keep(address, size);
  }

  /** Memory that a call holds while it runs: as a rule a part of a block that stays. */
  allocateForCall(fn: string, bytes: number): number {
    this.checkSize(fn, bytes);
    const address = this.#calls.take(fn, bytes);
    if (address === 0) return this.allocate(fn, bytes);
    this.#live += bytes;
    return address;
  }

  releaseOfCall(address: number): void {
    const bytes = this.#calls.giveBack(address);
    if (bytes === 0) this.release(address);
    this.#live -= bytes;
  }

  /** Asks again once the memory that is kept for later is given back. */
  #allocateTrimmed(fn: string, size: number): number {
    this.#calls.trim();
    this.#spare.trim();
    return this.#engine.allocate(fn, size);
  }

  floats(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#engine.buffer as ArrayBuffer, address, length);
  }

  bytes(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#engine.buffer as ArrayBuffer, address, length);
  }

  integers(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#engine.buffer as ArrayBuffer, address, length);
  }

  words(address: number, length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#engine.buffer as ArrayBuffer, address, length);
  }

  /** Writes a parameter block; a field that is not given is 0. */
  write<Fields>(block: Block<Fields>, address: number, fields: NoInfer<Fields>): void {
    // Growth detaches the views, or leaves them short where the memory is shared.
    if (address + block.bytes > this.#views.i32.byteLength) this.#views = viewsOf(this.#engine.buffer);
    block.write(this.#views, address, fields);
  }

  /** Whether a caller's array lies in this memory: growth would detach it in the middle of a call. */
  owns(buffer: ArrayBufferLike): boolean {
    return buffer === this.#engine.buffer;
  }
}

function viewsOf(memory: ArrayBufferLike): MemoryViews {
  return { i32: new Int32Array(memory), f32: new Float32Array(memory), f64: new Float64Array(memory) };
}

/** The block grows up to this; a call that needs more has an allocation of its own, and gives it back. */
const LARGEST_CALL_BLOCK = 2 ** 24;

interface Part {
  readonly from: number;
  readonly to: number;
  held: boolean;
}

/**
 * The memory of calls: one block of wasm memory that stays from call to call, so that a small call need not ask the module
 * for memory. Calls stack up in it. As a rule the last to come is the first to go, but a call in slices may outlive a later one.
 */
class CallStack {
  readonly #engine: Engine;
  readonly #parts: Part[] = [];
  #block = 0;
  #size = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The address of `bytes` bytes for a call, or 0 where they do not fit. */
  take(fn: string, bytes: number): number {
    if (bytes > LARGEST_CALL_BLOCK) return 0;
    if (bytes > this.#size && this.#parts.length === 0) this.#grow(fn, bytes);
    const from = this.#parts.at(-1)?.to ?? this.#block;
    if (bytes > this.#block + this.#size - from) return 0;
    this.#parts.push({ from, to: from + bytes, held: true });
    return from;
  }

  /** Takes back what `take` gave at `address`; tells how many bytes that were, 0 where it was not from here. */
  giveBack(address: number): number {
    const parts = this.#parts;
    let at = parts.length - 1;
    while (at >= 0 && !(parts[at]!.held && parts[at]!.from === address)) at--;
    if (at < 0) return 0;
    const part = parts[at]!;
    part.held = false;
    while (parts.length > 0 && !parts[parts.length - 1]!.held) parts.pop();
    return part.to - part.from;
  }

  /** Gives the block back to the module, unless a call is using it. */
  trim(): void {
    if (this.#parts.length > 0 || this.#block === 0) return;
    this.#engine.release(this.#block);
    this.#block = 0;
    this.#size = 0;
  }

  #grow(fn: string, bytes: number): void {
    this.trim();
    const size = Math.max(2 ** 16, 1 << (32 - Math.clz32(bytes - 1)));
    this.#block = this.#engine.allocate(fn, size);
    if (this.#block !== 0) this.#size = size;
  }
}
