/** The plans of matrix products and of linear layers without an activation. */
import type { MatmulBlock } from '../../../build/generated/blocks/matmul.ts';
import { plan, type Call } from '../call/call.ts';
import { fail } from '../errors/errors.ts';
import type { Ptr } from '../call/ptr.ts';
import { OffsetPtr } from '../call/strided_ptr.ts';
import type { Instance } from '../runtime/instance.ts';
import { planLinear, readLinear, type Rows } from '../attention/projected/linear.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { freshOutput } from '../call/outputs.ts';
import {
  broadcastShapes,
  broadcastStrides,
  formatShape,
  forEachRow,
  isContiguous,
  sizeOf,
  type Shape,
} from '../tensor/shapes.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import { readWeight } from '../tensor/weights.ts';
import type { NDArray } from '../tensor/array_types.ts';

/** A product's operand as a matrix with leading axes; a vector has been given the axis it lacks. */
interface Matrices {
  readonly leading: Shape;
  readonly leadingStrides: Shape;
  readonly rows: number;
  readonly columns: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

export function planMatmul(instance: Instance, left: unknown, right: unknown): Call<NDArray | Tensor> {
  const fn = 'matmul';
  instance.engine.check(fn);
  const a = readOperand(instance, fn, 'a', left);
  const b = readOperand(instance, fn, 'b', right);
  const got = `got a ${formatShape(a.shape)}, b ${formatShape(b.shape)}`;
  if (a.shape.length === 0 || b.shape.length === 0) fail('shape', fn, `a and b must have at least one axis, ${got}`);
  const x = asMatrices(a, 'row');
  const y = asMatrices(b, 'column');
  if (x.columns !== y.rows) fail('shape', fn, `the last axis of a must be as long as the last but one of b, ${got}`);
  const leading = broadcastShapes(x.leading, y.leading);
  if (leading === null) fail('shape', fn, `the leading axes of a and b must broadcast, ${got}`);
  const shape = [...leading, ...(a.shape.length === 1 ? [] : [x.rows]), ...(b.shape.length === 1 ? [] : [y.columns])];

  return plan(instance, fn, (arena) => {
    const c = freshOutput(arena, shape, isTensor(left));
    const aPtr = arena.place(a);
    const bPtr = arena.place(b);
    const multiply = (rows: number, aOffset: number, aRow: number, bOffset: number, cOffset: number): void => {
      const fields = (): MatmulBlock => ({
        rows,
        inner: x.columns,
        columns: y.columns,
        a: aPtr.address + 4 * aOffset,
        aRow,
        aColumn: x.columnStride,
        b: bPtr.address + 4 * bOffset,
        bRow: y.rowStride,
        bColumn: y.columnStride,
        bFormat: 0,
        bias: 0,
        c: c.ptr.address + 4 * cOffset,
        cRow: y.columns,
      });
      arena.steps.push({ operation: 'matmul', fields });
    };
    if (sizeOf(shape) === 0) return () => c.finish();
    if (y.leading.length === 0 && a.shape.length > 1 && isContiguous(a.shape, a.strides)) {
      multiply(sizeOf(leading) * x.rows, 0, x.columns, 0, 0); // one matrix for all: one product
      return () => c.finish();
    }
    const aOffsets = offsets(leading, broadcastStrides(x.leading, x.leadingStrides, leading)!);
    const bOffsets = offsets(leading, broadcastStrides(y.leading, y.leadingStrides, leading)!);
    aOffsets.forEach((aOffset, index) => multiply(x.rows, aOffset, x.rowStride, bOffsets[index]!, index * x.rows * y.columns));
    return () => c.finish();
  });
}

export function planLinearLayer(instance: Instance, input: unknown, weight: unknown, bias?: unknown): Call<NDArray | Tensor> {
  const fn = 'linear';
  instance.engine.check(fn);
  const x = readOperand(instance, fn, 'x', input);
  if (x.shape.length === 0) fail('shape', fn, 'x must have at least one axis, got []');
  const w = readWeight(instance, fn, 'weight', weight, 'outIn');
  const b = bias === undefined ? null : readOperand(instance, fn, 'bias', bias);
  const layer = readLinear(fn, w, b, 'outIn', x);
  const { leading, leadingStrides, rows, rowStride } = asMatrices(x, 'row');

  return plan(instance, fn, (arena) => {
    const y = freshOutput(arena, [...x.shape.slice(0, -1), layer.outer], isTensor(input));
    const ptr = arena.place(x);
    // Contiguous leading axes are rows like any others; else one product for each of their entries.
    const joined = isContiguous(x.shape, x.strides);
    const starts = joined ? [0] : offsets(leading, leadingStrides);
    const count = joined ? sizeOf(leading) * rows : rows;
    starts.forEach((start, index) => {
      const source = rowsFrom(ptr, start, count, joined ? layer.inner : rowStride);
      planLinear(arena, layer, source, rowsFrom(y.ptr, index * rows * layer.outer, count, layer.outer));
    });
    return () => y.finish();
  });
}

/** One batch entry of rows that begin `floats` after `ptr`. */
function rowsFrom(ptr: Ptr, floats: number, rows: number, rowStride: number): Rows {
  return { ptr: new OffsetPtr(ptr, floats), batch: 1, rows, batchStride: 0, rowStride };
}

/** A vector is one row or one column; its new axis has length 1 and any stride. */
function asMatrices({ shape, strides }: Operand, vector: 'row' | 'column'): Matrices {
  const rank = shape.length;
  const last = { length: shape[rank - 1]!, stride: strides[rank - 1]! };
  if (rank === 1) {
    const one = { leading: [], leadingStrides: [] };
    if (vector === 'row') return { ...one, rows: 1, columns: last.length, rowStride: last.length, columnStride: last.stride };
    return { ...one, rows: last.length, columns: 1, rowStride: last.stride, columnStride: 1 };
  }
  return {
    leading: shape.slice(0, -2),
    leadingStrides: strides.slice(0, -2),
    rows: shape[rank - 2]!,
    columns: last.length,
    rowStride: strides[rank - 2]!,
    columnStride: last.stride,
  };
}

/** The offset of every entry of the leading axes, in row-major order. */
function offsets(leading: Shape, strides: Shape): number[] {
  const list: number[] = [];
  forEachRow([...leading, 1], [...strides, 0], (offset) => list.push(offset));
  return list;
}
