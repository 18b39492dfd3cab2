/** Copies between a strided run of wasm memory and a contiguous array; both in row-major order. */
import type { Heap } from '../runtime/heap.ts';
import { extentOf, forEachRow, isContiguous, sizeOf, type Shape } from './shapes.ts';
import { copyInto, ownNumbers, zeros, type NumberSource } from './typed_arrays.ts';

/** target <- the array at `address`. */
export function gather(heap: Heap, address: number, shape: Shape, strides: Shape, target: Float32Array): void {
  const source = heap.floats(address, extentOf(shape, strides));
  if (isContiguous(shape, strides)) {
    target.set(source.subarray(0, sizeOf(shape)));
    return;
  }
  const width = shape[shape.length - 1] ?? 1;
  forEachRow(shape, strides, (offset, row) => target.set(source.subarray(offset, offset + width), row * width));
}

/** The array at `address` <- source, which may be a view of the same memory. */
export function scatter(heap: Heap, fn: string, address: number, shape: Shape, strides: Shape, source: NumberSource): void {
  const numbers = ownNumbers(heap, fn, source);
  const target = heap.floats(address, extentOf(shape, strides));
  if (isContiguous(shape, strides)) return copyInto(fn, target, numbers);
  const width = shape[shape.length - 1] ?? 1;
  const rows = zeros(fn, 'Float32Array', sizeOf(shape));
  copyInto(fn, rows, numbers);
  forEachRow(shape, strides, (offset, row) => target.set(rows.subarray(row * width, (row + 1) * width), offset));
}
