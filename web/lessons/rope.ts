import * as texts from '../../build/generated/texts/rope.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const w = two(valueAt(trace, 'weights', [4, 3]));
    return fill(texts.live, { weight: w });
  },
  contrast: {
    id: 'sinusoidal',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
