import * as texts from '../../build/generated/texts/recurrent_positions.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 3]));
    const b = two(valueAt(trace, 'weights', [0, 1]));
    return fill(texts.live, { fourth: a, second: b });
  },
  contrast: {
    id: 'learned_positions',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
