import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/memory_network.ts';
import type { Language } from '../shell/localized.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'memory_network';
const sampleIn = (language: Language) => entries().find(({ id }) => id === ID)!.samples[language];
const largest = (row: readonly number[]): number => row.indexOf(Math.max(...row));

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const [one, two] = [Math.max(...rowOf(trace, 'weights', 0)), Math.max(...rowOf(trace, 'weights', 1))];
    const answer = sampleIn(language).labels['A']![0]![largest(rowOf(trace, 'probability'))] ?? '';
    return fill(texts.live, { one: show(one), two: show(two), answer });
  },
  contrast: {
    id: 'key_value_memory',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'shared_table',
      question: texts.shared_table.question,
      choices: choicesOf(texts.shared_table),
      reveal: (fovea, language) => {
        const { labels, inputs, contrast } = sampleIn(language);
        const sentences = labels['story']![0]!;
        const { trace } = run(fovea, ID, inputs, contrast.params, contrast.options);
        const second = rowOf(trace, 'weights', 1);
        const read = largest(second);
        return {
          right: (second[read] ?? 0) < 0.5 ? 2 : read === 3 ? 0 : 1,
          shown: fill(texts.shared_table.shown, { sentence: sentences[read]!, weight: show(second[read] ?? 0) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
