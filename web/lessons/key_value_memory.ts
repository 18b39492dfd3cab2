import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/key_value_memory.ts';
import type { Language } from '../shell/localized.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const ID = 'key_value_memory';
const { samples } = entries().find(({ id }) => id === ID)!;
const answersIn = (language: Language): readonly string[] => samples[language].labels['candidates']![0]!;
/** London. */
const RIGHT = 3;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const [one, two] = [Math.max(...rowOf(trace, 'weights', 0)), Math.max(...rowOf(trace, 'weights', 1))];
    const probability = rowOf(trace, 'probability');
    const answer = answersIn(language)[probability.indexOf(Math.max(...probability))] ?? '';
    return fill(texts.live, { one: show(one, 4), two: show(two, 4), answer });
  },
  contrast: {
    id: 'memory_network',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'tied_memory',
      question: texts.tied_memory.question,
      choices: choicesOf(texts.tied_memory),
      reveal: (fovea) => {
        const { contrast } = samples.en;
        const probability = rowOf(run(fovea, ID, contrast.inputs, contrast.params, contrast.options).trace, 'probability');
        const shown = list(probability);
        const most = Math.max(...probability);
        return {
          right: most < 0.5 ? 1 : probability.indexOf(most) === RIGHT ? 0 : 2,
          shown: fill(texts.tied_memory.shown, { probabilities: shown }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
