import { type CatalogEntry, type Defaults, type HasFeature } from 'fovea/catalog';
import type { Localized } from '../shell/localized.ts';
import { readWords, type OwnText } from '../text/own_text.ts';
import { featuresOf, isPunctuation, type Feature } from '../text/words.ts';

/** A mechanism's sample with the words of a visitor's text. */
export interface OwnWords {
  readonly own: OwnText;
  readonly words: readonly string[];
  /** Words of the whole text. */
  readonly total: number;
  /** Null where the text has no words. */
  readonly samples: Localized<Defaults> | null;
  /** Words whose features were asked for and are not in the list. */
  readonly unlisted: readonly string[];
}

export function ownWords({ sampleOf }: CatalogEntry, own: OwnText): OwnWords {
  const { tokens: words, total } = readWords(own);
  const asked = new Set<string>();
  const has: HasFeature = (word, feature) => {
    asked.add(word);
    return featuresOf(word)?.has(feature as Feature) ?? false;
  };
  const samples = sampleOf && words.length > 0 ? sampleOf(words, has) : null;
  const unlisted = [...asked].filter((word) => !featuresOf(word) && !isPunctuation(word));
  return { own, words, total, samples, unlisted };
}
