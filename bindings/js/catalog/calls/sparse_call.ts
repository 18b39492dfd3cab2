/** Calls with a pattern: a text attends to itself, and with scale 0 all keys that the pattern keeps weigh the same. */
import type { AttentionOptions } from '../../attention/types/index.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import type { Pattern } from '../../pattern/index.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { Complexity, OtherWords } from '../entry/entry.ts';
import { readableWords } from '../samples/words.ts';
import { without } from './attention_call.ts';

export const words = ['the', 'cat', 'saw', 'the', 'dog', 'and', 'the', 'bird', 'sang'];
/** `chineseLabels` of the entries that read these words. */
export const inChinese = { the: '那', cat: '猫', saw: '看见', dog: '狗', and: '，', bird: '鸟', sang: '叫了' };
export const T = words.length;
const { inputs, labels, sizes } = sampleOf(words);
export const sample = { inputs, labels };

/** A text that attends to itself: each distinct word is an axis. */
export function sampleOf(words: readonly string[]) {
  const { vectors, axes } = readableWords(words);
  return {
    inputs: { x: vectors },
    labels: { x: [words, axes] },
    sizes: { T: words.length, D: axes.length, Dv: axes.length },
  } satisfies OtherWords;
}

/** Self-attention over the pattern that `choose` makes of the options; those named in `own` are not options of attention. */
export function attendOver<Own extends object>(choose: (options: Own) => Pattern, ...own: readonly (keyof Own & string)[]) {
  return (fovea: Fovea, { x }: { x: ArrayInput }, _params: object, options: Own): object =>
    fovea.attention(x, x, x, { pattern: choose(options), returnWeights: true, ...without(options, own) } as AttentionOptions);
}

/** Work of T tokens D wide with as many pairs as `pairs` says. */
export function sparseWork(own: Readonly<Record<string, number>>, pairs: Complexity['pairs']): Complexity {
  return {
    letters: ['T', ...Object.keys(own), 'D', 'Dv'],
    sizes: { T, ...own, D: sizes.D, Dv: sizes.Dv },
    pairs,
    multiplyAdds: (sizes) => pairs(sizes) * (sizes['D']! + sizes['Dv']!),
  };
}

/** A row of weights: the same for each of some keys, 0 elsewhere. */
export function sharedBy(keys: readonly number[]): number[] {
  return words.map((_, j) => (keys.includes(j) ? 1 / keys.length : 0));
}

export const sumOver = (count: number, term: (n: number) => number): number =>
  Array.from({ length: count }, (_, n) => term(n)).reduce((a, b) => a + b, 0);
