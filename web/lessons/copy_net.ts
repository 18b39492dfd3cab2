import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/copy_net.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

/** Word 7 is the first of the name, at place 4. */
const [FIRST_OF_NAME, STEPS] = [7, 5];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [first, last] = [two(valueAt(trace, 'copy', [1, 4])), two(valueAt(trace, 'copy', [4, 7]))];
    return fill(texts.live, { first, last });
  },
  contrast: {
    id: 'pointer_network',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'without_selective_read',
      question: texts.without_selective_read.question,
      choices: choicesOf(texts.without_selective_read),
      reveal: (fovea, language) => {
        const { labels, inputs, contrast } = entries().find(({ id }) => id === 'copy_net')!.samples[language];
        const { trace } = run(fovea, 'copy_net', undefined, contrast.params);
        const said = Array.from({ length: STEPS }, (_, t) => rowOf(trace, 'distribution', t)).map((row) =>
          row.indexOf(Math.max(...row)),
        );
        const vocabulary = labels['embedding']![0]!;
        const sourceIds = inputs['sourceIds'] as number[];
        const wordOf = (id: number): string => vocabulary[id] ?? labels['source']![0]![sourceIds.indexOf(id)]!;
        const copied = said.slice(1);
        const text = said.map(wordOf).join(language === 'zh' ? '' : ' ');
        return {
          right: copied.every((id) => id === FIRST_OF_NAME) ? 1 : copied.every((id) => id < vocabulary.length) ? 2 : 0,
          shown: fill(texts.without_selective_read.shown, { text }),
        };
      },
    },
  ],
} satisfies Lesson;
