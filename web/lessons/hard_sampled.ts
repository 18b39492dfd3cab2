import * as texts from '../../build/generated/texts/hard_sampled.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const draws = Array.from({ length: 100 }, (_, draw) => rowOf(trace, 'weights', draw)[1] ?? 0);
    const mean = show(draws.reduce((sum, x) => sum + x, 0) / draws.length, 2);
    return fill(texts.live, { mean });
  },
  contrast: {
    id: 'hard',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'one_draw',
      question: texts.one_draw.question,
      choices: choicesOf(texts.one_draw),
      reveal: (fovea) => {
        const weights = computed(fovea, 'hard_sampled', 'weights');
        const mixed = weights.filter((weight) => weight !== 0).length > 1;
        const key = weights.indexOf(1) + 1;
        return {
          right: mixed ? 0 : 1,
          shown: fill(texts.one_draw.shown, { key, weight: show(weights[key - 1] ?? 0) }),
        };
      },
    },
  ],
} satisfies Lesson;
