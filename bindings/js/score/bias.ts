/** Biases by name: what is added to the logits of attention by position, by edge or by pair. */
import { readOptions } from '../errors/options.ts';
import type { Biases, BiasSource } from '../attention/options/biases.ts';
import type { AttentionBias } from '../attention/types/entries.ts';
import { setInternals } from '../runtime/internals.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { addEdges, addFunction } from './pair_biases.ts';
import { addAlibi, addBuckets, addDirection, addDistance, addGaussian, addRelative } from './position_biases.ts';
import type { BiasFunction, BiasKind, BucketOptions, PerHead } from './types.ts';

type Reader<Args extends readonly unknown[]> = (to: Biases, ...args: Args) => void;

/**
 * A summand of the logits of a call: for the option `bias` of the attention functions. Made by the functions of `bias`. Its arrays
 * are read by each call that it is passed to, and checked against that call's sizes.
 */
export class Bias {
  readonly kind: BiasKind;

  /** @internal */
  constructor(kind: BiasKind, source: BiasSource) {
    this.kind = kind;
    setInternals(this, 'bias', source);
    Object.freeze(this);
  }
}

export interface Bias extends AttentionBias {}

function biasOf<Args extends readonly unknown[]>(kind: BiasKind, read: Reader<Args>, ...args: Args): Bias {
  return new Bias(kind, { kind, args, addTo: (biases) => read(biases, ...args) });
}

/**
 * p(i) = i + offset is the position of query i, j that of key j. A call takes each kind at most once, but for alibi, whose slopes add up.
 * A call that a bias is passed to throws AttentionError `shape`, `value` or `option` where it does not fit.
 */
export interface BiasBuilders {
  /** ALiBi (Press, Smith, Lewis 2022, arXiv:2108.12409 §3): -slope[h]·|p - j|; left out = the paper's slopes for the call's heads. */
  alibi(slopes?: 'default' | PerHead): Bias;
  /** -alpha·|p - j|, one alpha or one for each query head: the distance mask of Im & Cho 2017, arXiv:1712.02047. */
  distance(alpha: number | PerHead): Bias;
  /**
   * table[clip(j - p, -clip, clip) + clip].
   *
   * @param table [2·clip + 1], or [H, 2·clip + 1] for query heads of their own; finite.
   * @param clip in positions, 0 or more.
   */
  relative(table: ArrayInput, clip: number): Bias;
  /**
   * T5 (Raffel et al. 2020, arXiv:1910.10683 §2.1): table[bucket(j - p), h]. Near distances have a bucket each, farther ones share
   * buckets that widen with their logarithm, and all from maxDistance on the last: exactly T5's `_relative_position_bucket`.
   *
   * @param table [buckets, H], as T5's relative_attention_bias.weight; finite. At least 4 buckets, or 2 where not bidirectional.
   * @throws AttentionError `option` for unknown options.
   */
  t5(table: ArrayInput, options?: BucketOptions): Bias;
  /**
   * -(j - center)² / (2·sigma²), inside the softmax (Yang et al. 2018, arXiv:1810.10182 §3.1). In positions; sigma > 0. Numbers, or
   * arrays that broadcast to [B, H, Tq] as masks do to pairs.
   */
  gaussian(center: number | ArrayInput, sigma: number | ArrayInput): Bias;
  /** Forbids all but keys before the query, j < p ('forward'), or after it, j > p ('backward') (DiSAN: Shen et al. 2018, arXiv:1709.04696 §4.2). */
  direction(direction: 'forward' | 'backward'): Bias;
  /**
   * values[n] for edge n of the graph in the call's pattern, numbered as `pattern.graph` was given them. Other values over the same
   * Pattern object use what was compiled for it.
   *
   * @param values [E], or an array that broadcasts to [B, H, E]; finite.
   */
  edges(values: ArrayInput): Bias;
  /**
   * f(i, j, head, batch) for each pair, i = p. The function is asked once for each pair, before anything is computed, into a float32
   * array of the axes that its parameters name: [Tq, Tk] for (i, j), [H, Tq, Tk] for (i, j, head), [B, H, Tq, Tk] for all four; with
   * the axis B too where offsets differ. More than 256 MiB of it are a `memory` error.
   */
  fromFunction(f: BiasFunction): Bias;
}

/**
 * The functions that make biases.
 *
 * @example
 * import { bias } from 'fovea/score';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { weights } = fovea.attention(x, x, x, { bias: [bias.alibi([1]), bias.direction('forward')], returnWeights: true });
 * toNested(weights); // [[0, 0, 0], [1, 0, 0], [0.269, 0.731, 0]]
 */
export const bias: BiasBuilders = {
  alibi: (slopes: 'default' | PerHead = 'default') => biasOf('alibi', addAlibi, slopes),
  distance: (alpha: number | PerHead) => biasOf('distance', addDistance, alpha),
  relative: (table: ArrayInput, clip: number) => biasOf('relative', addRelative, table, clip),
  t5: (table: ArrayInput, options?: BucketOptions) =>
    biasOf('t5', addBuckets, table, readOptions('bias.t5', options, ['buckets', 'maxDistance', 'bidirectional'])),
  gaussian: (center: number | ArrayInput, sigma: number | ArrayInput) => biasOf('gaussian', addGaussian, center, sigma),
  direction: (direction: 'forward' | 'backward') => biasOf('direction', addDirection, direction),
  edges: (values: ArrayInput) => biasOf('edges', addEdges, values),
  fromFunction: (f: BiasFunction) => biasOf('fromFunction', addFunction, f),
};
