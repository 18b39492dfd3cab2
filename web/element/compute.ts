/** The element's picture: the attributes read, and the weights that the package computes of them. */

import type { Fovea, SelfAttentionOptions, SparseWeights } from 'fovea';
import { pattern } from 'fovea/pattern';
import { bias, normalizer, score } from 'fovea/score';
import type { Figure } from '../figures/figure.ts';
import { extent, nested, zeros } from '../figures/matrix.ts';
import { head, HEADS, type HeadName } from '../text/named_heads.ts';
import { TOKEN_LIMIT, tokenize } from '../text/tokens.ts';
import { embed } from '../text/vectors.ts';
import { featuresOf } from '../text/words.ts';

/** The longest text that a permalink of the page takes. */
export const TEXT_LIMIT = 4000;

/** Options of one call of self-attention, by the catalog's id. Fixed numbers are said in the notes of texts/en/element.ftl. */
const MECHANISMS: Readonly<Record<string, () => SelfAttentionOptions>> = {
  self_attention: () => ({}),
  scaled_dot: () => ({}),
  dot: () => ({ score: score.dot() }),
  cosine: () => ({ score: score.cosine() }),
  relu: () => ({ normalizer: normalizer.relu() }),
  hard: () => ({ normalizer: normalizer.argmax() }),
  sparsemax: () => ({ normalizer: normalizer.sparsemax() }),
  entmax: () => ({ normalizer: normalizer.entmax15() }),
  top_k: () => ({ normalizer: normalizer.topK(2) }),
  alibi: () => ({ bias: bias.alibi([0.5]) }),
  local: () => ({ pattern: pattern.window(2, 2) }),
  atrous: () => ({ pattern: pattern.atrous(2) }),
  sparse_transformer: () => ({ pattern: pattern.strided(3) }),
  longformer: () => ({ pattern: pattern.longformer({ window: 2, globalTokens: [0] }) }),
  bigbird: () => ({ pattern: pattern.bigBird({ block: 1, window: 3, global: 1, random: 1, seed: 0 }) }),
};

export const mechanisms: readonly string[] = Object.keys(MECHANISMS);

/** "Top-k", "top_k" and "top-k" are one. */
export const idOf = (name: string): string => name.trim().toLowerCase().replaceAll('-', '_');

export type Tokens = { readonly tokens: readonly string[]; readonly total: number } | 'empty' | 'bad' | 'long';

/** A JSON list of words as it is, or a text that is split as the page splits it. */
export function readTokens(attribute: string): Tokens {
  if (attribute.length > TEXT_LIMIT) return 'long';
  if (!attribute.trimStart().startsWith('["')) {
    const split = tokenize(attribute, 'word');
    return split.total === 0 ? 'empty' : split;
  }
  let list: unknown;
  try {
    list = JSON.parse(attribute);
  } catch {
    return 'bad';
  }
  if (!Array.isArray(list) || !list.every((token) => typeof token === 'string' && token !== '')) return 'bad';
  return { tokens: (list as string[]).slice(0, TOKEN_LIMIT), total: list.length };
}

/** The head that was asked for; without one a sentence with a pronoun shows whom it may mean, any other its neighbors. */
export function readHead(attribute: string | null, tokens: readonly string[]): HeadName | undefined {
  if (attribute !== null && attribute !== '') return HEADS.find((name) => name === attribute);
  return tokens.some((token) => featuresOf(token)?.has('pronoun')) ? 'pronoun' : 'nearby';
}

/** The weights as a picture; pairs outside a pattern are masked. */
export function weightsOf(
  fovea: Fovea,
  id: string,
  tokens: readonly string[],
  name: HeadName,
  titles: { readonly query: string; readonly key: string },
): Figure {
  const { X, axes } = embed(tokens, true);
  const { q, k, v } = head(name, axes);
  const params = { Wq: nested(q.matrix), Wk: nested(k.matrix), Wv: nested(v.matrix) };
  const options = MECHANISMS[id]?.() ?? {};
  const n = tokens.length;
  const matrix = zeros(n, n);
  const masked = zeros(n, n);
  if (options.pattern) {
    const { weights } = fovea.selfAttention(nested(X), params, { ...options, returnWeights: 'sparse' });
    masked.data.fill(1);
    spread(weights, n, (at, value) => {
      matrix.data[at] = value;
      masked.data[at] = 0;
    });
  } else {
    matrix.data.set(fovea.selfAttention(nested(X), params, { ...options, returnWeights: 'dense' }).weights.data);
  }
  return {
    ...{ id: 'weights', letter: 'A', colors: 'weights', role: 'plain', provenance: 'designed', editable: false },
    ...{ matrix, masked, limit: extent(matrix) || 1 },
    rows: { title: titles.query, labels: tokens },
    cols: { title: titles.key, labels: tokens },
  };
}

function spread({ indptr, indices, values }: SparseWeights, n: number, put: (at: number, value: number) => void): void {
  for (let row = 0; row < n; row++)
    for (let i = indptr[row] ?? 0; i < (indptr[row + 1] ?? 0); i++) put(row * n + (indices[i] ?? 0), values[i] ?? 0);
}
