/** The wasm memory of one KvCache, in one piece: keys [B, Hkv, rows, D], then values [B, Hkv, rows, Dv]. */
import type { Heap } from '../runtime/heap.ts';
import { bytesOf, type CacheConfig } from './config.ts';

interface Held {
  readonly heap: Heap;
  readonly address: number;
}

let forgotten: FinalizationRegistry<Held> | undefined;

export class CacheMemory {
  readonly #heap: Heap;
  readonly #config: CacheConfig;
  #address: number;

  constructor(heap: Heap, fn: string, config: CacheConfig) {
    this.#heap = heap;
    this.#config = config;
    this.#address = heap.allocate(fn, bytesOf(config));
    forgotten ??= new FinalizationRegistry(release);
    forgotten.register(this, { heap, address: this.#address }, this);
  }

  get disposed(): boolean {
    return this.#address === 0;
  }

  get keys(): number {
    return this.#address;
  }

  get values(): number {
    return this.#address + bytesOf({ ...this.#config, valueWidth: 0 });
  }

  copyFrom(other: CacheMemory): void {
    const bytes = bytesOf(this.#config);
    this.#heap.bytes(this.#address, bytes).set(this.#heap.bytes(other.#address, bytes));
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
    if (this.disposed) return;
    forgotten?.unregister(this);
    this.#heap.release(this.#address);
    this.#address = 0;
  }
}

function release({ heap, address }: Held): void {
  try {
    heap.release(address);
  } catch {
    // The engine is poisoned now and the next call says so; a finalizer has nobody to tell.
  }
}
