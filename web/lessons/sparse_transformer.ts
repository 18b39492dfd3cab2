import { pattern } from 'fovea/pattern';
import * as texts from '../../build/generated/texts/sparse_transformer.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [SHORT, LONG] = [256, 1024];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const row = rowOf(trace, 'weights', 8);
    const keys = row.filter((weight) => weight > 0);
    return fill(texts.live, { keys: keys.length, weights: list(keys.slice(0, 5)) });
  },
  contrast: {
    id: 'local',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'pairs_of_a_root_stride',
      question: texts.pairs_of_a_root_stride.question,
      choices: choicesOf(texts.pairs_of_a_root_stride),
      reveal: (fovea) => {
        const [few, many] = [SHORT, LONG].map(
          (n) => pattern.strided(Math.sqrt(n)).pairs(fovea, { queries: n, keys: n }).indices.length,
        ) as [number, number];
        const times = many / few;
        return {
          right: times < 6 ? 0 : times < 12 ? 1 : 2,
          shown: fill(texts.pairs_of_a_root_stride.shown, { short: SHORT, few, long: LONG, many, times: times.toFixed(1) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
