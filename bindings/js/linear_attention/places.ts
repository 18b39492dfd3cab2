/** Arrays [B, H, T, width] in wasm memory, as dense.ts has them. */
import type { Frame, Span } from '../frame.ts';
import type { HeadsShape } from '../layout.ts';
import type { Placed } from '../dense.ts';

export type { Placed } from '../dense.ts';

/** No place at all: a null pointer. */
export const NOWHERE: Span = { address: 0 };

/** q, k or v as placed: an axis of length 1 broadcasts, whatever its stride. */
export function placed(span: Span, { batch, heads, batchStride, headStride, tokenStride }: HeadsShape): Placed {
  return { span, batch, batchStride: batch === 1 ? 0 : batchStride, headStride: heads === 1 ? 0 : headStride, tokenStride };
}

/** Row-major at `span`. */
export function contiguous(span: Span, batch: number, heads: number, tokens: number, width: number): Placed {
  return { span, batch, batchStride: heads * tokens * width, headStride: tokens * width, tokenStride: width };
}

/** Plans the identity matrix [size, size], for all batch entries and heads. */
export function planOneHot(frame: Frame, size: number): Placed {
  const span = frame.reserveFloats(size * size);
  const run = (): void => {
    const target = frame.heap.floats(span.address, size * size).fill(0);
    for (let n = 0; n < size; n++) target[n * size + n] = 1;
  };
  frame.steps.push({ operation: null, run });
  return { span, batch: 1, batchStride: 0, headStride: 0, tokenStride: size };
}
