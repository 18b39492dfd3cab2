import * as texts from '../../build/generated/texts/scaled_dot.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { isNear, list, rowOf, show, weightsOf } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return fill(texts.live, { scores, weights });
  },
  contrast: {
    id: 'dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'score_rises',
      question: texts.score_rises.question,
      choices: choicesOf(texts.score_rises),
      reveal: (fovea) => {
        const [before = 0, after = 0] = [4, 6].map((score) => weightsOf(fovea, [2, score, 4])[2]);
        return {
          right: before === after ? 0 : after < before ? 1 : 2,
          shown: fill(texts.score_rises.shown, { before: show(before), after: show(after) }),
        };
      },
    },
    {
      id: 'double_scores',
      covers: ['textbook'],
      question: texts.double_scores.question,
      choices: choicesOf(texts.double_scores),
      reveal: (fovea) => {
        const [before, after] = [weightsOf(fovea, [1, 2, 3]), weightsOf(fovea, [2, 4, 6])];
        const [first = 0, second = 0] = [before[2], after[2]];
        return {
          right: isNear(before, after) ? 0 : second > first ? 1 : 2,
          shown: fill(texts.double_scores.shown, { first: show(first), second: show(second) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
