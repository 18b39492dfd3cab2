import { run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/convolution_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'convolution_attention';
/** The pixel left of the edge in the second row. */
const PIXEL = 5;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [attended = 0] = rowOf(trace, 'output', PIXEL);
    const [convolved = 0] = rowOf(trace, 'convolution', PIXEL);
    return fill(texts.live, { attended: show(attended), convolved: show(convolved) });
  },
  contrast: {
    id: 'image_self_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'alpha_zero',
      question: texts.alpha_zero.question,
      choices: choicesOf(texts.alpha_zero),
      reveal: (fovea) => {
        const { trace } = run(fovea, ID, undefined, undefined, { alpha: 0 });
        const row = rowOf(trace, 'weights', PIXEL);
        const [least, most] = [Math.min(...row), Math.max(...row)];
        const output = rowOf(trace, 'output', PIXEL)[0] ?? 0;
        return {
          right: most === 0 ? 2 : most - least < 1e-6 ? 1 : 0,
          shown: fill(texts.alpha_zero.shown, { positions: row.length, most: show(most), output: show(output) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
