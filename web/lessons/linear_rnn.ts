import { linearAttention } from 'fovea/linear-attention';
import * as texts from '../../build/generated/texts/linear_rnn.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, list } from './numbers.ts';

const WIDTH = 2;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const output = list(column(trace, 'output'));
    return fill(texts.live, { output });
  },
  contrast: {
    id: 'delta_rule',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'state_after_many',
      covers: ['kept', 'count'],
      question: texts.state_after_many.question,
      choices: choicesOf(texts.state_after_many),
      reveal: (fovea) => {
        const [few, many] = [10, 1000].map((tokens) => {
          const x = { data: new Float32Array(tokens * WIDTH), shape: [tokens, WIDTH] };
          const { s, z } = linearAttention(fovea, x, x, x, { causal: true, returnState: true }).state;
          return s.data.length + (z?.data.length ?? 0);
        }) as [number, number];
        return {
          right: [1, 100, 10000].indexOf(many / few),
          shown: fill(texts.state_after_many.shown, { few, many, fewKept: 2 * 10 * WIDTH, manyKept: 2 * 1000 * WIDTH }),
        };
      },
    },
  ],
} satisfies Lesson;
