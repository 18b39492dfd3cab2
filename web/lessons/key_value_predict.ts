import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/key_value_predict.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'key_value_predict';
const { inputs } = entries().find(({ id }) => id === ID)!.defaults;
const [HE, IT] = [4, 6];
const [PREDICT, NOUN] = [6, 7];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [he, it] = [rowOf(trace, 'weights', HE)[0] ?? 0, rowOf(trace, 'weights', IT)[2] ?? 0];
    return fill(texts.live, { he: show(he), it: show(it) });
  },
  contrast: {
    id: 'ngram_rnn',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'change_prediction',
      covers: ['textbook'],
      question: texts.change_prediction.question,
      choices: choicesOf(texts.change_prediction),
      reveal: (fovea) => {
        const hidden = (inputs['hidden'] as number[][]).map((state, t) =>
          t === HE ? state.map((x, n) => (n >= PREDICT ? Number(n === NOUN) : x)) : state,
        );
        const runs = [run(fovea, ID), run(fovea, ID, { hidden })].map(({ trace }) => trace);
        const changeOf = (stage: string): number => {
          const [before, after] = runs.map((trace) => rowOf(trace, stage, HE)) as [number[], number[]];
          return Math.max(...before.map((x, i) => Math.abs(x - (after[i] ?? 0))));
        };
        const [weights, output] = [changeOf('weights'), changeOf('hStar')];
        return {
          right: weights === 0 ? 0 : weights < 0.1 ? 1 : 2,
          shown: fill(texts.change_prediction.shown, { weights: show(weights), output: show(output) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
