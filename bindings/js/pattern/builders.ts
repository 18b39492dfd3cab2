/** `pattern`: what makes Patterns, and what each of them is. p is the position of a query, j that of a key. */
import { build, leaves, parse } from './leaves.ts';
import { makeLshPattern, type LshPattern } from './lsh.ts';
import { byHead } from './nodes.ts';
import { makePattern, nodeOf, type Pattern } from './pattern.ts';
import type {
  AxialOptions,
  BigBirdOptions,
  GraphOptions,
  LongformerOptions,
  LshOptions,
  NeighborsOptions,
  PairFunction,
  Positions,
  RandomOptions,
} from './types.ts';
import { describe, fail } from '../errors/errors.ts';
import { isList, readEntries } from '../errors/options.ts';
import type { NestedBooleans } from '../tensor/array_types.ts';

/**
 * All throw AttentionError `value` for wrong numbers, `shape` for arrays of wrong sizes, `option` for wrong options, at once.
 * Patterns that have a size of their own (blockDiagonal, axial, neighbors2d, graph, fromMask, a bound lsh) are a `shape` error
 * in a call of another: its keys are as many, and its positions lie within.
 */
export interface PatternBuilders {
  /** Every pair. */
  all(): Pattern;
  /** j ≤ p. */
  causal(): Pattern;
  /** p - left ≤ j ≤ p + right, inclusive; -1 = unbounded on that side. Longformer's and others' sliding window. */
  window(left: number, right: number): Pattern;
  /** `window` by the name that speech recognizers give it: truncated self-attention (arXiv:1910.12977). */
  truncated(left: number, right: number): Pattern;
  /** `window(k, k)`. */
  local(k: number): Pattern;
  /** Every k-th key: p - j is divisible by k. */
  atrous(k: number): Pattern;
  /** Blocks of `size` positions, from position 0: keys of the query's own. */
  block(size: number): Pattern;
  /** Sequences packed one after another: keys of the query's own. */
  blockDiagonal(lengths: Positions): Pattern;
  /** Positions that see all keys and that all queries see. In any order, repeats count once; those beyond the sequence are ignored. */
  globalTokens(indices: Positions): Pattern;
  /**
   * For each head and each block of queries, `perQuery` blocks of keys drawn without repeats; the same for the same seed, on
   * every machine. All keys where there are no more blocks.
   */
  random(options: RandomOptions): Pattern;
  /** Tokens of a grid, row-major: keys on the query's line along one axis (axial attention, arXiv:1912.12180). */
  axial(options: AxialOptions): Pattern;
  /** Tokens of an image, row-major, behind `prefixTokens` others: keys at most `radius` rows and columns away. */
  neighbors2d(options: NeighborsOptions): Pattern;
  /** Sparse Transformer, fixed: `(block(stride) or the last c of every stride keys) and causal` (arXiv:1904.10509 §4.2). */
  fixed(stride: number, c: number): Pattern;
  /** Sparse Transformer, strided: `(window(stride, 0) or atrous(stride)) and causal` (arXiv:1904.10509 §4.2). */
  strided(stride: number): Pattern;
  /** Longformer: half of `window` on each side, `dilation` apart, and global tokens (arXiv:2004.05150 §3.1). */
  longformer(options: LongformerOptions): Pattern;
  /** BigBird in blocks, ITC: a sliding window, global blocks at the beginning, random blocks (arXiv:2007.14062 §2). */
  bigBird(options?: BigBirdOptions): Pattern;
  /**
   * Edges from queries to keys. In any order; an edge given twice counts once, but with a bias it is a `value` error. Without
   * `indptr`, queries beyond the last edge have no keys.
   */
  graph(options: GraphOptions): Pattern;
  /** Tokens that hash alike (Reformer, arXiv:2001.04451 §2). `bind` it to queries and keys before use. */
  lsh(options: LshOptions): LshPattern;
  /** A mask's pairs: nested booleans or a Uint8Array, [Tq, Tk], [H, Tq, Tk] or [B, H, Tq, Tk]. Its rows are positions. */
  fromMask(
    mask: NestedBooleans | { readonly data: Uint8Array | readonly boolean[]; readonly shape: readonly number[] },
  ): Pattern;
  /**
   * The pairs for which `f(i, j, h, b)` is true; i is the position of the query, not below 0. It is asked when the pattern is
   * used, about every pair of the call: a function of one or two arguments for all heads and batch entries at once, one of three
   * for each head, others for each batch entry and head. The answers of the last sizes are kept: it must not change its mind.
   */
  fromFunction(f: PairFunction): Pattern;
  /** One pattern for each query head; a call with another number of heads is a `shape` error. */
  perHead(patterns: readonly Pattern[]): Pattern;
  /**
   * The pattern that `toJSON` has told.
   *
   * @example
   * import { pattern } from 'fovea/pattern';
   * const text = JSON.stringify(pattern.window(2, 2).not());
   * const again = pattern.from(JSON.parse(text)); // not window(2, 2)
   */
  from(json: unknown): Pattern;
}

/**
 * The functions that make Patterns.
 *
 * @example
 * import { pattern } from 'fovea/pattern';
 * const p = pattern.window(1, 1).or(pattern.atrous(4)).and(pattern.causal());
 * const text = p.describe(); // (window(1, 1) or atrous(4)) and causal
 * const { data } = p.toMask(fovea, { queries: 2, keys: 2 }); // Uint8Array [1, 0, 1, 1]
 */
export const pattern: PatternBuilders = Object.freeze({
  ...leaves(makePattern),
  lsh: (options: LshOptions) => makeLshPattern(build('lsh', [options])),
  perHead,
  from: (json: unknown) => {
    const node = parse(json);
    return node.json[0] === 'lsh' ? makeLshPattern(node) : makePattern(node);
  },
});

function perHead(patterns: readonly Pattern[]): Pattern {
  const fn = 'pattern.perHead';
  if (!isList(patterns) || patterns.length === 0)
    fail('value', fn, `patterns must be an array with one Pattern per query head, got ${describe(patterns)}`);
  return makePattern(byHead(readEntries(fn, 'patterns', patterns, (one, h) => nodeOf(fn, `patterns[${h}]`, one))));
}
