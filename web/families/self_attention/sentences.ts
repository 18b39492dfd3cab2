import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { add } from 'fovea/ops';
import type { Json } from '../../shell/kept.svelte.ts';
import type { Language, Localized } from '../../shell/localized.ts';

/**
 * The sentence of self-attention with other words, and read by a second layer. All matrices are written by hand over axes that can be
 * read: one for each word, then pronoun, animate, one for each place, and the four that the first layer writes.
 */

export type LastWord = 'hungry' | 'afraid';
export type Prey = 'mouse' | 'ball';

export interface Reading {
  readonly prey: Prey;
  readonly last: LastWord;
  readonly layers: 1 | 2;
}

interface Sentence {
  /** The words of the catalog. */
  readonly words: readonly string[];
  readonly cat: string;
  readonly chases: string;
  readonly it: string;
  readonly prey: Readonly<Record<Prey, string>>;
  readonly last: Readonly<Record<LastWord, string>>;
  /** How many words after it each finds the word that the first layer looks for. */
  readonly away: { readonly verbOfChaser: number; readonly verbOfChased: number; readonly stateOfPronoun: number };
}

const SENTENCES: Localized<Sentence> = {
  en: {
    words: 'the cat chased the mouse because it was hungry'.split(' '),
    cat: 'cat',
    chases: 'chased',
    it: 'it',
    prey: { mouse: 'mouse', ball: 'ball' },
    last: { hungry: 'hungry', afraid: 'afraid' },
    away: { verbOfChaser: 1, verbOfChased: -2, stateOfPronoun: 2 },
  },
  zh: {
    words: ['猫', '追', '老鼠', '，', '因为', '它', '饿', '了'],
    cat: '猫',
    chases: '追',
    it: '它',
    prey: { mouse: '老鼠', ball: '球' },
    last: { hungry: '饿', afraid: '怕' },
    away: { verbOfChaser: 1, verbOfChased: -1, stateOfPronoun: 1 },
  },
};

/** The words that the visitor may exchange, in the language of the page. */
export const choicesOf = (language: Language): Pick<Sentence, 'prey' | 'last'> => SENTENCES[language];

/** Links once had the Chinese words. */
const [PREY, LAST] = [SENTENCES.zh.prey, SENTENCES.zh.last];

export function readReading(json: Json): Reading | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { layers, ...words } = json as Record<string, Json>;
  const prey = (['mouse', 'ball'] as const).find((one) => one === words['prey'] || PREY[one] === words['prey']);
  const last = (['hungry', 'afraid'] as const).find((one) => one === words['last'] || LAST[one] === words['last']);
  return prey && last && (layers === 1 || layers === 2) ? { prey, last, layers } : undefined;
}

export function wordsOfReading({ prey, last }: Reading, language: Language): string[] {
  const { words, prey: preys, last: lasts } = SENTENCES[language];
  return words.map((word) => (word === preys.mouse ? preys[prey] : word === lasts.hungry ? lasts[last] : word));
}

type Entry = readonly [row: number, col: number, value: number];

function matrix(rows: number, cols: number, entries: readonly Entry[]): number[][] {
  const result = Array.from({ length: rows }, () => new Array<number>(cols).fill(0));
  for (const [row, col, value] of entries) result[row]![col] = value;
  return result;
}

/** Inputs and params of the layer that is looked at. The first layer's output, which the second reads, comes from the package. */
export function reading(
  fovea: Fovea,
  chosen: Reading,
  language: Language,
): { readonly inputs: Arguments; readonly params: Arguments } {
  const { cat, it, prey } = SENTENCES[language];
  const words = wordsOfReading(chosen, language);
  const distinct = [...new Set(words)];
  const n = distinct.length;
  const [pronoun, animate, places] = [n, n + 1, n + 2];
  const [chases, chased, seeksChaser, seeksChased] = [0, 1, 2, 3].map((i) => places + words.length + i) as [
    number,
    number,
    number,
    number,
  ];
  const width = places + words.length + 4;
  const X = words.map((word, place) => {
    const vector = new Array<number>(width).fill(0);
    vector[distinct.indexOf(word)] = 1;
    if (word === it) vector[pronoun] = 1;
    if (word === cat || word === prey.mouse) vector[animate] = 1;
    vector[places + place] = 1;
    return vector;
  });
  const asked = n + 3;
  const own = distinct.flatMap((word, i): Entry[] => (word === it ? [] : [[i, i, 8]]));
  const params = {
    Wq: matrix(width, asked, [...own, [pronoun, n, 8], [seeksChaser, n + 1, 8], [seeksChased, n + 2, 8]]),
    Wk: matrix(width, asked, [
      ...distinct.map((_, i): Entry => [i, i, 1]),
      [animate, n, 1],
      [chases, n + 1, 1],
      [chased, n + 2, 1],
    ]),
    Wv: matrix(width, n, distinct.map((_, i): Entry => [i, i, 1])), // prettier-ignore
  };
  if (chosen.layers === 1) return { inputs: { X }, params };
  return { inputs: { X: add(fovea, X, neighbors(fovea, X, chosen, language)) }, params };
}

/**
 * Layer 1: three heads look a fixed number of words away, and write what they find there: of the verb, who chases, and who is chased; of
 * the last word, whom the pronoun seeks: "hungry" the one who chases, "afraid" the one who is chased.
 */
function neighbors(fovea: Fovea, X: readonly number[][], chosen: Reading, language: Language) {
  const { chases, last, away } = SENTENCES[language];
  const words = wordsOfReading(chosen, language);
  const distinct = [...new Set(words)];
  const [n, width, places] = [words.length, X[0]!.length, distinct.length + 2];
  const at = (place: number): number => Math.max(0, Math.min(n - 1, place));
  const [verb, state] = [distinct.indexOf(chases), distinct.indexOf(last[chosen.last])];
  const [isChaser, isChased, seeks] = [places + n, places + n + 1, places + n + (chosen.last === 'hungry' ? 2 : 3)];
  const heads = [away.verbOfChaser, away.verbOfChased, away.stateOfPronoun];
  const params = {
    Wq: matrix(width, 3 * n, heads.flatMap((distance, head) =>
      words.map((_, i): Entry => [places + i, head * n + at(i + distance), 20]))), // prettier-ignore
    Wk: matrix(width, 3 * n, heads.flatMap((_, head) => words.map((_, i): Entry => [places + i, head * n + i, 1]))), // prettier-ignore
    Wv: matrix(width, 3, [
      [verb, 0, 1],
      [verb, 1, 1],
      [state, 2, 1],
    ]),
    Wo: matrix(3, width, [
      [0, isChaser, 1],
      [1, isChased, 1],
      [2, seeks, 1],
    ]),
  };
  return fovea.multiHeadAttention(X, X, X, params, { heads: 3, scale: 1 }).output;
}
