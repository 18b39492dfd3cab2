import { pattern } from 'fovea/pattern';
import * as texts from '../../build/generated/texts/atrous.ts';
import { reachOf } from '../patterns/reach.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [WORDS, STRIDE] = [9, 3];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const row = rowOf(trace, 'weights', 1);
    const seen = list(row.filter((weight) => weight > 0).slice(0, 4));
    return fill(texts.live, { keys: row.filter((weight) => weight > 0).length, weights: seen });
  },
  contrast: {
    id: 'sparse_transformer',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'reach_of_a_stride',
      question: texts.reach_of_a_stride.question,
      choices: choicesOf(texts.reach_of_a_stride),
      reveal: (fovea) => {
        const alone = reachOf(fovea, pattern.atrous(STRIDE), WORDS).layers.filter((layer) => layer > 0).length;
        const joined = reachOf(fovea, pattern.atrous(STRIDE).or(pattern.local(1)), WORDS).depth;
        return {
          right: [3, WORDS - 1].indexOf(joined),
          shown: fill(texts.reach_of_a_stride.shown, { joined, alone, stride: STRIDE }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
