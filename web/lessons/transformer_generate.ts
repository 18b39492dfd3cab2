import * as texts from '../../build/generated/texts/transformer_generate.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'logits', [0, 1]));
    const b = two(valueAt(trace, 'logits', [0, 2]));
    return fill(texts.live, { cats: a, chase: b });
  },
  contrast: {
    id: 'transformer',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
