import * as texts from '../../build/generated/texts/rnn.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

/** A state that is doubled on its way from word to word. */
const DOUBLED = { weight_ih_l0: [[1]], weight_hh_l0: [[2]] };

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const states = column(trace, 'output');
    return fill(texts.live, { first: show(states[0] ?? 0), last: show(states.at(-1) ?? 0) });
  },
  contrast: {
    id: 'bahdanau',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'doubled_state',
      question: texts.doubled_state.question,
      choices: choicesOf(texts.doubled_state),
      reveal: (fovea) => {
        const states = computed(fovea, 'rnn', 'output', { params: DOUBLED }, column);
        const [first = 0, last = 0] = [states[0], states.at(-1)];
        return {
          right: last < first ? 0 : last < 1 ? 1 : 2,
          shown: fill(texts.doubled_state.shown, { first: show(first), last: show(last) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
