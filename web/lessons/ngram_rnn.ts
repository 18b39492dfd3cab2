import { run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/ngram_rnn.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'ngram_rnn';
const [ON, THE] = [3, 0];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const row = rowOf(trace, 'hStar', ON);
    const [on = 0, sat = 0, cat = 0] = [row[3], row[2], row[1]];
    return fill(texts.live, { on: show(on), sat: show(sat), cat: show(cat), the: show(row[THE] ?? 0) });
  },
  contrast: {
    id: 'key_value_predict',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'fourth_word',
      covers: ['live', 'outputs', 'stages'],
      question: texts.fourth_word.question,
      choices: choicesOf(texts.fourth_word),
      reveal: (fovea) => {
        const row = rowOf(run(fovea, ID).trace, 'hStar', ON);
        const [the = 0, cat = 0] = row;
        return {
          right: the === 0 ? 0 : the < 0.75 * cat ? 1 : 2,
          shown: fill(texts.fourth_word.shown, { the: show(the), cat: show(cat) }),
        };
      },
    },
  ],
} satisfies Lesson;
