/** Copies between a strided run of wasm memory and a contiguous array; both in row-major order. */
import type { NumberSource } from './arrays.ts';
import type { Heap } from './heap.ts';
import { extentOf, forEachRow, isContiguous, sizeOf, type Shape } from './shapes.ts';

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

/** The array at `address` <- source. */
export function scatter(heap: Heap, address: number, shape: Shape, strides: Shape, source: NumberSource): void {
  const target = heap.floats(address, extentOf(shape, strides));
  if (isContiguous(shape, strides)) {
    target.set(source);
    return;
  }
  const width = shape[shape.length - 1] ?? 1;
  const rows = source instanceof Float32Array ? source : Float32Array.from(source);
  forEachRow(shape, strides, (offset, row) => target.set(rows.subarray(row * width, (row + 1) * width), offset));
}
