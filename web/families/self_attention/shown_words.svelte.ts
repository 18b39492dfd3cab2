import type { CatalogResult } from 'fovea/catalog';
import { run } from 'fovea/catalog';
import type { Localized } from '../../shell/localized.ts';
import { local, settings } from '../../shell/settings.svelte.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';
import type { Words } from './maps.ts';
import { wordsOf } from './maps.ts';
import type { Reading } from './sentences.ts';
import { reading, wordsOfReading } from './sentences.ts';

/** The words of a transformer, by their ids. */
export const VOCABULARY: Localized<readonly string[]> = {
  en: ['⟨start⟩', 'cats', 'chase', 'mice', '.'],
  zh: ['（开始）', '猫', '追', '老鼠', '。'],
};
/** Words written in English: on the Chinese page each word has the reader's beside it. */
export const WRITTEN: Localized<readonly string[]> = {
  en: VOCABULARY.en,
  zh: ['（开始）', 'cats（猫）', 'chase（追）', 'mice（老鼠）', '.'],
};

export interface ShownWords extends Words {
  /** Words that a decoder's queries read besides their own text. */
  readonly source: readonly string[];
}

/** Which sentence a set of inputs was made of. */
const readings = new WeakMap<object, Reading>();
export const DEFAULT_READING: Reading = { prey: 'mouse', last: 'hungry', layers: 1 };

export function readingOf({ inputs }: Mechanism): Reading {
  return readings.get(inputs['X'] as object) ?? DEFAULT_READING;
}

/** Puts another sentence, or the second layer, before the mechanism. */
export function read(mechanism: Mechanism, chosen: Reading): void {
  const { prey, last, layers } = DEFAULT_READING;
  if (chosen.prey === prey && chosen.last === last && chosen.layers === layers) return mechanism.reset();
  const { inputs, params } = reading(mechanism.fovea, chosen, settings.language);
  readings.set(inputs['X'] as object, chosen);
  mechanism.change('inputs', inputs);
  mechanism.change('params', params, { presetBySwitch: true });
}

const ids = (list: unknown): number[] => [...(list as Iterable<number>)];
const named = (list: unknown, words: Localized<readonly string[]>): string[] => ids(list).map((id) => local(words)[id] ?? '');

/** The words of what the mechanism reads now. */
export function shownWords(mechanism: Mechanism): ShownWords {
  const { entry, inputs } = mechanism;
  if (entry.id === 'self_attention') {
    const words = wordsOfReading(readingOf(mechanism), settings.language);
    return { queries: words, keys: words, source: words };
  }
  if (entry.id === 'transformer') {
    const [source, queries] = [inputs['source'], inputs['target']].map((text) => named(text, VOCABULARY)) as [
      string[],
      string[],
    ];
    return { queries, keys: queries, source };
  }
  if (entry.id === 'transformer_generate') {
    // Its source names the whole vocabulary in order.
    const names = mechanism.sample.labels['source']?.[0] ?? [];
    const source = ids(inputs['source']).map((id) => names[id] ?? '');
    return { queries: source, keys: source, source };
  }
  const words = wordsOf(mechanism.sample);
  return { ...words, source: words.keys };
}

/** The decoder's run that wrote the words that are there: those weights, run over the whole text at once. */
export function writing({ fovea, result, inputs, params, options }: Mechanism): { words: string[]; run: CatalogResult } | null {
  if (!result) return null;
  const generated = ids((result['generated'] as { data: Iterable<number> }).data);
  const { heads, normFirst, scaleEmbedding, positions } = options;
  const target = [0, ...generated.slice(0, -1)];
  const plain = { heads, normFirst, scaleEmbedding, ...(positions === undefined ? {} : { positions }) };
  return {
    words: named(generated, WRITTEN),
    run: run(fovea, 'transformer', { source: inputs['source'], target }, params, plain),
  };
}
