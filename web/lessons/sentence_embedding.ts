import * as texts from '../../build/generated/texts/sentence_embedding.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const share = show(rowOf(trace, 'mean')[3] ?? NaN, 2);
    const unit = show(rowOf(trace, 'ngrams')[0] ?? NaN, 2);
    return fill(texts.live, { share, unit });
  },
  contrast: {
    id: 'saliency',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'reordered_words',
      question: texts.reordered_words.question,
      choices: choicesOf(texts.reordered_words),
      reveal: (fovea) => {
        const order = (places: readonly number[]) => ({
          inputs: { H: places.map((p) => [0, 1, 2, 3].map((axis) => Number(axis === p))) },
        });
        const of = (stage: string) =>
          [
            [0, 1, 2, 3],
            [3, 0, 1, 2],
          ].map((places) => computed(fovea, 'sentence_embedding', stage, order(places)));
        const [[before = [], after = []], [first = [], second = []]] = [of('mean'), of('ngrams')];
        return {
          right: isNear(first, second) ? (isNear(before, after) ? 1 : 0) : 2,
          shown: fill(texts.reordered_words.shown, {
            before: show(before[0]!, 2),
            first: show(first[0]!),
            second: show(second[0]!),
          }),
        };
      },
    },
  ],
} satisfies Lesson;
