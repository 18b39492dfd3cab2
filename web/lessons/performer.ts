import { approximation } from 'fovea/linear-attention';
import * as texts from '../../build/generated/texts/performer.ts';
import { choicesOf, fill } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const DRAWS = 20;
const [FEW, MANY] = [64, 256];
const WORDS = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]; // prettier-ignore

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace) => {
    const find = (name: string) => trace.find((stage) => stage.name === name);
    const [exact, weights] = [find('exactWeights')?.data, find('weights')?.data];
    const errors = Array.from(weights ?? [], (weight, n) => Math.abs(weight - (exact?.[n] ?? 0)));
    const [largest, mean] = [Math.max(...errors), errors.reduce((sum, x) => sum + x, 0) / errors.length];
    const first = weights?.[0] ?? NaN;
    const features = find('queryFeatures')?.shape.at(-1) ?? 0;
    return fill(texts.live, { features, largest: show(largest), mean: show(mean), first: show(first) });
  },
  contrast: {
    id: 'linear',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'four_times_the_features',
      question: texts.four_times_the_features.question,
      choices: choicesOf(texts.four_times_the_features),
      reveal: (fovea) => {
        const [few, many] = [FEW, MANY].map((features) => {
          const errors = Array.from({ length: DRAWS }, (_, seed) => {
            const linear = { featureMap: 'favor+', features, seed } as const;
            return approximation(fovea, WORDS, WORDS, WORDS, { linear }).relativeFrobenius;
          });
          return errors.reduce((sum, x) => sum + x, 0) / DRAWS;
        }) as [number, number];
        const ratio = many / few;
        return {
          right: ratio > 0.35 ? 0 : ratio > 0.12 ? 1 : 2,
          shown: fill(texts.four_times_the_features.shown, {
            draws: DRAWS,
            few: show(few),
            many: show(many),
            ratio: show(ratio, 2),
          }),
        };
      },
    },
  ],
} satisfies Lesson;
