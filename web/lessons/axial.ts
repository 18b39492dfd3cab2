import { xformerCost } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/axial.ts';
import { valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const SIDE = 32;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [first, second, both] = [
      valueAt(trace, 'firstWeights', [5, 4]),
      valueAt(trace, 'secondWeights', [5, 1]),
      valueAt(trace, 'output', [5, 11]),
    ].map((x) => show(x));
    return fill(texts.live, { first: first!, second: second!, both: both! });
  },
  contrast: {
    id: 'atrous',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'axial_pairs',
      question: texts.axial_pairs.question,
      choices: choicesOf(texts.axial_pairs),
      reveal: (fovea) => {
        const { full, axial } = xformerCost(
          fovea,
          {},
          {},
          { n: SIDE * SIDE, d: 1, kinds: { full: {}, axial: { shape: [SIDE, SIDE] } } },
        );
        const share = full.pairs / axial.pairs;
        return {
          right: [2, 16].includes(share) ? [2, 16].indexOf(share) : 2,
          shown: fill(texts.axial_pairs.shown, { kept: axial.pairs, all: full.pairs, share }),
        };
      },
    },
  ],
} satisfies Lesson;
