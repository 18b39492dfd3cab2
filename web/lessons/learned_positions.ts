import { list, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/learned_positions.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [1, 0]));
    const b = two(valueAt(trace, 'weights', [3, 2]));
    return fill(texts.live, { first: a, second: b });
  },
  contrast: {
    id: 'sinusoidal',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'outputs_of_saw',
      question: texts.outputs_of_saw.question,
      choices: choicesOf(texts.outputs_of_saw),
      reveal: (fovea) => {
        const { contrast } = list().find(({ id }) => id === 'learned_positions')!.defaults;
        const apart = (trace: Parameters<typeof valueAt>[0]): number =>
          Math.max(
            ...[0, 1, 2].map((axis) => Math.abs(valueAt(trace, 'output', [1, axis]) - valueAt(trace, 'output', [3, axis]))),
          );
        const without = apart(run(fovea, 'learned_positions', undefined, contrast.params).trace);
        const withThem = apart(run(fovea, 'learned_positions').trace);
        return {
          right: without === 0 ? 1 : 0,
          shown: fill(texts.outputs_of_saw.shown, { without, withThem: two(withThem) }),
        };
      },
    },
  ],
} satisfies Lesson;
