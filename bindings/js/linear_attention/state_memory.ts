/** The wasm memory of one LinearState: its parts and the projection of its features, in one piece. */
import { HeldMemory } from '../runtime/held_memory.ts';
import type { Heap } from '../runtime/heap.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { Ptr } from '../call/ptr.ts';
import { NO_STATE, type StatePtrs } from './run.ts';
import { emptyOf, stateShapes, type StateSizes } from './states.ts';

export class StateMemory {
  readonly parts: readonly { readonly part: 's' | 'z' | 'm'; readonly shape: readonly number[]; readonly from: number }[];
  /** Floats of all parts; the projection is behind them. */
  readonly size: number;
  readonly #heap: Heap;
  readonly #floats: number;
  readonly #memory: HeldMemory;

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
    this.#memory = new HeldMemory(heap, fn, 4 * this.#floats);
  }

  get disposed(): boolean {
    return this.#memory.address === 0;
  }

  /** A fresh view of `floats` floats from `from` on. */
  view(from = 0, floats = this.#floats - from): Float32Array {
    return this.#heap.floats(this.#memory.address + 4 * from, floats);
  }

  clear(): void {
    for (const { part, shape, from } of this.parts) this.view(from, sizeOf(shape)).fill(emptyOf(part));
  }

  ptrs(): StatePtrs & { readonly projection: Ptr } {
    const ptrs = { ...NO_STATE, projection: this.#at(this.size) };
    for (const { part, from } of this.parts) ptrs[part] = this.#at(from);
    return ptrs;
  }

  dispose(): void {
    this.#memory.dispose();
  }

  #at(floats: number): Ptr {
    return { address: this.#memory.address + 4 * floats };
  }
}
