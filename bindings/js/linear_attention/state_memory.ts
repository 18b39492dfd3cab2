/** The wasm memory of one LinearState: its parts and the projection of its features, in one piece. */
import type { Heap } from '../runtime/heap.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { Ptr } from '../call/call_arena.ts';
import { NO_STATE, type StateSpans } from './run.ts';
import { emptyOf, stateShapes, type StateSizes } from './states.ts';

interface Held {
  readonly heap: Heap;
  readonly address: number;
}

let forgotten: FinalizationRegistry<Held> | undefined;

export class StateMemory {
  readonly parts: readonly { readonly part: 's' | 'z' | 'm'; readonly shape: readonly number[]; readonly from: number }[];
  /** Floats of all parts; the projection is behind them. */
  readonly size: number;
  readonly #heap: Heap;
  readonly #floats: number;
  #address: number;

  constructor(heap: Heap, fn: string, sizes: StateSizes, projectionFloats: number) {
    let size = 0;
    this.parts = stateShapes(sizes).map(({ part, shape }) => {
      const from = size;
      size += sizeOf(shape);
      return { part, shape, from };
    });
    this.size = size;
    this.#heap = heap;
    this.#floats = size + projectionFloats;
    this.#address = heap.allocate(fn, 4 * this.#floats);
    forgotten ??= new FinalizationRegistry(release);
    forgotten.register(this, { heap, address: this.#address }, this);
  }

  get disposed(): boolean {
    return this.#address === 0;
  }

  /** A fresh view of `floats` floats from `from` on. */
  view(from = 0, floats = this.#floats - from): Float32Array {
    return this.#heap.floats(this.#address + 4 * from, floats);
  }

  clear(): void {
    for (const { part, shape, from } of this.parts) this.view(from, sizeOf(shape)).fill(emptyOf(part));
  }

  spans(): StateSpans & { readonly projection: Ptr } {
    const spans = { ...NO_STATE, projection: this.#at(this.size) };
    for (const { part, from } of this.parts) spans[part] = this.#at(from);
    return spans;
  }

  dispose(): void {
    if (this.disposed) return;
    forgotten?.unregister(this);
    this.#heap.release(this.#address);
    this.#address = 0;
  }

  #at(floats: number): Ptr {
    return { address: this.#address + 4 * floats };
  }
}

function release({ heap, address }: Held): void {
  try {
    heap.release(address);
  } catch {
    // The engine is poisoned now and the next call says so; a finalizer has nobody to tell.
  }
}
