/** wasm memory that outlives a call: freed by `dispose`, or when its holder is garbage-collected. */
import type { Heap } from './heap.ts';

interface Held {
  readonly heap: Heap;
  readonly address: number;
}

let forgotten: FinalizationRegistry<Held> | undefined;

export class HeldMemory {
  readonly bytes: number;
  readonly #heap: Heap;
  #address: number;

  constructor(heap: Heap, fn: string, bytes: number) {
    this.bytes = bytes;
    this.#heap = heap;
    this.#address = heap.allocate(fn, bytes);
    forgotten ??= new FinalizationRegistry(release);
    forgotten.register(this, { heap, address: this.#address }, this);
  }

  /** 0 once it is freed. */
  get address(): number {
    return this.#address;
  }

  /** May be called again. */
  dispose(): void {
    if (this.#address === 0) return;
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
