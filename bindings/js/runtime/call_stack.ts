/**
 * The memory of calls: one block of wasm memory that stays from call to call, so that a small call need not ask the module
 * for memory. Calls stack up in it. As a rule the last to come is the first to go, but a call in slices may outlive a later one.
 */
import type { Engine } from './engine.ts';

/** The block grows up to this; a call that needs more has an allocation of its own, and gives it back. */
const LARGEST_BLOCK = 2 ** 24;

interface Part {
  readonly from: number;
  readonly to: number;
  held: boolean;
}

export class CallStack {
  readonly #engine: Engine;
  readonly #parts: Part[] = [];
  #block = 0;
  #size = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The address of `bytes` bytes for a call, or 0 where they do not fit. */
  take(fn: string, bytes: number): number {
    if (bytes > LARGEST_BLOCK) return 0;
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
