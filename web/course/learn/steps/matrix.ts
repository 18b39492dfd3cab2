import type { Fovea, TraceStage } from 'fovea';
import { nested } from '../../../figures/matrix.ts';
import { head } from '../../../text/named_heads.ts';
import { select } from '../../../text/projections.ts';
import { embed } from '../../../text/vectors.ts';
import * as texts from '../../../../build/generated/texts/learn_matrix.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

/** What every word hands over. */
export const FEATURES = ['noun', 'verb'] as const;

/** The trace of one head: each word looks at those near it, and reads two features of theirs. */
export function nearby(fovea: Fovea, words: readonly string[]): readonly TraceStage[] {
  const { X, axes } = embed(words, true);
  const { q, k } = head('nearby', axes);
  const v = select(axes, (axis) => axis.kind === 'feature' && FEATURES.some((feature) => feature === axis.feature));
  const params = { Wq: nested(q.matrix), Wk: nested(k.matrix), Wv: nested(v.matrix) };
  return fovea.selfAttention(nested(X), params, { trace: true }).trace ?? [];
}

const QUERIES = [
  [1, 0],
  [0, 1],
  [1, 1],
];
const KEYS = [
  [2, 0],
  [0, 2],
  [1, 1],
  [0, 1],
  [1, 0],
];
const VALUES = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 1, 1],
];

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'shape_of_weights',
    question: texts.shape_of_weights.question,
    choices: choicesOf(texts.shape_of_weights),
    reveal: (fovea) => {
      const { weights, output } = fovea.attention(QUERIES, KEYS, VALUES, { returnWeights: true });
      const size = weights.shape.join('×');
      return {
        right: ['3×3', '3×5', '5×5'].indexOf(size),
        shown: fill(texts.shape_of_weights.shown, { weights: size, output: output.shape.join('×') }),
      };
    },
  },
  further: [{ path: 'self-attention', text: texts.further.self_attention }],
};
export default step;
