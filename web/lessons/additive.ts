import * as texts from '../../build/generated/texts/additive.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const own = show(rowOf(trace, 'weights', 2)[2] ?? 0);
    return fill(texts.live, { own });
  },
  contrast: {
    id: 'concat',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'product_of_places',
      question: texts.product_of_places.question,
      choices: choicesOf(texts.product_of_places),
      reveal: (fovea) => {
        const places = [[1], [2], [3], [4], [5]];
        const weights = computed(fovea, 'dot', 'weights', { inputs: { q: [[2]], k: places, v: places } });
        const most = weights.indexOf(Math.max(...weights));
        return {
          right: most === 1 ? 0 : most === 4 ? 1 : 2,
          shown: fill(texts.product_of_places.shown, { position: most + 1, weight: show(weights[most] ?? 0) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
