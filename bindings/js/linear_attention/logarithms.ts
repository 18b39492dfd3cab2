/** Logarithms by the core, and small results of JavaScript's own. */
import { ELEMENTARY_BLOCK } from '../../../build/generated/blocks/elementary.ts';
import { ELEMENTARY } from '../../../build/generated/enums/elementary.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import type { Instance } from '../runtime/instance.ts';
import { copyOut } from '../call/outputs.ts';
import { compute } from '../call/call.ts';

/** ln x, as the core rounds it. */
export function logarithms(instance: Instance, fn: string, x: Float32Array): Float32Array {
  return compute(instance, fn, (arena) => {
    const ptr = arena.placeFloats(x);
    return () => {
      arena.run('elementary', ELEMENTARY_BLOCK, {
        kind: ELEMENTARY.indexOf('log'),
        count: x.length,
        x: ptr.address,
        y: ptr.address,
      });
      return copyOut(arena, arena.heap.floats(ptr.address, x.length));
    };
  });
}

/** A result that JavaScript owns. */
export function array(shape: Shape): { data: Float32Array; shape: number[] } {
  return { data: new Float32Array(sizeOf(shape)), shape: [...shape] };
}
