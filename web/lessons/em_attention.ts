import { emAttention } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/em_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const X = [
  [1, 0, 0],
  [0.8, 0.1, 0],
  [0, 0, 1],
  [0, 0.1, 0.8],
];
const GRAYS = [
  [0.6, 0.5, 0.4],
  [0.4, 0.5, 0.6],
];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [red, blue] = [list(rowOf(trace, 'mu', 0), 2), list(rowOf(trace, 'mu', 1), 2)];
    return fill(texts.live, { red, blue });
  },
  contrast: {
    id: 'linformer',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'lambda_zero',
      question: texts.lambda_zero.question,
      choices: choicesOf(texts.lambda_zero),
      reveal: (fovea) => {
        const options = { iterations: 3, lambda: 0, normalize: 'none', residual: false } as const;
        const { mu } = emAttention(fovea, { X }, { mu: GRAYS }, options) as { mu: { data: Float32Array } };
        const [first, second] = [Array.from(mu.data.slice(0, 3)), Array.from(mu.data.slice(3))];
        const same = first.every((x, c) => Math.abs(x - (second[c] ?? 0)) < 1e-6);
        const stayed = first.every((x, c) => Math.abs(x - (GRAYS[0]![c] ?? 0)) < 1e-6);
        const [a, b] = [list(first, 2), list(second, 2)];
        return {
          right: stayed ? 0 : same ? 1 : 2,
          shown: fill(texts.lambda_zero.shown, { first: a, second: b }),
        };
      },
    },
  ],
} satisfies Lesson;
