/** `sinusoidalPositions`: positions as sines and cosines. */
import { SINUSOIDAL_FORM } from '../../../build/generated/enums/sinusoidal_form.ts';
import { instanceOf } from '../runtime/instances.ts';
import { SINUSOIDAL_BLOCK } from '../../../build/generated/blocks/sinusoidal.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { checkChoice, readOptions } from '../errors/options.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { checkPositive, readCount, readStart } from './read.ts';
import type { SinusoidalOptions } from './types.ts';
import { copyOut } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';

/**
 * Sinusoidal positions, to be added to embeddings: for position p the sines and cosines of a_i = p / base^(2i/D).
 *
 * An odd width leaves out the last cosine; with 'tensor2tensor', whose angles are p / base^(i/(h - 1)) with h = ⌊D/2⌋, it ends with
 * a 0, as in that library.
 *
 * @param fovea an instance of this thread.
 * @param options `tokens` and `width`; `base`, `start`, `form`.
 * @returns [tokens, width].
 * @throws AttentionError `value` | `option` | `disposed` | `memory` | `load`.
 *
 * Accuracy: angles, sines and cosines in double, rounded once.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.5.
 * @example
 * import { sinusoidalPositions } from 'fovea/position';
 * toNested(sinusoidalPositions(fovea, { tokens: 2, width: 4 })); // [[0, 1, 0, 1], [0.841, 0.54, 0.01, 1]]
 */
export function sinusoidalPositions(fovea: Fovea, options: SinusoidalOptions): NDArray {
  const fn = 'sinusoidalPositions';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['tokens', 'width', 'base', 'start', 'form']);
  const { form = 'interleaved', base = 10_000 } = known;
  const tokens = readCount(fn, 'tokens', known.tokens, 0);
  const width = readCount(fn, 'width', known.width, 1);
  const start = readStart(fn, known.start, tokens);
  checkChoice(fn, 'form', form, SINUSOIDAL_FORM);
  checkPositive(fn, 'base', base);
  const shape = [tokens, width];
  const call = plan(instance, fn, (arena) => {
    const y = arena.reserveFloats(sizeOf(shape));
    const run = (): void =>
      arena.run('sinusoidal', SINUSOIDAL_BLOCK, {
        form: SINUSOIDAL_FORM.indexOf(form),
        tokens,
        width,
        start,
        base,
        y: y.address,
      });
    arena.steps.push({ operation: null, run });
    return (): NDArray => ({ data: copyOut(arena, arena.heap.floats(y.address, sizeOf(shape))), shape });
  });
  return finish(call);
}
