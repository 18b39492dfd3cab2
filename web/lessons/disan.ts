import * as texts from '../../build/generated/texts/disan.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const r = two(valueAt(trace, 'forwardWeights', [7, 1, 0]));
    const m = two(valueAt(trace, 'forwardWeights', [7, 4, 1]));
    return fill(texts.live, { queen: r, man: m });
  },
  contrast: {
    id: 'multi_head',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
