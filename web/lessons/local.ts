import { pattern } from 'fovea/pattern';
import * as texts from '../../build/generated/texts/local.ts';
import { reachOf } from '../patterns/reach.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const WORDS = 9;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [middle, first] = [list(rowOf(trace, 'weights', 4).slice(3, 6)), list(rowOf(trace, 'weights', 0).slice(0, 2))];
    return fill(texts.live, { middle, first });
  },
  contrast: {
    id: 'atrous',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'reach_of_a_window',
      question: texts.reach_of_a_window.question,
      choices: choicesOf(texts.reach_of_a_window),
      reveal: (fovea) => {
        const { layers } = reachOf(fovea, pattern.local(2), WORDS);
        const needed = layers[(WORDS - 1) * WORDS] ?? 0;
        return {
          right: [2, 4, 8].indexOf(needed),
          shown: fill(texts.reach_of_a_window.shown, { needed, narrow: reachOf(fovea, pattern.local(1), WORDS).depth }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
