import type { Arguments } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/delta_rule.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

const SAME_KEY = [
  [1, 0],
  [1, 0],
];
const ADDING = { updateRule: 'linear', beta: undefined };

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const state = trace.find(({ name }) => name === 'state');
    const [width, tokens] = [(state?.shape[1] ?? 1) * (state?.shape[2] ?? 1), state?.shape[0] ?? 0];
    const steps = Array.from(
      { length: Math.min(2, tokens) },
      (_, t) => (state?.data[t * width] ?? 0) - (state?.data[(t - 1) * width] ?? 0),
    );
    const [first = NaN, second = first] = steps;
    return fill(texts.live, { first: show(first), second: show(second) });
  },
  contrast: {
    id: 'linear_rnn',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'half_of_the_way',
      question: texts.half_of_the_way.question,
      choices: choicesOf(texts.half_of_the_way),
      reveal: (fovea) => {
        const inputs = { q: SAME_KEY, k: SAME_KEY, v: [[3], [7]] };
        const read = (options: Arguments): number => {
          const { [1]: last = NaN } = computed(fovea, 'delta_rule', 'output', { inputs, options }, column);
          return last;
        };
        const [half, delta, adding] = [read({ beta: 0.5 }), read({}), read(ADDING)];
        return {
          right: Math.abs(half - 5) < 1e-6 ? 0 : half > 6.5 ? 2 : 1,
          shown: fill(texts.half_of_the_way.shown, { half: show(half, 2), delta: show(delta), adding: show(adding) }),
        };
      },
    },
  ],
} satisfies Lesson;
