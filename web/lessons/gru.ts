import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/gru.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

const [FIRST, THIRD] = [0, 2];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const states = column(trace, 'output');
    return fill(texts.live, { first: show(states[FIRST] ?? 0), third: show(states[THIRD] ?? 0) });
  },
  contrast: {
    id: 'lstm',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'half_open_gate',
      question: texts.half_open_gate.question,
      choices: choicesOf(texts.half_open_gate),
      reveal: (fovea) => {
        const { params = {} } = entries().find(({ id }) => id === 'gru')!.defaults.contrast;
        const [kept = 0, mixed = 0] = [{}, { params }].map((given) => computed(fovea, 'gru', 'output', given, column)[THIRD]);
        return {
          right: Math.abs(mixed - kept) < 0.005 ? 0 : mixed < kept ? 1 : 2,
          shown: fill(texts.half_open_gate.shown, { mixed: show(mixed), kept: show(kept) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
