import type { TraceStage } from 'fovea';
import { run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/structured_self_attention.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

/** A number without axes. */
const penaltyOf = (trace: readonly TraceStage[]): number => trace.find(({ name }) => name === 'penalty')?.data[0] ?? NaN;
const CHOICES = [0, 3, 6];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const good = show(rowOf(trace, 'A', 0)[1] ?? NaN, 2);
    const cat = show(rowOf(trace, 'A', 2)[2] ?? NaN, 2);
    const penalty = show(penaltyOf(trace), 2);
    return fill(texts.live, { good, cat, penalty });
  },
  contrast: {
    id: 'hierarchical_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'equal_hops',
      question: texts.equal_hops.question,
      choices: CHOICES.map((choice) => ({ en: String(choice), zh: String(choice) })),
      reveal: (fovea) => {
        const H = [
          [0, 0],
          [1, 0],
          [0, 1],
        ];
        const params = { Ws1: [[2], [0]], Ws2: [[20, 20, 20]] };
        const { trace } = run(fovea, 'structured_self_attention', { H }, params);
        const total = penaltyOf(trace);
        return {
          right: CHOICES.findIndex((choice) => Math.abs(choice - total) < 0.5),
          shown: fill(texts.equal_hops.shown, { total: show(Number(total.toFixed(3))) }),
        };
      },
    },
  ],
} satisfies Lesson;
