import * as texts from '../../build/generated/texts/multi_query.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 1]));
    const b = two(valueAt(trace, 'weights', [1, 2]));
    const c = two(valueAt(trace, 'weights', [2, 3]));
    return fill(texts.live, { cat: a, chases: b, home: c });
  },
  contrast: {
    id: 'multi_head',
    text: texts.contrast,
  },
  history: texts.history,
  textbook: [texts.textbook1],
} satisfies Lesson;
