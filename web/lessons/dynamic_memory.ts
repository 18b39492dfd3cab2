import { list as entries, run } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/dynamic_memory.ts';
import type { Language } from '../shell/localized.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const ID = 'dynamic_memory';
const sampleIn = (language: Language) => entries().find(({ id }) => id === ID)!.samples[language];

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const first = Math.max(...rowOf(trace, 'gates', 0));
    const probability = rowOf(trace, 'probability');
    const answer = sampleIn(language).labels['embedding']![0]![probability.indexOf(Math.max(...probability))] ?? '';
    return fill(texts.live, { first: show(first), answer });
  },
  contrast: {
    id: 'memory_network',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'gates_sum',
      question: texts.gates_sum.question,
      choices: choicesOf(texts.gates_sum),
      reveal: (fovea, language) => {
        const { inputs, params, options } = sampleIn(language);
        const gates = rowOf(run(fovea, ID, inputs, params, options).trace, 'gates', 1);
        const [kitchen = 0, bedroom = 0] = [gates[1], gates[3]];
        const shown = list([kitchen, bedroom]);
        return {
          right: kitchen > 0.9 && bedroom > 0.9 ? 1 : kitchen < 0.1 && bedroom > 0.9 ? 2 : 0,
          shown: fill(texts.gates_sum.shown, { gates: shown }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
