import { pattern } from 'fovea/pattern';
import * as texts from '../../build/generated/texts/bigbird.ts';
import { reachOf } from '../patterns/reach.ts';
import { choicesOf, fill, series } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

const [WORDS, SEED] = [64, 1];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const counts = Array.from({ length: 9 }, (_, i) => rowOf(trace, 'weights', i).filter((weight) => weight > 0).length);
    const share = rowOf(trace, 'weights', 1).find((weight) => weight > 0) ?? 0;
    return fill(texts.live, { counts: series(counts), share: share.toFixed(3) });
  },
  contrast: {
    id: 'longformer',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'random_or_wider',
      question: texts.random_or_wider.question,
      choices: choicesOf(texts.random_or_wider),
      reveal: (fovea) => {
        const wider = reachOf(fovea, pattern.local(2), WORDS).depth;
        const drawn = pattern.local(1).or(pattern.random({ perQuery: 2, seed: SEED }));
        const random = reachOf(fovea, drawn, WORDS).depth;
        return {
          right: wider < random ? 0 : wider > random ? 1 : 2,
          shown: fill(texts.random_or_wider.shown, { wider, random, seed: SEED }),
        };
      },
    },
  ],
} satisfies Lesson;
