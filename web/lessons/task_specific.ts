import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/task_specific.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const WORDS = { en: ['I', 'eat', 'apples'], zh: ['我', '吃', '苹果'] };
const EAT = 1;
const SECOND = 1;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const weights = rowOf(trace, 'weights', SECOND);
    const most = Math.max(...weights);
    const word = WORDS[language][weights.indexOf(most)] ?? '';
    return fill(texts.live, { word, most: show(most) });
  },
  contrast: {
    id: 'bahdanau',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'other_flag',
      covers: ['beside'],
      question: texts.other_flag.question,
      choices: choicesOf(texts.other_flag),
      reveal: (fovea) => {
        const { inputs = {} } = entries().find(({ id }) => id === 'task_specific')!.defaults.contrast;
        const weights = computed(fovea, 'task_specific', 'weights', { inputs }, (trace, name) => rowOf(trace, name, SECOND));
        return {
          right: weights.indexOf(Math.max(...weights)),
          shown: fill(texts.other_flag.shown, { weight: show(weights[EAT] ?? 0) }),
        };
      },
    },
  ],
} satisfies Lesson;
