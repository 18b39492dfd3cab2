/** q, k and v as they are read, and `qkNormalize`: rows of length 1. */
import { UNIT_ROWS_BLOCK } from '../../../build/generated/blocks/unit_rows.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import type { CallArena } from '../call/call_arena.ts';
import { contiguousPtr, stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import type { Operand } from '../tensor/operands.ts';

/** q, k or v: where its numbers come from, and how its axes are read. */
export interface Input {
  readonly operand: Operand;
  readonly heads: HeadsShape;
}

/** The input in wasm memory. */
export function placeRows(arena: CallArena, { operand, heads }: Input): StridedPtr {
  return stridedPtr(arena.place(operand), heads);
}

/** Plans a copy whose rows are divided by their lengths, computed in double; a row of zeros stays. */
export function planUnitRows(arena: CallArena, input: Input): StridedPtr {
  const { batch, heads, tokens, width } = input.heads;
  const x = placeRows(arena, input);
  const y = contiguousPtr(arena.reserveFloats(batch * heads * tokens * width), batch, heads, tokens, width);
  const run = (): void => {
    const strides = { xBatch: x.batchStride, xHead: x.headStride, xToken: x.tokenStride };
    const block = { batch, heads, tokens, width, x: x.ptr.address, ...strides, y: y.ptr.address };
    if (batch * heads * tokens * width > 0) arena.run('unitRows', UNIT_ROWS_BLOCK, block);
  };
  arena.steps.push({ operation: null, run });
  return y;
}
