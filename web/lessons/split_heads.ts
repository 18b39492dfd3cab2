import * as texts from '../../build/generated/texts/split_heads.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const w = two(valueAt(trace, 'weights', [0, 3, 1]));
    const o = two(valueAt(trace, 'weights', [1, 3, 3]));
    return fill(texts.live, { first: w, own: o });
  },
  contrast: {
    id: 'two_stage_heads',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
