import * as texts from '../../build/generated/texts/luong.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const [WENT, YESTERDAY, GO] = [1, 1, 2];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const weight = show(rowOf(trace, 'weights', WENT)[GO] ?? 0);
    return fill(texts.live, { weight });
  },
  contrast: {
    id: 'luong_local',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'dot_across_languages',
      question: texts.dot_across_languages.question,
      choices: choicesOf(texts.dot_across_languages),
      reveal: (fovea) => {
        const Wc = [...Array(8)].map((_, row) => [...Array(4)].map((_, col) => Number(row === col)));
        const weights = computed(fovea, 'luong', 'weights', { params: { Wc }, options: { score: 'dot' } }, (trace, name) =>
          rowOf(trace, name, WENT),
        );
        const [wrong = 0, right = 0] = [weights[YESTERDAY], weights[GO]];
        return {
          right: right > wrong ? 0 : wrong > right ? 1 : 2,
          shown: fill(texts.dot_across_languages.shown, { wrong: show(wrong), right: show(right) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
