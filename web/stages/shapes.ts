/** Sizes of the arrays that mechanisms take. */

export type Shape = readonly number[];
type Nested = readonly (number | Nested)[];
/** The sizes of numbers nested in lists, of a typed array, of an array with a shape; null for all else. */
export function shapeOf(value: unknown): Shape | null {
  if (typeof value !== 'object' || value === null) return null;
  if (ArrayBuffer.isView(value)) return [(value as Float32Array).length];
  if ('shape' in value && 'data' in value) return value.shape as Shape;
  if (!Array.isArray(value)) return null;
  const shape: number[] = [];
  for (let at: number | Nested | undefined = value as Nested; Array.isArray(at); at = (at as Nested)[0])
    shape.push((at as Nested).length);
  return shape;
}
