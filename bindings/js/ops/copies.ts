/** Copies of numbers to other strides. */
import { COPY_BLOCK } from '../../../build/generated/blocks/copy.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { OffsetPtr } from '../call/strided_ptr.ts';
import type { Operand } from '../tensor/operands.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import { placeAxes, shareAxes } from './shared_axes.ts';

/** The numbers of `from`, walked by these strides of its own, go to `to`, `offset` floats on, by strides of its own. */
export interface Copy {
  readonly from: Operand;
  readonly to: Ptr;
  readonly offset: number;
  readonly shape: Shape;
  readonly fromStrides: Shape;
  readonly toStrides: Shape;
}

/** Places what a copy reads; returns what runs it. */
export function planCopy(arena: CallArena, { from, to, offset, shape, fromStrides, toStrides }: Copy): () => void {
  if (sizeOf(shape) === 0) return () => {};
  const source = arena.place(from);
  const target = new OffsetPtr(to, offset);
  const axes = placeAxes(arena, shareAxes(shape, [fromStrides, toStrides]), 'xStrides', 'yStrides');
  return () => arena.run('copyStrided', COPY_BLOCK, { ...axes(), x: source.address, y: target.address });
}
