/** `favorProjection`: the random rows of FAVOR+. */
import { instanceOf } from '../runtime/instances.ts';
import { compute } from '../call/call.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { defaultFeatures, planProjection, readDraw } from './features.ts';
import type { FeatureOptions } from './types.ts';
import { copyOut } from '../call/outputs.ts';

/**
 * The projection of FAVOR+: rows w, orthogonal within each block of D, each as long as a Gaussian vector; w of `linearAttention`
 * with the same numbers.
 *
 * @param fovea an instance of this thread.
 * @param options `width` D; `features` F, default D·⌈ln D⌉, at least D; `seed`; `redraw` makes other features of a seed.
 * @returns [F, D].
 * @throws AttentionError `value` | `option` | `disposed` | `memory`.
 *
 * Source: Choromanski et al. 2021, arXiv:2009.14794 §2.4.
 * @example
 * import { favorProjection } from 'fovea/linear-attention';
 * const { shape } = favorProjection(fovea, { width: 4, features: 8, seed: 1 }); // [8, 4]
 */
export function favorProjection(
  fovea: Fovea,
  options: { readonly width: number } & Pick<FeatureOptions, 'features' | 'seed' | 'redraw'>,
): NDArray {
  const fn = 'favorProjection';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['width', 'features', 'seed', 'redraw']);
  const { width } = known;
  checkInteger(fn, 'width', width, 1, 2 ** 16);
  const { features: count = defaultFeatures(width), ...projection } = readDraw(fn, known);
  return compute(instance, fn, (arena) => {
    const ptr = planProjection(arena, { count, projection }, width);
    return () => ({ data: copyOut(arena, arena.heap.floats(ptr.address, count * width)), shape: [count, width] });
  });
}
