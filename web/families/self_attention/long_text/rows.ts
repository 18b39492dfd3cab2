import type { Fovea } from 'fovea';
import { pattern, type Pattern } from 'fovea/pattern';
import type { Projected } from './embedding.ts';

export const MASK_NAMES = ['all', 'before', 'window', 'strided', 'longformer', 'bigBird'] as const;
/** The words that a word attends to. */
export type MaskName = (typeof MASK_NAMES)[number];

/** Words before and after that the window has. */
export const REACH = 16;
const BLOCK = 16;

/** Weights of a few queries at a time: [to − from, tokens]. Never those of all queries as one array. */
export type ReadRows = (from: number, to: number) => Float32Array;

/** Rows of dense attention are computed when they are asked for; a sparse pattern has its kept pairs alone, as lists, computed once. */
export function rowsOf(fovea: Fovea, { q, k, width, tokens }: Projected, seen: MaskName): ReadRows {
  const keys = { data: k, shape: [tokens, width] };
  const values = { data: new Float32Array(tokens), shape: [tokens, 1] };
  const rules = rulesOf(seen, tokens);
  const sparse = patternOf(rules);
  if (!sparse) {
    const options = 'options' in rules ? rules.options : {};
    return (from, to) => {
      const queries = { data: q.slice(from * width, to * width), shape: [to - from, width] };
      const { weights } = fovea.attention(queries, keys, values, { ...options, causalOffset: from, returnWeights: true });
      return weights.data as Float32Array;
    };
  }
  const { weights } = fovea.attention({ data: q, shape: [tokens, width] }, keys, values, {
    pattern: sparse,
    returnWeights: 'sparse',
  });
  const { indptr, indices, values: kept } = weights;
  return (from, to) => {
    const rows = new Float32Array((to - from) * tokens);
    for (let i = from; i < to; i++)
      for (let at = indptr[i]!; at < indptr[i + 1]!; at++) rows[(i - from) * tokens + indices[at]!] = kept[at]!;
    return rows;
  };
}

/** Each choice as attention takes it: its own options, or a pattern by the name of its function and its argument. */
const RULES: Readonly<Record<MaskName, (tokens: number) => Rules>> = {
  all: () => ({ options: {} }),
  before: () => ({ options: { causal: true } }),
  window: () => ({ options: { window: [REACH, REACH] } }),
  strided: (tokens) => ({ name: 'strided', argument: Math.max(1, Math.round(Math.sqrt(tokens))) }),
  longformer: () => ({ name: 'longformer', argument: { window: 2 * REACH, globalTokens: [0] } }),
  bigBird: () => ({ name: 'bigBird', argument: { block: BLOCK, window: 3, global: 1, random: 1, seed: 1 } }),
};
type Rules =
  | { readonly options: { readonly causal?: boolean; readonly window?: readonly [number, number] } }
  | { readonly name: 'strided' | 'longformer' | 'bigBird'; readonly argument: unknown };

export const rulesOf = (seen: MaskName, tokens: number): Rules => RULES[seen](tokens);

/** Null where the rows' own options say which words are seen. */
function patternOf(rules: Rules): Pattern | null {
  if (!('name' in rules)) return null;
  const make = pattern[rules.name] as (argument: unknown) => Pattern;
  return make(rules.argument);
}

/** How many pairs are kept. */
export function pairsOf(fovea: Fovea, tokens: number, seen: MaskName): number {
  const sparse = patternOf(rulesOf(seen, tokens));
  if (sparse) return sparse.pairs(fovea, { queries: tokens, keys: tokens }).indices.length;
  if (seen === 'all') return tokens * tokens;
  const before = (tokens * (tokens + 1)) / 2;
  if (seen === 'before') return before;
  // Both sides without the pairs that lie farther away than the window reaches.
  const far = Math.max(0, tokens - REACH - 1);
  return tokens * tokens - far * (far + 1);
}

/** The `count` keys with the largest weights, in the order of the text; of equal ones the nearest. */
export function strongestOf(weights: Float32Array, query: number, count: number): number[] {
  const best: number[] = [];
  const isBefore = (a: number, b: number): boolean =>
    weights[a]! > weights[b]! || (weights[a] === weights[b] && Math.abs(a - query) < Math.abs(b - query));
  weights.forEach((x, key) => {
    if (x === 0) return;
    let place = best.length;
    while (place > 0 && isBefore(key, best[place - 1]!)) place--;
    best.splice(place, 0, key);
    if (best.length > count) best.pop();
  });
  return best.sort((a, b) => a - b);
}
