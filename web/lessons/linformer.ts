import { approximation } from 'fovea/linear-attention';
import * as texts from '../../build/generated/texts/linformer.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const [A, B, C] = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 4],
] as const;
const SMOOTH = [A, A, B, B, C, C];
const SPIKY = [A, C, B, A, C, B];
/** Means of two neighbors. */
const MEANS = [
  [0.5, 0.5, 0, 0, 0, 0],
  [0, 0, 0.5, 0.5, 0, 0],
  [0, 0, 0, 0, 0.5, 0.5],
];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const all = trace.find(({ name }) => name === 'weights')?.data.length ?? 0;
    return fill(texts.live, { weights: shown, all });
  },
  contrast: {
    id: 'performer',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'same_words_other_order',
      question: texts.same_words_other_order.question,
      choices: choicesOf(texts.same_words_other_order),
      reveal: (fovea) => {
        const [together, apart] = [SMOOTH, SPIKY].map((rows) => {
          const x = rows.map((row) => [...row]);
          return approximation(fovea, x, x, x, { linformer: { E: MEANS } }).relativeFrobenius;
        }) as [number, number];
        return {
          right: Math.abs(together - apart) < 1e-3 ? 0 : together < apart ? 1 : 2,
          shown: fill(texts.same_words_other_order.shown, { together: show(together), apart: show(apart) }),
        };
      },
    },
  ],
} satisfies Lesson;
