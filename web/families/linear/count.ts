import type { Fovea } from 'fovea';
import type { CatalogEntry } from 'fovea/catalog';
import { xformerCost } from 'fovea/mechanisms';

/** Multiplications and numbers kept, of all pairs and of a mechanism of the family, for n words. */

export interface Count {
  readonly multiplications: number;
  /** Numbers that stand between the keys and the outputs: weights of pairs, or a state. */
  readonly kept: number;
}

/** Sizes that do not grow with the text, by the letters of the catalog. */
export type Sizes = Readonly<Record<string, number>>;

/** A usual width of a head. */
export const WIDTH = 64;
const TOKENS = ['T', 'Tq', 'Tk', 'N'];

/** The catalog's sizes with n tokens and vectors of the usual width; the others as they are chosen. */
export function sizesFor({ complexity: { letters, sizes } }: CatalogEntry, n: number, chosen: Sizes): Sizes {
  return Object.fromEntries(
    letters.map((letter) => [
      letter,
      TOKENS.includes(letter) ? n : (chosen[letter] ?? (/^[DC]/.test(letter) ? WIDTH : sizes[letter]!)),
    ]),
  );
}

export const countOf = (entry: CatalogEntry, sizes: Sizes): Count => ({
  multiplications: entry.complexity.multiplyAdds(sizes),
  kept: keptOf(entry.id, sizes),
});

/** Weights of all pairs; reading word by word, the keys and values of all words so far. */
export function pairsOf(fovea: Fovea, n: number, causal: boolean): Count {
  const { full } = xformerCost(fovea, {}, {}, { n, d: WIDTH, kinds: { full: { causal } } });
  return { multiplications: full.multiplyAdds, kept: causal ? 2 * n * WIDTH : full.pairs };
}

const KEPT: Readonly<Record<string, (sizes: Record<string, number>) => number>> = {
  linear: ({ D, Dv }) => D! * Dv! + D!,
  linear_rnn: ({ D, Dv }) => D! * Dv! + D!,
  delta_rule: ({ D, Dv }) => D! * Dv!,
  efficient_attention: ({ D, Dv }) => D! * Dv!,
  performer: ({ m, Dv }) => m! * Dv! + m!,
  linformer: ({ Tq, r, D, Dv }) => r! * (D! + Dv!) + Tq! * r!,
  em_attention: ({ N, K, C }) => K! * C! + N! * K!,
};

/** The state and its divisor; of mixtures and bases, they and the weights that they are given. */
export const keptOf = (id: string, sizes: Sizes): number => KEPT[id]?.({ ...sizes }) ?? NaN;
