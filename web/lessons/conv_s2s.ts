import type { TraceStage } from 'fovea';
import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/conv_s2s.ts';
import { choicesOf, fill, type Language } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const WORDS = 4;
const LAST = 3;
/** The row of the last target word in block 2. */
const secondBlock = (trace: readonly TraceStage[], name: string): number[] => rowOf(trace, name, WORDS + LAST);

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [first, second] = [rowOf(trace, 'weights', LAST)[2] ?? 0, secondBlock(trace, 'weights')[1] ?? 0];
    return fill(texts.live, { first: show(first), second: show(second) });
  },
  contrast: {
    id: 'bahdanau',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'gates_shut',
      question: texts.gates_shut.question,
      choices: choicesOf(texts.gates_shut),
      reveal: (fovea) => {
        const { defaults, samples } = entries().find(({ id }) => id === 'conv_s2s')!;
        const { params = {} } = defaults.contrast;
        const weights = computed(fovea, 'conv_s2s', 'weights', { params }, secondBlock);
        const most = weights.indexOf(Math.max(...weights));
        const wordIn = (language: Language): string => samples[language].labels['z']?.[0]?.[most] ?? '';
        return {
          right: Math.max(0, most - 1),
          shown: fill(texts.gates_shut.shown, {
            word: { en: wordIn('en'), zh: wordIn('zh') },
            weight: show(weights[most] ?? 0),
          }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
