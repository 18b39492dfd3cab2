import * as texts from '../../build/generated/texts/multi_source.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

const NOUN = 1;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [, bank = 0, shore = 0] = rowOf(trace, 'probability', NOUN);
    return fill(texts.live, { bank: show(bank), shore: show(shore) });
  },
  contrast: {
    id: 'luong_local',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'second_source_off',
      question: texts.second_source_off.question,
      choices: choicesOf(texts.second_source_off),
      reveal: (fovea) => {
        const [, bank = 0, shore = 0] = computed(
          fovea,
          'multi_source',
          'probability',
          { options: { source2Lengths: 0 } },
          (trace, name) => rowOf(trace, name, NOUN),
        );
        return {
          right: isNear([bank], [shore]) ? 2 : bank > shore ? 0 : 1,
          shown: fill(texts.second_source_off.shown, { bank: show(bank), shore: show(shore) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
