import type { Fovea } from 'fovea';
import { randomParams } from 'fovea/mechanisms';
import * as texts from '../../../../build/generated/texts/learn_softmax.ts';
import { choicesOf, fill, series } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

const COUNT = 64;

export interface Spread {
  /** Root of the mean square of all scores. */
  readonly spread: number;
  /** The largest weight of a query, mean of all queries. */
  readonly largest: number;
  /** Of the first query. */
  readonly weights: readonly number[];
}

/** Scores and weights of random queries and keys whose numbers have variance 1. */
export function spreadOf(fovea: Fovea, d: number, scale: number, keys: number): Spread {
  const drawn = randomParams(fovea, { q: [COUNT, d], k: [COUNT, d] }, { seed: 1 });
  // They are drawn with variance 1 / COUNT, as a matrix of weights would be.
  const [q, k] = [drawn['q']!, drawn['k']!].map(({ data, shape }) => ({
    data: Float32Array.from(data, (x) => x * Math.sqrt(COUNT)),
    shape,
  })) as [typeof drawn.q & object, typeof drawn.k & object];
  const few = { data: k.data.subarray(0, keys * d), shape: [keys, d] };
  const { logits, weights } = fovea.attention(q, few, few, { scale, returnLogits: 'raw', returnWeights: true });
  const rows = Array.from({ length: COUNT }, (_, i) => Array.from(weights.data.subarray(i * keys, (i + 1) * keys)));
  return {
    spread: Math.sqrt(logits.data.reduce((sum, x) => sum + x * x, 0) / logits.data.length),
    largest: rows.reduce((sum, row) => sum + Math.max(...row), 0) / COUNT,
    weights: rows[0]!,
  };
}

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'add_100_or_double',
    question: texts.add_100_or_double.question,
    choices: choicesOf(texts.add_100_or_double),
    reveal: (fovea) => {
      const weightsOf = (scores: readonly number[]): string[] => {
        const { weights } = fovea.attention(
          [[1]],
          scores.map((score) => [score]),
          scores.map((score) => [score]),
          {
            scale: 1,
            returnWeights: true,
          },
        );
        return Array.from(weights.data, (weight) => weight.toFixed(3));
      };
      const [given, added, doubled] = [
        [2, 4, 4],
        [102, 104, 104],
        [4, 8, 8],
      ].map(weightsOf) as [string[], string[], string[]];
      const sharper = (weights: string[]): boolean => Number(weights[0]) < Number(given[0]);
      return {
        right: sharper(added) ? (sharper(doubled) ? 2 : 0) : 1,
        shown: fill(texts.add_100_or_double.shown, { given: series(given), added: series(added), doubled: series(doubled) }),
      };
    },
  },
  further: [{ path: 'scaled-dot', text: texts.further.scaled_dot }],
};
export default step;
