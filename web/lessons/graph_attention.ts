import type { Fovea } from 'fovea';
import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/graph_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, show, weightsOf } from './numbers.ts';

const ID = 'graph_attention';
const { inputs } = entries().find(({ id }) => id === ID)!.defaults;
/** Edges into node 1 come from 5, 6 and 8. */
const [FIVE, SIX, EIGHT] = [0, 2, 4];

/** The scores of node 1 with 5, 6, 8 and itself. */
function scoresOfFirst(fovea: Fovea): number[] {
  const edges = inputs['edges'] as readonly (readonly number[])[];
  const scores = run(fovea, ID).trace.find(({ name }) => name === 'scores')!.data;
  return [scores[FIVE]!, scores[SIX]!, scores[EIGHT]!, scores[edges.length]!];
}

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weights = trace.find(({ name }) => name === 'weights')?.data ?? [];
    const shown = list([FIVE, SIX, EIGHT].map((edge) => weights[edge] ?? 0));
    return fill(texts.live, { weights: shown });
  },
  contrast: {
    id: 'speech_self_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'absent_edge',
      covers: ['textbook'],
      question: texts.absent_edge.question,
      choices: choicesOf(texts.absent_edge),
      reveal: (fovea) => {
        const scores = scoresOfFirst(fovea);
        const zero = weightsOf(fovea, [...scores, 0, 0, 0, 0]);
        const masked = weightsOf(fovea, [...scores, 0, 0, 0, 0], {
          mask: [[true, true, true, true, false, false, false, false]],
        });
        const sum = (weights: readonly number[]): number => weights.slice(scores.length).reduce((a, b) => a + b, 0);
        return {
          right: sum(zero) === 0 ? 0 : 1,
          shown: fill(texts.absent_edge.shown, { zero: show(sum(zero)), masked: show(sum(masked)) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
