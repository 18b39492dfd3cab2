import * as texts from '../../../../build/generated/texts/learn_worked_example.ts';
import { choicesOf, fill, series } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'scores_2_4_4',
    covers: ['weights'],
    question: texts.scores_2_4_4.question,
    choices: choicesOf(texts.scores_2_4_4),
    reveal: (fovea) => {
      const scores = [[2], [4], [4]];
      const { weights } = fovea.attention([[1]], scores, scores, { scale: 1, returnWeights: true });
      const [first, second, third] = Array.from(weights.data) as [number, number, number];
      return {
        right: second === third ? 2 : second > third ? 0 : 1,
        shown: fill(texts.scores_2_4_4.shown, { weights: series([first, second, third].map((weight) => weight.toFixed(3))) }),
      };
    },
  },
  further: [{ path: 'self-attention', text: texts.further.self_attention }],
};
export default step;
