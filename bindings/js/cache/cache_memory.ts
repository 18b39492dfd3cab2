/**
 * The wasm memory of one KvCache, in one piece: keys [B, Hkv, rows, D], then values [B, Hkv, rows, Dv], then, with float16, a word
 * that the core sets where it may not convert numbers the fast way (src/attention/cache/append_rows.hpp).
 */
import { HeldMemory } from '../runtime/held_memory.ts';
import type { Heap } from '../runtime/heap.ts';
import { bytesOf, memoryOf, type CacheConfig } from './config.ts';

export class CacheMemory {
  readonly #heap: Heap;
  readonly #config: CacheConfig;
  readonly #memory: HeldMemory;

  constructor(heap: Heap, fn: string, config: CacheConfig) {
    this.#heap = heap;
    this.#config = config;
    this.#memory = new HeldMemory(heap, fn, memoryOf(config));
    this.forget();
  }

  get disposed(): boolean {
    return this.keys === 0;
  }

  get keys(): number {
    return this.#memory.address;
  }

  get values(): number {
    return this.keys + bytesOf({ ...this.#config, valueWidth: 0 });
  }

  /** Where that word is; 0 with float32. */
  get irregular(): number {
    return this.#config.isFloat16 ? this.keys + memoryOf(this.#config) - 4 : 0;
  }

  /** Nothing is known of what was there. */
  forget(): void {
    if (this.#config.isFloat16) this.#heap.bytes(this.irregular, 4).fill(0);
  }

  copyFrom(other: CacheMemory): void {
    const bytes = memoryOf(this.#config);
    this.#heap.bytes(this.keys, bytes).set(this.#heap.bytes(other.keys, bytes));
  }

  /** Moves `count` rows of every head, keys and values, from row `from` to the earlier row `to`. */
  move(from: number, to: number, count: number): void {
    const { batch, kvHeads, rows, isFloat16, width, valueWidth } = this.#config;
    for (const [address, columns] of [
      [this.keys, width],
      [this.values, valueWidth],
    ] as const) {
      const row = (isFloat16 ? 2 : 4) * columns;
      for (let head = 0; head < batch * kvHeads; head++)
        this.#heap.bytes(address + head * rows * row, rows * row).copyWithin(to * row, from * row, (from + count) * row);
    }
  }

  dispose(): void {
    this.#memory.dispose();
  }
}
