/** The sample of an entry with other words: their check, the features that they have, and the labels in both languages. */
import { describe, fail } from '../../errors/errors.ts';
import { isFunction, isList, readEntries } from '../../errors/options.ts';
import { isListed } from '../samples/words.ts';
import type { Defaults, EntryFile, HasFeature, SampleOf } from './entry.ts';
import { withChineseLabels } from './labels.ts';

/** Vectors of words are as wide as the text is long: a hundred thousand words would fill the memory. */
const MOST_WORDS = 256;

/** `sizes` and `chineseLabels` are those of the entry. */
export function sampleOfWords(
  defaults: Defaults,
  sizes: Readonly<Record<string, number>>,
  chineseLabels: Readonly<Record<string, string>> | undefined,
  make: NonNullable<EntryFile['sampleOf']>,
): SampleOf {
  return (given, has = isListed) => {
    const words = readWords(given);
    if (!isFunction(has)) fail('option', 'sampleOf', `has must be a function, got ${describe(has)}`);
    const known: HasFeature = (word, feature) => isListed(word, feature) || has(word, feature);
    const { chineseLabels: ofLabels, ...other } = make(words, known);
    const sample = { ...defaults, ...other, sizes: { ...sizes, ...other.sizes } };
    const own = Object.fromEntries(words.map((word) => [word, word]));
    return { en: sample, zh: withChineseLabels(sample, { ...chineseLabels, ...ofLabels, ...own }) };
  };
}

function readWords(given: unknown): readonly string[] {
  if (!isList(given) || given.length === 0) fail('value', 'sampleOf', `words must be a list of words, got ${describe(given)}`);
  if (given.length > MOST_WORDS) fail('value', 'sampleOf', `words must be at most ${MOST_WORDS}, got ${given.length}`);
  return readEntries('sampleOf', 'words', given, (word, n) => {
    if (typeof word !== 'string' || word === '') fail('value', 'sampleOf', `word ${n} must be a text, got ${describe(word)}`);
    return word;
  });
}
