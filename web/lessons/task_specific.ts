import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/task_specific.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const ID = 'task_specific';
const entry = () => entries().find(({ id }) => id === ID)!;
const EAT = 1;
const SECOND = 1;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const weights = rowOf(trace, 'weights', SECOND);
    const most = Math.max(...weights);
    const word = entry().samples[language].labels['source']?.[0]?.[weights.indexOf(most)] ?? '';
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
        const { inputs = {} } = entry().defaults.contrast;
        const weights = computed(fovea, ID, 'weights', { inputs }, (trace, name) => rowOf(trace, name, SECOND));
        return {
          right: weights.indexOf(Math.max(...weights)),
          shown: fill(texts.other_flag.shown, { weight: show(weights[EAT] ?? 0) }),
        };
      },
    },
  ],
} satisfies Lesson;
