import * as texts from '../../build/generated/texts/transformer.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const w = two(valueAt(trace, 'decoderWeights', [1, 0, 6, 3]));
    const p = two(valueAt(trace, 'probability', [6, 3]));
    return fill(texts.live, { weight: w, probability: p });
  },
  contrast: {
    id: 'transformer_generate',
    text: texts.contrast,
  },
  history: texts.history,
} satisfies Lesson;
