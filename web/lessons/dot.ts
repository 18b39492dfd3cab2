import * as texts from '../../build/generated/texts/dot.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { isNear, list, rowOf, weightsOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return fill(texts.live, { scores, weights });
  },
  contrast: {
    id: 'bilinear',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'add_hundred',
      question: texts.add_hundred.question,
      choices: choicesOf(texts.add_hundred),
      reveal: (fovea) => {
        const [before, after] = [weightsOf(fovea, [1, 0, 3, 1]), weightsOf(fovea, [101, 100, 103, 101])];
        const [a, b] = [list(before), list(after)];
        return {
          right: isNear(before, after) ? 0 : Math.max(...after) > Math.max(...before) ? 1 : 2,
          shown: fill(texts.add_hundred.shown, { before: a, after: b }),
        };
      },
    },
  ],
  textbook: [texts.textbook1, texts.textbook2],
} satisfies Lesson;
