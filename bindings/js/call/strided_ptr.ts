/** Where arrays are in wasm memory: [B, H, T, width], the width contiguous, and rows within others. */
import type { Ptr } from './ptr.ts';

export interface StridedPtr {
  readonly ptr: Ptr;
  /** 1 where it is broadcast. */
  readonly batch: number;
  readonly batchStride: number;
  readonly headStride: number;
  readonly tokenStride: number;
}

interface HeadStrides extends Omit<StridedPtr, 'ptr'> {
  readonly heads: number;
}

/** q, k or v at `ptr`: an axis of length 1 broadcasts, whatever its stride. */
export function stridedPtr(ptr: Ptr, { batch, heads, batchStride, headStride, tokenStride }: HeadStrides): StridedPtr {
  return { ptr, batch, batchStride: batch === 1 ? 0 : batchStride, headStride: heads === 1 ? 0 : headStride, tokenStride };
}

/** Row-major at `ptr`; an axis of length 1 broadcasts. */
export function contiguousPtr(ptr: Ptr, batch: number, heads: number, tokens: number, width: number): StridedPtr {
  const strides = { batchStride: heads * tokens * width, headStride: tokens * width, tokenStride: width };
  return stridedPtr(ptr, { batch, heads, ...strides });
}

/** `floats` after `ptr`. */
export class OffsetPtr implements Ptr {
  readonly #ptr: Ptr;
  readonly #floats: number;

  constructor(ptr: Ptr, floats: number) {
    this.#ptr = ptr;
    this.#floats = floats;
  }

  get address(): number {
    return this.#ptr.address + 4 * this.#floats;
  }
}
