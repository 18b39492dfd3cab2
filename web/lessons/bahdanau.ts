import { rnn } from 'fovea/ops';
import * as texts from '../../build/generated/texts/bahdanau.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

/** A recurrent encoder that keeps this part of its state from word to word. */
const KEPT = 0.6;
const WORDS = 8;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = show(rowOf(trace, 'weights', 1).at(-1) ?? 0);
    return fill(texts.live, { weights });
  },
  contrast: {
    id: 'luong',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'fixed_vector',
      covers: ['beside'],
      question: texts.fixed_vector.question,
      choices: choicesOf(texts.fixed_vector),
      reveal: (fovea) => {
        const words = Array.from({ length: WORDS }, (_, t) => [Number(t === 0)]);
        const states = rnn(fovea, words, { weight_ih_l0: [[1]], weight_hh_l0: [[KEPT]] }).output;
        const [first = 1, last = 0] = [states.data[0], states.data[WORDS - 1]];
        const left = last / first;
        return {
          right: left > 0.5 ? 0 : left > 0.05 ? 1 : 2,
          shown: fill(texts.fixed_vector.shown, { first: show(first), last: show(last), left: show(left) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
