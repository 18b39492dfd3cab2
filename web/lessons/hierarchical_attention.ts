import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/hierarchical_attention.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

/** The last axes of a word: good, awful, dull, positive, negative. */
const [AWFUL, NEGATIVE] = [-4, -1];
type Words = readonly (readonly (readonly number[])[])[];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const great = two(valueAt(trace, 'wordWeights', [1, 4]));
    const sentence = two(valueAt(trace, 'sentenceWeights', [1]));
    const positive = two(valueAt(trace, 'probability', [0]));
    return fill(texts.live, { great, sentence, positive });
  },
  contrast: {
    id: 'sentence_embedding',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'great_and_awful',
      question: texts.great_and_awful.question,
      choices: choicesOf(texts.great_and_awful),
      reveal: (fovea, language) => {
        const { labels, inputs, params } = entries().find(({ id }) => id === 'hierarchical_attention')!.samples[language];
        const axes = labels['words']![2]!;
        const awful = axes.map((_, n) => Number([AWFUL, NEGATIVE].includes(n - axes.length)));
        const [first, second, third] = inputs['words'] as Words;
        const { trace } = run(
          fovea,
          'hierarchical_attention',
          { words: [first, second, [...third!.slice(0, -1), awful]] },
          params,
        );
        const [, great = 0, bad = 0] = rowOf(trace, 'sentenceWeights');
        const [positive = 0] = rowOf(trace, 'probability');
        return {
          right: great > 2 * bad ? 0 : bad > 2 * great ? 2 : 1,
          shown: fill(texts.great_and_awful.shown, { great: show(great), bad: show(bad), positive: show(positive, 2) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
