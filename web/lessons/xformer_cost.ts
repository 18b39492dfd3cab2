import { xformerCost } from 'fovea/mechanisms';
import * as texts from '../../build/generated/texts/xformer_cost.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

const [SHORT, WIDTH, FEATURES] = [64, 64, 128];
const count = (x: number): string => x.toLocaleString('en', { maximumFractionDigits: 1 });

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [full = 0, local = 0] = rowOf(trace, 'pairs');
    return fill(texts.live, { full: count(full), local: count(local), ratio: count(full / local) });
  },
  contrast: {
    id: 'reformer',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'short_text_cost',
      question: texts.short_text_cost.question,
      choices: choicesOf(texts.short_text_cost),
      reveal: (fovea) => {
        const { full, performer } = xformerCost(
          fovea,
          {},
          {},
          { n: SHORT, d: WIDTH, kinds: { full: {}, performer: { features: FEATURES } } },
        );
        const [a, b] = [full.multiplyAdds, performer.multiplyAdds];
        return {
          right: a < b ? 0 : a > b ? 1 : 2,
          shown: fill(texts.short_text_cost.shown, { full: count(a), performer: count(b) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
