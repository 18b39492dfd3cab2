import * as texts from '../../build/generated/texts/entmax.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

/** Almost as far below as it takes. */
const NEARLY = 1.9;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return fill(texts.live, { scores, weights });
  },
  contrast: {
    id: 'sparsemax',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'far_below',
      question: texts.far_below.question,
      choices: choicesOf(texts.far_below),
      reveal: (fovea) => {
        const second = (below: number): number => {
          const scores = [[0], [-below]];
          return computed(fovea, 'entmax', 'weights', { inputs: { q: [[1]], k: scores, v: scores } })[1] ?? NaN;
        };
        return {
          right: second(2) === 0 && second(NEARLY) > 0 ? 0 : second(10) === 0 ? 1 : 2,
          shown: fill(texts.far_below.shown, { nearly: NEARLY, near: show(second(NEARLY), 4), far: show(second(2)) }),
        };
      },
    },
  ],
} satisfies Lesson;
