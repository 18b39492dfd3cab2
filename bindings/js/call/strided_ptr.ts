/** Arrays [B, H, T, width] in wasm memory, the width contiguous. */
import type { Ptr } from './call_arena.ts';

export interface StridedPtr {
  readonly span: Ptr;
  /** 1 where it is broadcast. */
  readonly batch: number;
  readonly batchStride: number;
  readonly headStride: number;
  readonly tokenStride: number;
}

interface HeadStrides extends Omit<StridedPtr, 'span'> {
  readonly heads: number;
}

/** q, k or v at `span`: an axis of length 1 broadcasts, whatever its stride. */
export function stridedPtr(span: Ptr, { batch, heads, batchStride, headStride, tokenStride }: HeadStrides): StridedPtr {
  return { span, batch, batchStride: batch === 1 ? 0 : batchStride, headStride: heads === 1 ? 0 : headStride, tokenStride };
}

/** Row-major at `span`; an axis of length 1 broadcasts. */
export function contiguousPtr(span: Ptr, batch: number, heads: number, tokens: number, width: number): StridedPtr {
  const strides = { batchStride: heads * tokens * width, headStride: tokens * width, tokenStride: width };
  return stridedPtr(span, { batch, heads, ...strides });
}
