import type { Fovea } from 'fovea';
import { run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/fully_connected.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

/** The outputs for the last word. */
const lastRow = (fovea: Fovea, x: readonly (readonly number[])[]): number[] =>
  rowOf(run(fovea, 'fully_connected', { x }).trace, 'output', x.length - 1);

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [first, second] = [list(rowOf(trace, 'output', 1)), list(rowOf(trace, 'output', 3))];
    return fill(texts.live, { first, second });
  },
  contrast: {
    id: 'scaled_dot',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'word_between',
      question: texts.word_between.question,
      choices: choicesOf(texts.word_between),
      reveal: (fovea) => {
        const x = [
          [1, 0, 0],
          [0, 0, 0],
          [0, 1, 0],
        ];
        const output = lastRow(fovea, x);
        const shown = list(output);
        return {
          right: (output[1] ?? 0) > 0 ? 0 : 1,
          shown: fill(texts.word_between.shown, { outputs: shown }),
        };
      },
    },
  ],
} satisfies Lesson;
