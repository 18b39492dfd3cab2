import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/attention_over_attention.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [blank, answer] = [two(valueAt(trace, 'averageBeta', [0])), two(valueAt(trace, 'probability', [3]))];
    return fill(texts.live, { blank, answer });
  },
  contrast: {
    id: 'attention_sum_reader',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'blank_forgets',
      question: texts.blank_forgets.question,
      choices: choicesOf(texts.blank_forgets),
      reveal: (fovea) => {
        const { params } = entries().find(({ id }) => id === 'attention_over_attention')!.defaults.contrast;
        const probability = computed(fovea, 'attention_over_attention', 'probability', { ...(params ? { params } : {}) });
        const [mary = 0, , , tom = 0] = probability;
        return {
          right: Math.abs(mary - tom) < 0.01 ? 2 : tom > mary ? 0 : 1,
          shown: fill(texts.blank_forgets.shown, { mary: show(mary), tom: show(tom) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
