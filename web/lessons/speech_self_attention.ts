import { run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/speech_self_attention.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'speech_self_attention';
/** A frame of the first "a"; the end of that vowel, and where it comes again. */
const [CHOSEN, GLIDE, AGAIN] = [6, 10, 25];
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const row = rowOf(trace, 'weights', CHOSEN);
    const [first, second] = [show(sum(row.slice(0, GLIDE))), show(sum(row.slice(AGAIN)))];
    return fill(texts.live, { first, second });
  },
  contrast: {
    id: 'image_self_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'kept_pairs',
      covers: ['pairs'],
      question: texts.kept_pairs.question,
      choices: choicesOf(texts.kept_pairs),
      reveal: (fovea) => {
        const weights = run(fovea, ID).trace.find(({ name }) => name === 'weights')!;
        const kept = weights.data.filter((x) => x > 0).length;
        const [all, half] = [weights.data.length, weights.data.length / 2];
        return {
          right: kept < half ? 0 : kept === half ? 1 : 2,
          shown: fill(texts.kept_pairs.shown, { kept, all }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
