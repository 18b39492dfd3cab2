import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/pointer_generator.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [name, known] = [two(valueAt(trace, 'pGen', [0])), two(valueAt(trace, 'pGen', [1]))];
    const loss = show(
      rowOf(trace, 'coverageLoss').reduce((sum, x) => sum + x, 0),
      2,
    );
    return fill(texts.live, { name, known, loss });
  },
  contrast: {
    id: 'copy_net',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'without_coverage',
      question: texts.without_coverage.question,
      choices: choicesOf(texts.without_coverage),
      reveal: (fovea) => {
        const { params } = entries().find(({ id }) => id === 'pointer_generator')!.defaults;
        const lossOf = (wc: number): number =>
          rowOf(run(fovea, 'pointer_generator', undefined, { ...params, wc: [wc] }).trace, 'coverageLoss').reduce(
            (sum, x) => sum + x,
            0,
          );
        const [without, covered] = [lossOf(0), lossOf(-4)];
        return {
          right: without === 0 ? 0 : without > 2 * covered ? 2 : 1,
          shown: fill(texts.without_coverage.shown, { without: show(without, 2), covered: show(covered, 2) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
