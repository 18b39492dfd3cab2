import type { Fovea } from 'fovea';
import { pattern } from 'fovea/pattern';
import * as texts from '../../../../build/generated/texts/learn_cost.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

/** A word sees itself and so many on each side. */
const SIDE = 64;
const neighbors = pattern.window(SIDE, SIDE);
/** Of linear attention: a state of FEATURES rows takes the place of the keys. */
export const FEATURES = 64;

export interface Cost {
  readonly dense: number;
  readonly window: number;
  readonly linear: number;
}

/** Pairs of n words with one another; of linear attention the features that n words are multiplied with. */
export function costOf(fovea: Fovea, n: number): Cost {
  const share = n === 0 ? 0 : neighbors.density(fovea, { queries: n, keys: n });
  return { dense: n * n, window: Math.round(share * n * n), linear: n * FEATURES };
}

export const KINDS = [
  { id: 'dense', ink: 'var(--negative)', text: texts.dense },
  { id: 'window', ink: 'var(--positive)', text: fill(texts.window, { side: SIDE }) },
  { id: 'linear', ink: 'var(--value)', text: fill(texts.linear, { features: FEATURES }) },
] as const;

const [SHORT, LONG] = [64, 128];

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'twice_the_words',
    covers: ['picture'],
    question: texts.twice_the_words.question,
    choices: choicesOf(texts.twice_the_words),
    reveal: (fovea) => {
      const [few, many] = [SHORT, LONG].map((n) => {
        const x = { data: new Float32Array(n), shape: [n, 1] };
        return fovea.attention(x, x, x, { returnWeights: true }).weights.data.length;
      }) as [number, number];
      return {
        right: [2, 4, 8].indexOf(many / few),
        shown: fill(texts.twice_the_words.shown, { short: SHORT, long: LONG, few, many, times: many / few }),
      };
    },
  },
  further: [
    { path: 'family/sparse', text: texts.further.sparse },
    { path: 'family/linear-and-low-rank', text: texts.further.linear },
  ],
};
export default step;
