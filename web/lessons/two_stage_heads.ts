import * as texts from '../../build/generated/texts/two_stage_heads.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const s = two(valueAt(trace, 'weights', [0, 3, 1]));
    const p = two(valueAt(trace, 'weights', [1, 3, 2]));
    return fill(texts.live, { first: s, before: p });
  },
  contrast: {
    id: 'multi_head',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
