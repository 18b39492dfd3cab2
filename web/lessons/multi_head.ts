import * as texts from '../../build/generated/texts/multi_head.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const cat = two(valueAt(trace, 'weights', [2, 6, 1]));
    const dog = two(valueAt(trace, 'weights', [2, 6, 4]));
    const prev = two(valueAt(trace, 'weights', [0, 4, 3]));
    return fill(texts.live, { cat, dog, prev });
  },
  contrast: {
    id: 'split_heads',
    text: texts.contrast,
  },
  history: texts.history,
  textbook: [texts.textbook1],
} satisfies Lesson;
