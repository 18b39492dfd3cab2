import * as texts from '../../build/generated/texts/top_k.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, weightsOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const kept = weights.filter((weight) => weight > 0).length;
    return fill(texts.live, { weights: shown, kept });
  },
  contrast: {
    id: 'sparsemax',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'zero_score',
      question: texts.zero_score.question,
      choices: choicesOf(texts.zero_score),
      reveal: (fovea) => {
        const zero = weightsOf(fovea, [1.2, 0.4, 0, 0, 0]);
        const masked = weightsOf(fovea, [1.2, 0.4, 0, 0, 0], { mask: [[true, true, false, false, false]] });
        const [a, b] = [list(zero), list(masked)];
        return {
          right: zero[2] === 0 ? 0 : 1,
          shown: fill(texts.zero_score.shown, { zero: a, masked: b }),
        };
      },
    },
    {
      id: 'masked_row',
      question: texts.masked_row.question,
      choices: choicesOf(texts.masked_row),
      reveal: (fovea) => {
        const weights = weightsOf(fovea, [2, 1, 0], { mask: [[false, false, false]] });
        const shown = list(weights);
        return {
          right: weights.some(Number.isNaN) ? 2 : weights.every((weight) => weight === 0) ? 1 : 0,
          shown: fill(texts.masked_row.shown, { weights: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
