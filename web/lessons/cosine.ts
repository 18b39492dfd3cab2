import * as texts from '../../build/generated/texts/cosine.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = list(rowOf(trace, 'weights'));
    return fill(texts.live, { weights });
  },
  contrast: {
    id: 'scaled_dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'longer_query',
      question: texts.longer_query.question,
      choices: choicesOf(texts.longer_query),
      reveal: (fovea) => {
        const keys = [
          [1, 0],
          [3, 0],
          [0, 1],
        ];
        const weights = (length: number) =>
          computed(fovea, 'cosine', 'weights', { inputs: { q: [[length, 0]], k: keys, v: keys } });
        const [before, after] = [weights(1), weights(2)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: fill(texts.longer_query.shown, { weights: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
