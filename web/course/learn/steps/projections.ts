import type { Fovea, TraceStage } from 'fovea';
import * as texts from '../../../../build/generated/texts/learn_projections.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

/** Words over the axes noun, verb, small. A noun asks for a verb; a verb asks for a noun, and three times as much for a small one. */
const X = [
  [1, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
];
const ASKS = [
  [0, 12, 0],
  [4, 0, 12],
  [0, 0, 0],
];
const AS_IT_IS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Size and speed. */
const TELLS = [
  [2, 1],
  [0, 8],
  [-1.5, 2],
];

export interface Ties {
  readonly queryIsKey: boolean;
  readonly valueIsKey: boolean;
}

/** The trace of self-attention over the three words. */
export function projected(fovea: Fovea, { queryIsKey, valueIsKey }: Ties): readonly TraceStage[] {
  const params = { Wq: queryIsKey ? AS_IT_IS : ASKS, Wk: AS_IT_IS, Wv: valueIsKey ? AS_IT_IS : TELLS };
  return fovea.selfAttention(X, params, { trace: true }).trace ?? [];
}

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'tied_scores',
    question: texts.tied_scores.question,
    choices: choicesOf(texts.tied_scores),
    reveal: (fovea) => {
      const asked = { Wq: ASKS, Wk: ASKS, Wv: AS_IT_IS };
      const { logits } = fovea.selfAttention(X, asked, { scale: 1, returnLogits: 'raw' });
      const at = (i: number, j: number): number => logits.data[X.length * i + j] ?? NaN;
      const pairs = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j] as const));
      const same = pairs.every(([i, j]) => at(i, j) === at(j, i));
      const [self, other] = [at(0, 0), at(0, 1)];
      return {
        right: same ? 0 : 1,
        shown: fill(texts.tied_scores.shown, { pairs: pairs.length, self, other }),
      };
    },
  },
};
export default step;
