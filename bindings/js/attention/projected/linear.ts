/** Linear layers on arrays in wasm memory: y = x·W + b, with W as [in, out] or [out, in]. */
import type { MatmulBlock } from '../../../../build/generated/blocks/matmul.ts';
import { fail } from '../../errors/errors.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Ptr } from '../../call/ptr.ts';
import { checkShape, type Operand } from '../../tensor/operands.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { isEmptyList } from '../options/layout.ts';
import type { WeightLayout } from '../../tensor/weights.ts';

export interface Linear {
  readonly weight: Operand;
  readonly bias: Operand | null;
  readonly inner: number;
  readonly outer: number;
  /** Strides of W read as [in, out]. */
  readonly innerStride: number;
  readonly outerStride: number;
}

/** [batch, rows, width] floats in wasm memory, the width contiguous. */
export interface Rows {
  readonly ptr: Ptr;
  readonly batch: number;
  readonly rows: number;
  readonly batchStride: number;
  readonly rowStride: number;
}

/** Checks W against the width of its input (`from` names it), where it tells one, and b against W. */
export function readLinear(fn: string, weight: Operand, bias: Operand | null, layout: WeightLayout, from: Operand): Linear {
  const rule = `${weight.name} must be ${layout === 'inOut' ? '[in, out]' : '[out, in]'}`;
  if (weight.shape.length !== 2) fail('shape', fn, `${rule}, got ${formatShape(weight.shape)}`);
  const [inAxis, outAxis] = layout === 'inOut' ? [0, 1] : [1, 0];
  const inner = weight.shape[inAxis]!;
  const outer = weight.shape[outAxis]!;
  const width = from.shape[from.shape.length - 1]!;
  if (inner !== width && !isEmptyList(from.shape)) {
    const got = `${weight.name} ${formatShape(weight.shape)}, ${from.name} ${formatShape(from.shape)}`;
    fail('shape', fn, `${rule} with in = ${width}, the width of ${from.name}, got ${got}`);
  }
  if (bias !== null) checkShape(fn, bias, [outer], '[out]');
  return { weight, bias, inner, outer, innerStride: weight.strides[inAxis]!, outerStride: weight.strides[outAxis]! };
}

/** Reserves room for W and b, and plans y <- x·W + b. */
export function planLinear(arena: CallArena, linear: Linear, x: Rows, y: Rows): void {
  const weight = arena.place(linear.weight);
  const bias = arena.place(linear.bias);
  const { inner, outer, innerStride, outerStride } = linear;
  const joined = isJoined(x) && isJoined(y);
  const rows = joined ? x.batch * x.rows : x.rows;
  if (rows === 0 || outer === 0) return;
  for (let b = 0; b < (joined ? 1 : x.batch); b++) {
    // prettier-ignore
    const fields = (): MatmulBlock => ({
      rows, inner, columns: outer,
      a: x.ptr.address + 4 * b * x.batchStride, aRow: x.rowStride, aColumn: 1,
      b: weight.address, bRow: innerStride, bColumn: outerStride, bFormat: linear.weight.format,
      bias: bias.address,
      c: y.ptr.address + 4 * b * y.batchStride, cRow: y.rowStride,
    });
    arena.steps.push({ operation: 'matmul', fields });
  }
}

/** An input [T, width] or [B, T, width] as rows. */
export function sequenceRows(ptr: Ptr, { shape, strides }: Operand): Rows {
  const rank = shape.length;
  return {
    ptr,
    batch: rank === 3 ? shape[0]! : 1,
    rows: shape[rank - 2]!,
    batchStride: rank === 3 ? strides[0]! : 0,
    rowStride: strides[rank - 2]!,
  };
}

/** Whether the rows of one batch entry follow those of the one before, as if there were one entry. */
function isJoined({ batch, rows, batchStride, rowStride }: Rows): boolean {
  return batch === 1 || batchStride === rows * rowStride;
}
