import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/image_self_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

/** Numbers that would read 0.000 are written with their power of ten. */
const small = (x: number): string => (x > 0 && x < 5e-4 ? x.toExponential(1).replace('-', '−') : show(x));

const ID = 'image_self_attention';
const { contrast } = entries().find(({ id }) => id === ID)!.defaults;
/** The shaded side of the roof, the lit side left of it, and the cloud. */
const [SHADED, LIT, CLOUD] = [35, 34, 11];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const row = rowOf(trace, 'weights', SHADED);
    const [self, lit, cloud] = [SHADED, LIT, CLOUD].map((n) => small(row[n] ?? 0)) as [string, string, string];
    return fill(texts.live, { self, lit, cloud });
  },
  contrast: {
    id: 'convolution_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'raw_colors',
      question: texts.raw_colors.question,
      choices: choicesOf(texts.raw_colors),
      reveal: (fovea) => {
        const row = rowOf(run(fovea, ID, contrast.inputs).trace, 'weights', SHADED);
        const weights = [SHADED, LIT, CLOUD].map((n) => row[n] ?? 0);
        const shown = list(weights);
        return {
          right: weights.indexOf(Math.max(...weights)),
          shown: fill(texts.raw_colors.shown, { weights: shown }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
