import * as texts from '../../build/generated/texts/location.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weight = show(rowOf(trace, 'weights', 1)[1] ?? 0);
    return fill(texts.live, { weight });
  },
  contrast: {
    id: 'dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'other_word',
      question: texts.other_word.question,
      choices: choicesOf(texts.other_word),
      reveal: (fovea) => {
        const weights = (second: number[]) =>
          computed(fovea, 'location', 'weights', {
            inputs: { q: [[0, 1, 0]], k: [[1, 1, 1], second, [1, 1, 1]], v: [[1], [2], [3]] },
          });
        const [before, after] = [weights([1, 1, 1]), weights([0, 9, 0])];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: fill(texts.other_word.shown, { weights: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
