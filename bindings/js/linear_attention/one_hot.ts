import type { StridedPtr } from '../call/strided_ptr.ts';
import type { CallArena } from '../call/call_arena.ts';

/** Plans the identity matrix [size, size], for all batch entries and heads. */
export function planOneHot(arena: CallArena, size: number): StridedPtr {
  const ptr = arena.reserveFloats(size * size);
  const run = (): void => {
    const target = arena.heap.floats(ptr.address, size * size).fill(0);
    for (let n = 0; n < size; n++) target[n * size + n] = 1;
  };
  arena.steps.push({ operation: null, run });
  return { ptr, batch: 1, batchStride: 0, headStride: 0, tokenStride: size };
}
