import * as texts from '../../build/generated/texts/relative_positions.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const p = two(valueAt(trace, 'weights', [3, 2]));
    const a = two(valueAt(trace, 'weights', [3, 0]));
    const b = two(valueAt(trace, 'weights', [3, 1]));
    return fill(texts.live, { before: p, first: a, second: b });
  },
  contrast: {
    id: 'rope',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
