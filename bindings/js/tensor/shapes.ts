/** Arithmetic on shapes and strides, both counted in elements. */

export type Shape = readonly number[];

/** The most axes of an array. */
export const MAX_RANK = 64;

/** `[2, 3]`, as messages show it. */
export function formatShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

/**
 * The elements of a shape. Exact up to 2^53; above, it is rounded and never less than 2^53, so that a bound on bytes refuses it.
 * 0 where any axis is empty, whatever the others would multiply to.
 */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return 0;
    size *= shape[axis]!;
  }
  return size;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** The strides of a row-major array. */
export function rowMajor(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis]!;
  }
  return strides;
}

/** Whether `strides` walk `shape` as one row-major run; axes of length 0 or 1 may have any stride. */
export function isContiguous(shape: Shape, strides: Shape): boolean {
  let next = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== next && sizeOf(shape) !== 0) return false;
    next *= shape[axis]!;
  }
  return true;
}

/** The elements between the first and one past the last that `strides` reach. */
export function extentOf(shape: Shape, strides: Shape): number {
  if (sizeOf(shape) === 0) return 0;
  let reach = 1;
  for (let axis = 0; axis < shape.length; axis++) reach += (shape[axis]! - 1) * strides[axis]!;
  return reach;
}

/** NumPy's rule: shapes are aligned at their ends, lengths are equal or 1. Null where they do not broadcast. */
export function broadcastShapes(a: Shape, b: Shape): number[] | null {
  const rank = Math.max(a.length, b.length);
  const result = new Array<number>(rank);
  for (let axis = 0; axis < rank; axis++) {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1) return null;
    result[axis] = x === 1 ? y : x;
  }
  return result;
}

/** The strides that walk an array of `shape` as if it had the shape `target`: 0 where it repeats. Null where it cannot. */
export function broadcastStrides(shape: Shape, strides: Shape, target: Shape): number[] | null {
  const missing = target.length - shape.length;
  if (missing < 0) return null;
  const result = new Array<number>(target.length).fill(0);
  for (let axis = 0; axis < shape.length; axis++) {
    const length = shape[axis]!;
    if (length !== 1 && length !== target[axis + missing]) return null;
    result[axis + missing] = length === 1 ? 0 : strides[axis]!;
  }
  return result;
}

/** Calls `visit(offset, row)` for each run along the last axis, in row-major order. */
export function forEachRow(shape: Shape, strides: Shape, visit: (offset: number, row: number) => void): void {
  const outer = shape.slice(0, -1);
  const rows = sizeOf(outer);
  const index = new Array<number>(outer.length).fill(0);
  let offset = 0;
  for (let row = 0; row < rows; row++) {
    visit(offset, row);
    for (let axis = outer.length - 1; axis >= 0; axis--) {
      offset += strides[axis]!;
      if (++index[axis]! < outer[axis]!) break;
      offset -= strides[axis]! * outer[axis]!;
      index[axis] = 0;
    }
  }
}
