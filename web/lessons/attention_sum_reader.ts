import { list as entries } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/attention_sum_reader.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { computed, show } from './numbers.ts';

const ID = 'attention_sum_reader';

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const [one, sum] = [two(valueAt(trace, 'weights', [4])), two(valueAt(trace, 'probability', [3]))];
    return fill(texts.live, { one, sum });
  },
  contrast: {
    id: 'attention_over_attention',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'one_queen_less',
      question: texts.one_queen_less.question,
      choices: choicesOf(texts.one_queen_less),
      reveal: (fovea) => {
        const { inputs = {} } = entries().find(({ id }) => id === ID)!.defaults.contrast;
        const [before = 0, queen = 0] = [{}, { inputs }].map((given) => computed(fovea, ID, 'probability', given)[3]);
        const distances = [1 / 3, 1 / 2, 2 / 3].map((x) => Math.abs(x - queen));
        return {
          right: distances.indexOf(Math.min(...distances)),
          shown: fill(texts.one_queen_less.shown, { queen: show(queen), before: show(before) }),
        };
      },
    },
  ],
} satisfies Lesson;
