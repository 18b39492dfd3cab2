import * as texts from '../../build/generated/texts/relu.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const sum = show(weights.reduce((total, weight) => total + weight, 0));
    return fill(texts.live, { weights: shown, sum });
  },
  contrast: {
    id: 'scaled_dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'leave_polygon',
      question: texts.leave_polygon.question,
      choices: choicesOf(texts.leave_polygon),
      reveal: (fovea) => {
        const inputs = { q: [[1]], k: [[8], [6]], v: [[1], [3]] };
        const [relu = 0] = computed(fovea, 'relu', 'output', { inputs });
        const [softmax = 0] = computed(fovea, 'relu', 'output', { inputs, options: { normalizer: 'softmax' } });
        const isOutside = (x: number): boolean => x < 1 || x > 3;
        return {
          right: isOutside(softmax) ? 2 : isOutside(relu) ? 1 : 0,
          shown: fill(texts.leave_polygon.shown, { softmax: show(softmax), relu: show(relu) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
