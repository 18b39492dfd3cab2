import { xformerCost } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/longformer.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [SHORT, LONG] = [1024, 2048];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [all, one] = [rowOf(trace, 'weights', 0), rowOf(trace, 'weights', 4)].map((row) =>
      row.filter((weight) => weight > 0),
    ) as [number[], number[]];
    return fill(texts.live, {
      allKeys: all.length,
      each: list(all.slice(0, 1)),
      keys: one.length,
      weights: list(one.slice(0, 4)),
    });
  },
  contrast: {
    id: 'bigbird',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'pairs_of_longformer',
      question: texts.pairs_of_longformer.question,
      choices: choicesOf(texts.pairs_of_longformer),
      reveal: (fovea) => {
        const [few, many] = [SHORT, LONG].map(
          (n) => xformerCost(fovea, {}, {}, { n, d: 1, kinds: { longformer: { window: 64, global: 1 } } }).longformer.pairs,
        ) as [number, number];
        const times = many / few;
        return {
          right: times < 2.5 ? 0 : times < 3.5 ? 1 : 2,
          shown: fill(texts.pairs_of_longformer.shown, { few, many, times: times.toFixed(2) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
