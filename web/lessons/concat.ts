import * as texts from '../../build/generated/texts/concat.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const are = show(rowOf(trace, 'weights', 1)[0] ?? 0);
    return fill(texts.live, { are });
  },
  contrast: {
    id: 'additive',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'separate_units',
      covers: ['textbook'],
      question: texts.separate_units.question,
      choices: choicesOf(texts.separate_units),
      reveal: (fovea) => {
        const params = { W: [[4, 0], [0, 4]], w: [3, -3], bias: [-4, 4] }; // prettier-ignore
        const verb = (number: number) =>
          computed(fovea, 'concat', 'weights', { params, inputs: { q: [[number]], k: [[1], [-1]], v: [[1], [0]] } });
        const [is, are] = [verb(-1), verb(1)];
        return {
          right: isNear(is, are) ? 1 : 0,
          shown: fill(texts.separate_units.shown, { are: show(are[0] ?? 0) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
