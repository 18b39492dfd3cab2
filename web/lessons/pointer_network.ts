import * as texts from '../../build/generated/texts/pointer_network.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const SORTED = 5;
const largest = (row: readonly number[]): number => Math.max(...row);

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const least = show(Math.min(...Array.from({ length: SORTED }, (_, t) => largest(rowOf(trace, 'weights', t)))), 3);
    return fill(texts.live, { least });
  },
  contrast: {
    id: 'pointer_generator',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'equal_numbers',
      question: texts.equal_numbers.question,
      choices: choicesOf(texts.equal_numbers),
      reveal: (fovea) => {
        const weights = computed(fovea, 'pointer_network', 'weights', { inputs: { points: [[0.3], [0.3], [0.8]] } });
        const [first = 0, second = 0, third = 0] = weights;
        return {
          right: third > first ? 2 : first > 2 * second ? 0 : 1,
          shown: fill(texts.equal_numbers.shown, { first: show(first), second: show(second), third: show(third) }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
