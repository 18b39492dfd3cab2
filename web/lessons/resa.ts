import * as texts from '../../build/generated/texts/resa.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [1, 2, 0]));
    const b = two(valueAt(trace, 'weights', [1, 4, 0]));
    const p = two(valueAt(trace, 'dependentProbability', [1]));
    return fill(texts.live, { chases: a, mouse: b, kept: p });
  },
  contrast: {
    id: 'disan',
    text: texts.contrast,
  },
  history: texts.history,
  textbook: [texts.textbook1],
} satisfies Lesson;
