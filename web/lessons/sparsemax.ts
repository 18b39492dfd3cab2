import * as texts from '../../build/generated/texts/sparsemax.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return fill(texts.live, { scores, weights });
  },
  contrast: {
    id: 'entmax',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'lower_still',
      question: texts.lower_still.question,
      choices: choicesOf(texts.lower_still),
      reveal: (fovea) => {
        const weights = (last: number) =>
          computed(fovea, 'sparsemax', 'weights', { inputs: { q: [[1]], k: [[1], [0.5], [last]], v: [[1], [0.5], [last]] } });
        const [before, after] = [weights(-1), weights(-5)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: fill(texts.lower_still.shown, { weights: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
