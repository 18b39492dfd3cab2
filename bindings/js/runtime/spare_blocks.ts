/**
 * Small blocks of wasm memory that were released, kept for the next request of their size: a program that makes and disposes
 * Tensors of the same shapes, step by step, need not ask the module for memory.
 */
import type { Engine } from './engine.ts';

/** Larger blocks go back to the module. */
const LARGEST_BLOCK = 2 ** 16;
/** All blocks together. */
const LARGEST_TOTAL = 2 ** 20;

export class SpareBlocks {
  readonly #engine: Engine;
  readonly #addresses = new Map<number, number[]>();
  #total = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The address of a block of exactly `size` bytes, or 0. */
  take(size: number): number {
    const address = this.#addresses.get(size)?.pop() ?? 0;
    if (address !== 0) this.#total -= size;
    return address;
  }

  /** Keeps a block, or gives it back to the module. */
  keep(address: number, size: number): void {
    if (size > LARGEST_BLOCK || this.#total + size > LARGEST_TOTAL) return this.#engine.release(address);
    const addresses = this.#addresses.get(size);
    if (addresses === undefined) this.#addresses.set(size, [address]);
    else addresses.push(address);
    this.#total += size;
  }

  /** Gives all blocks back to the module. */
  trim(): void {
    for (const addresses of this.#addresses.values()) for (const address of addresses) this.#engine.release(address);
    this.#addresses.clear();
    this.#total = 0;
  }
}
