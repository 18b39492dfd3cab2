import * as texts from '../../build/generated/texts/self_attention.ts';
import { two, valueAt } from '../stages/read_trace.ts';
import { choicesOf, fill, type Localized } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

const changed = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, i) => Math.abs(x - (b[i] ?? 0))));

/** Positions of the pronoun, the cat and what is chased, in the sentence of each language. */
const places: Localized<readonly [number, number, number]> = { en: [6, 1, 4], zh: [5, 0, 2] };

export default {
  question: texts.question,
  doThis: texts.doThis,
  live: (trace, language) => {
    const [it, cat, prey] = places[language];
    const [onCat, onPrey] = [cat, prey].map((key) => two(valueAt(trace, 'weights', [it, key])));
    return fill(texts.live, { onCat: onCat!, onPrey: onPrey! });
  },
  contrast: {
    id: 'multi_head',
    text: texts.contrast,
  },
  history: texts.history,
  predictions: [
    {
      id: 'swap_two_words',
      question: texts.swap_two_words.question,
      choices: choicesOf(texts.swap_two_words),
      reveal: (fovea) => {
        const words = [0, 1, 2, 3, 4].map((word) => [0, 1, 2, 3, 4].map((axis) => Math.sin(word * 5 + axis)));
        const W = [0, 1, 2, 3, 4].map((row) => [0, 1, 2].map((col) => Math.cos(row * 3 + col)));
        const params = { Wq: W, Wk: [...W].reverse(), Wv: W };
        const swapped = words.map((word, i) => words[[3, 1, 2, 0, 4][i]!] ?? word);
        const before = fovea.selfAttention(words, params).output.data;
        const after = fovea.selfAttention(swapped, params).output.data;
        const moved = [3, 1, 2, 0, 4].flatMap((from) => [...before.slice(3 * from, 3 * from + 3)]);
        const apart = changed(after, moved);
        const size = apart < 1e-5 ? 1 : 0;
        return {
          right: size,
          shown: fill(texts.swap_two_words.shown, { apart: apart.toExponential(0) }),
        };
      },
    },
    {
      id: 'twice_the_words',
      question: texts.twice_the_words.question,
      choices: choicesOf(texts.twice_the_words),
      reveal: (fovea) => {
        const scores = (n: number): number => {
          const X = Array.from({ length: n }, (_, i) => [i % 3, 1]);
          const I = [
            [1, 0],
            [0, 1],
          ];
          return fovea.selfAttention(X, { Wq: I, Wk: I, Wv: I }, { returnWeights: true }).weights.data.length;
        };
        const [few, many] = [scores(8), scores(16)];
        return {
          right: [2, 4, 8].indexOf(many / few),
          shown: fill(texts.twice_the_words.shown, { few, many }),
        };
      },
    },
  ],
  textbook: [
    ...[texts.textbook1, texts.textbook2, texts.textbook3, texts.textbook4],
    ...[texts.textbook5, texts.textbook6, texts.textbook7, texts.textbook8],
  ],
} satisfies Lesson;
