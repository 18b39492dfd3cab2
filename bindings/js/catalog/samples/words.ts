/**
 * Word vectors that can be read: an axis for each distinct word, one for each feature that words have here, and, where asked, one
 * for each place.
 */

import type { HasFeature } from '../entry/entry.ts';

/** Features of the words of the defaults, in English and Chinese. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  noun: [...'cat dog mouse king queen man woman story film'.split(' '), '猫', '狗', '老鼠', '国王', '王后'],
  verb: [...'chases sees saw went was met'.split(' '), '追', '看', '去'],
  pronoun: [...'it he she they'.split(' '), '它', '他', '她'],
  animate: [...'cat dog mouse king queen man woman'.split(' '), '猫', '狗', '老鼠', '国王', '王后'],
  name: ['Mary', 'Tom', 'who'],
  function: [...'the a an of because and'.split(' '), '的', '了', '因为', '和'],
  place: ['home', 'garden', 'park', '家', '花园', '公园'],
  royal: [...'king queen'.split(' '), '国王', '王后'],
  male: [...'king man he'.split(' '), '国王', '他'],
  female: [...'queen woman she'.split(' '), '王后', '她'],
  positive: [...'good great lovely happy'.split(' '), '好', '棒', '开心'],
  negative: [...'bad dull awful sad'.split(' '), '坏', '差', '难过'],
};

/** The kinds that words of the defaults belong to. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  women: ['people'],
  men: ['people'],
  cats: ['animals'],
  dogs: ['animals'],
  女人: ['人'],
  男人: ['人'],
  猫: ['动物'],
  狗: ['动物'],
};

/** Words that differ in case or width alone are one word. */
export const normalForm = (word: string): string => word.normalize('NFKC').toLowerCase();

/** Whether a word has a feature in the list above. */
export const isListed: HasFeature = (word, feature) =>
  Object.hasOwn(FEATURES, feature) && FEATURES[feature]!.some((one) => normalForm(one) === normalForm(word));

/** Whether a text has Chinese characters: words that weights look for are then the Chinese ones. */
export const isChinese = (words: readonly string[]): boolean => words.some((word) => /\p{Script=Han}/u.test(word));

export interface ReadableWords {
  /** [T, axes]. */
  readonly vectors: readonly (readonly number[])[];
  /** The name of each axis: a word, a feature, or the number of a place. */
  readonly axes: readonly string[];
  /** The axes that are words. */
  readonly distinct: readonly string[];
  /** The axes by their names, to write matrices with. */
  readonly axis: Readonly<Record<string, number>>;
}

/** Vectors of words: `features` names those wanted, which `has` knows; `places` adds an axis for each place in the text. */
export function readableWords(
  words: readonly string[],
  features: readonly string[] = [],
  places = false,
  has: HasFeature = isListed,
): ReadableWords {
  const forms = words.map(normalForm);
  const distinct = words.filter((_, place) => forms.indexOf(forms[place]!) === place);
  const numbers = places ? words.map((_, place) => `#${place}`) : [];
  const axes = [...distinct, ...features, ...numbers];
  const vectors = words.map((word, place) => [
    ...distinct.map((one) => Number(normalForm(one) === forms[place])),
    ...features.map((feature) => Number(has(word, feature))),
    ...numbers.map((_, other) => Number(other === place)),
  ]);
  return { vectors, axes, distinct, axis: Object.fromEntries(axes.map((name, n) => [name, n])) };
}

/** Vectors [T, words] of words of a list: 1 for the word itself and for each kind that it belongs to. */
export function wordsWithKinds(words: readonly string[], list: readonly string[]): number[][] {
  return words.map((word) => {
    const form = normalForm(word);
    const kinds = Object.hasOwn(KINDS, form) ? KINDS[form]! : [];
    return list.map((one) => Number(normalForm(one) === form || kinds.includes(one)));
  });
}

/** The ids of words: their places in a vocabulary. */
export function idsOf(words: readonly string[], vocabulary: readonly string[]): number[] {
  const forms = vocabulary.map(normalForm);
  return words.map((word) => forms.indexOf(normalForm(word)));
}

/** Numbers as an array of one axis: a plain list could be read as a shape. */
export function vector(numbers: readonly number[]): { readonly data: readonly number[]; readonly shape: readonly [number] } {
  return { data: numbers, shape: [numbers.length] };
}

/** A matrix [rows, columns] of zeros but for the entries given as [row, column, value]. */
export function sparseMatrix(
  rows: number,
  columns: number,
  entries: readonly (readonly [number, number, number])[],
): number[][] {
  const matrix = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  for (const [row, column, value] of entries) matrix[row]![column] = value;
  return matrix;
}

/** The unit matrix, times a factor. */
export function identityMatrix(size: number, factor = 1): number[][] {
  return sparseMatrix(
    size,
    size,
    Array.from({ length: size }, (_, n) => [n, n, factor]),
  );
}
