import { xformerCost } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/linear.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, list, show } from './numbers.ts';

const WIDTH = 64;
const WORDS = 1000;
/** elu(x) + 1 is 1 at 0 and underflows to 0 at −100; the last key, 1 long as the others, lies between the first two axes. */
const [HALF, NONE] = [Math.log(Math.SQRT1_2), -100];
const FOUR = [
  [0, NONE, NONE],
  [NONE, 0, NONE],
  [NONE, NONE, 0],
  [HALF, HALF, NONE],
];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [state, output] = [list(column(trace, 'state')), list(column(trace, 'output'))];
    return fill(texts.live, { state, output });
  },
  contrast: {
    id: 'linear_rnn',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'order_of_products',
      covers: ['count'],
      question: texts.order_of_products.question,
      choices: choicesOf(texts.order_of_products),
      reveal: (fovea) => {
        const { full, linear } = xformerCost(fovea, {}, {}, { n: WORDS, d: WIDTH, kinds: { full: {}, linear: {} } });
        const times = full.multiplyAdds / linear.multiplyAdds;
        return {
          right: times < 6 ? 0 : times < 100 ? 1 : 2,
          shown: fill(texts.order_of_products.shown, {
            full: full.multiplyAdds,
            linear: linear.multiplyAdds,
            times: show(times, 1),
          }),
        };
      },
    },
    {
      id: 'fourth_pair',
      question: texts.fourth_pair.question,
      choices: choicesOf(texts.fourth_pair),
      reveal: (fovea) => {
        const inputs = { q: FOUR, k: FOUR, v: [[3], [5], [8], [9]] };
        const [read = NaN] = computed(fovea, 'linear', 'output', { inputs });
        return {
          right: read < 3.01 ? 0 : read > 8.99 ? 2 : 1,
          shown: fill(texts.fourth_pair.shown, { read: show(read) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
