import type { TraceStage } from 'fovea';
import * as texts from '../../build/generated/texts/key_value.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

const list3 = (trace: readonly TraceStage[]) =>
  list(
    [0, 1, 2].map((row) => rowOf(trace, 'output', row)[0] ?? 0),
    2,
  );

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const outputs = list3(trace);
    return fill(texts.live, { outputs });
  },
  contrast: {
    id: 'dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'tied_values',
      question: texts.tied_values.question,
      choices: choicesOf(texts.tied_values),
      reveal: (fovea) => {
        const fruits = [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ];
        const output = computed(fovea, 'key_value', 'output', { inputs: { q: [[0, 1, 0]], k: fruits, v: fruits } });
        const shown = output.map((x) => show(x)).join(' ');
        return {
          right: output.length === 1 ? 0 : (output[1] ?? 0) > 0.9 ? 1 : 2,
          shown: fill(texts.tied_values.shown, { output: shown }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
