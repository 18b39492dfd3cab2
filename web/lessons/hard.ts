import * as texts from '../../build/generated/texts/hard.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [weights, output] = [list(rowOf(trace, 'weights', 2)), list(rowOf(trace, 'output', 2))];
    return fill(texts.live, { weights, output });
  },
  contrast: {
    id: 'scaled_dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'nearly_best',
      question: texts.nearly_best.question,
      choices: choicesOf(texts.nearly_best),
      reveal: (fovea) => {
        const output = (third: number) =>
          computed(fovea, 'hard', 'output', { inputs: { q: [[1]], k: [[4], [12], [third]], v: [[1, 2], [2, 8], [2, 6]] } }); // prettier-ignore
        const [before, after] = [output(10), output(11.9)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: fill(texts.nearly_best.shown, { weights: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
