/** Rows of length 1, as a step of a planned call. */
import { UNIT_ROWS_BLOCK } from '../../../build/generated/blocks/unit_rows.ts';
import type { CallArena } from './call_arena.ts';
import { contiguousPtr, type StridedPtr } from './strided_ptr.ts';

/** Plans a copy whose rows are divided by their lengths, computed in double; a row of zeros stays. */
export function planUnitRows(arena: CallArena, x: StridedPtr, heads: number, tokens: number, width: number): StridedPtr {
  const { batch } = x;
  const y = contiguousPtr(arena.reserveFloats(batch * heads * tokens * width), batch, heads, tokens, width);
  const run = (): void => {
    const strides = { xBatch: x.batchStride, xHead: x.headStride, xToken: x.tokenStride };
    const block = { batch, heads, tokens, width, x: x.ptr.address, ...strides, y: y.ptr.address };
    if (batch * heads * tokens * width > 0) arena.run('unitRows', UNIT_ROWS_BLOCK, block);
  };
  arena.steps.push({ operation: null, run });
  return y;
}
