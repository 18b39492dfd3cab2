import * as texts from '../../build/generated/texts/bilinear.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = list(rowOf(trace, 'weights'));
    return fill(texts.live, { weights });
  },
  contrast: {
    id: 'dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'identity_table',
      question: texts.identity_table.question,
      choices: choicesOf(texts.identity_table),
      reveal: (fovea) => {
        const W = Array.from({ length: 6 }, (_, row) => Array.from({ length: 6 }, (_, col) => Number(row === col)));
        const weight = computed(fovea, 'bilinear', 'weights', { params: { W } })[0] ?? 0;
        return {
          right: weight > 0.9 ? 0 : weight > 0.1 ? 1 : 2,
          shown: fill(texts.identity_table.shown, { weight: show(weight) }),
        };
      },
    },
  ],
} satisfies Lesson;
