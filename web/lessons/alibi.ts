import * as texts from '../../build/generated/texts/alibi.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 5, 5]));
    const b = two(valueAt(trace, 'weights', [0, 5, 4]));
    const c = two(valueAt(trace, 'weights', [1, 5, 0]));
    return fill(texts.live, { own: a, before: b, first: c });
  },
  contrast: {
    id: 'relative_positions',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
