/** Test data that needs no instance. */
import type { NDArray } from 'fovea';

/** Numbers from -1 to 1 that look random and are the same in every run. */
export function numbers(shape: readonly number[], seed = 1): NDArray {
  const data = new Float32Array(shape.reduce((product, length) => product * length, 1));
  let state = seed * 2654435761;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state / 2 ** 31 - 1;
  }
  return { data, shape: [...shape] };
}
