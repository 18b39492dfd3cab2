import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/decomposable_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

type Rows = readonly (readonly number[])[];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [follows = 0] = rowOf(trace, 'probability');
    return fill(texts.live, { follows: show(follows) });
  },
  contrast: {
    id: 'luong',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'premise_reordered',
      question: texts.premise_reordered.question,
      choices: choicesOf(texts.premise_reordered),
      reveal: (fovea) => {
        const { a, b } = entries().find(({ id }) => id === 'decomposable_attention')!.defaults.inputs as { a: Rows; b: Rows };
        const follows = (premise: Rows): number =>
          computed(fovea, 'decomposable_attention', 'probability', { inputs: { a: premise, b } })[0] ?? NaN;
        const [before, after] = [follows(a), follows([...a].reverse())];
        return {
          right: Math.abs(after - before) < 1e-6 ? 1 : after < before ? 0 : 2,
          shown: fill(texts.premise_reordered.shown, { before: show(before), after: show(after) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
