import { list as mechanisms } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/efficient_attention.ts';
import { choicesOf, fill, series, type Localized } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { column, computed, list, show } from './numbers.ts';

const HAS = 8;
/** A word's share of a topic that is not its own. */
const LITTLE = 0.05;

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const words = mechanisms().find(({ id }) => id === 'efficient_attention')?.samples[language].labels['k']?.[0] ?? [];
    const [positive, negative] = [0, 1].map((topic) =>
      series(
        column(trace, 'keyFeatures', topic).flatMap((share, n) => (share > LITTLE ? `${words[n]} ${show(share, 2)}` : [])),
      ),
    ) as [Localized, Localized];
    return fill(texts.live, { positive, negative });
  },
  contrast: {
    id: 'linear',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'third_word',
      question: texts.third_word.question,
      choices: choicesOf(texts.third_word),
      reveal: (fovea) => {
        const k = [[HAS, 0], [HAS, 0], [HAS, 0], [0, HAS], [0, 0], [0, 0]]; // prettier-ignore
        const shares = computed(fovea, 'efficient_attention', 'keyFeatures', { inputs: { q: [[HAS, 0]], k, v: k } }, column);
        const [, , third = NaN] = shares;
        const shown = list(shares.slice(0, 3));
        return {
          right: third > 0.4 ? 0 : third > 0.1 ? 1 : 2,
          shown: fill(texts.third_word.shown, { weights: shown }),
        };
      },
    },
  ],
  textbook: [texts.textbook1],
} satisfies Lesson;
