import * as texts from '../../build/generated/texts/distance_self_attention.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const near = two(valueAt(trace, 'forwardWeights', [0, 7, 4]));
    const far = two(valueAt(trace, 'forwardWeights', [0, 7, 1]));
    const man = two(valueAt(trace, 'forwardWeights', [0, 10, 0]));
    return fill(texts.live, { near, far, man });
  },
  contrast: {
    id: 'alibi',
    text: texts.contrast,
  },
  history: texts.history,
  textbook: [texts.textbook1, texts.textbook2],
} satisfies Lesson;
