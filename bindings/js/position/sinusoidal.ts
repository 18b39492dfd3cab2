/** `sinusoidal`: positions as sines and cosines. */
import { SINUSOIDAL_FIELDS } from './abi.ts';
import type { Fovea } from '../fovea.ts';
import { checkChoice, readOptions } from '../options.ts';
import { sizeOf } from '../shapes.ts';
import type { NDArray } from '../types.ts';
import { checkPositive, placeDoubles, positionTools, readCount, readStart } from './tools.ts';
import type { SinusoidalForm, SinusoidalOptions } from './types.ts';

const FORMS: readonly SinusoidalForm[] = ['interleaved', 'halves', 'tensor2tensor'];

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
 * import { sinusoidal } from 'fovea/position';
 * toNested(sinusoidal(fovea, { tokens: 2, width: 4 })); // [[0, 1, 0, 1], [0.841, 0.54, 0.01, 1]]
 */
export function sinusoidal(fovea: Fovea, options: SinusoidalOptions): NDArray {
  const fn = 'sinusoidal';
  const tools = positionTools(fn, fovea);
  const known = readOptions(fn, options, ['tokens', 'width', 'base', 'start', 'form']);
  const { form = 'interleaved', base = 10_000 } = known;
  const tokens = readCount(fn, 'tokens', known.tokens, 0);
  const width = readCount(fn, 'width', known.width, 1);
  const start = readStart(fn, known.start, tokens);
  checkChoice(fn, 'form', form, FORMS);
  checkPositive(fn, 'base', base);
  const shape = [tokens, width];
  const call = tools.plan(tools.instance, fn, (frame) => {
    const y = frame.reserveFloats(sizeOf(shape));
    const parameters = placeDoubles(frame, [base]);
    const run = (): void =>
      frame.run('sinusoidal', SINUSOIDAL_FIELDS, {
        form: FORMS.indexOf(form),
        tokens,
        width,
        start,
        parameters: parameters.address,
        y: y.address,
      });
    frame.steps.push({ operation: null, run });
    return (): NDArray => ({ data: tools.copyOut(frame, frame.heap.floats(y.address, sizeOf(shape))), shape });
  });
  return tools.finish(call);
}
