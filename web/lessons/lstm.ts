import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/lstm.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

/** “b”, inside two open brackets. */
const INSIDE = 3;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const states = column(trace, 'output');
    return fill(texts.live, { shallow: show(states[0] ?? 0), deep: show(states[INSIDE] ?? 0) });
  },
  contrast: {
    id: 'rnn',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'forget_gate_shut',
      question: texts.forget_gate_shut.question,
      choices: choicesOf(texts.forget_gate_shut),
      reveal: (fovea) => {
        const { params = {} } = entries().find(({ id }) => id === 'lstm')!.defaults.contrast;
        const [open = 0, shut = 0] = [{}, { params }].map((given) => computed(fovea, 'lstm', 'output', given, column)[INSIDE]);
        const size = Math.abs(shut) < 0.0005 ? texts.forget_gate_shut.tiny : show(shut);
        return {
          right: shut > 0.9 ? 0 : shut > 0.3 ? 1 : 2,
          shown: fill(texts.forget_gate_shut.shown, { size, open: show(open) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
