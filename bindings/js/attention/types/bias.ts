/** The values of the options `bias`, `relativeKeys` and `relativeValues`. p(i) = i + offset is the position of query i, j that of key j. */
import type { ArrayInput } from '../../tensor/array_input.ts';

/** ALiBi (Press, Smith, Lewis 2022, arXiv:2108.12409 §3): adds -slope[h]·|p(i) - j|. 'default' = the paper's slopes for H heads. */
export interface AlibiBias {
  readonly alibi: 'default' | readonly number[] | Float32Array | Float64Array;
}

/** Adds -alpha·|p(i) - j|, one alpha for all query heads or one for each: the distance mask of Im & Cho 2017, arXiv:1712.02047. */
export interface DistanceBias {
  readonly distance: number | readonly number[] | Float32Array | Float64Array;
}

/** Adds table[c], c = clip(j - p(i), -clip, clip) + clip. */
export interface RelativeBias {
  readonly relative: {
    /** [2·clip + 1], or [H, 2·clip + 1] for query heads of their own; finite. */
    readonly table: ArrayInput;
    /** In positions, 0 or more. */
    readonly clip: number;
  };
}

/**
 * T5 (Raffel et al. 2020, arXiv:1910.10683 §2.1): adds table[bucket(j - p(i)), h]. Near distances have a bucket each, farther ones
 * share buckets that widen with their logarithm, and all from maxDistance on the last: exactly T5's `_relative_position_bucket`.
 */
export interface BucketBias {
  readonly t5: {
    /** [buckets, H], as T5's relative_attention_bias.weight; finite. At least 4 buckets, or 2 where not bidirectional. */
    readonly table: ArrayInput;
    /** The table's rows, checked where it is given. */
    readonly buckets?: number | undefined;
    /** In positions; default 128. More than half of the buckets of one direction. */
    readonly maxDistance?: number | undefined;
    /** Half of the buckets are for keys after the query (default true; T5's encoder). Else all of those are at distance 0. */
    readonly bidirectional?: boolean | undefined;
  };
}

/** Adds -(j - center)² / (2·sigma²) inside the softmax (Yang et al. 2018, arXiv:1810.10182 §3.1). In positions; sigma > 0. */
export interface GaussianBias {
  readonly gaussian: {
    /** A number, or an array that broadcasts to [B, H, Tq] as masks do to pairs. */
    readonly center: number | ArrayInput;
    readonly sigma: number | ArrayInput;
  };
}

/**
 * Adds values[n] to edge n of the graph in the call's pattern, numbered as `pattern.graph` was given them; 0 to pairs that are no edge.
 * Other values over the same Pattern object use what was compiled for it.
 */
export interface EdgeBias {
  /** [E], or an array that broadcasts to [B, H, E]; finite. */
  readonly edges: ArrayInput;
}

/** A finite number for query position i = p(query) and key j of a query head and batch entry. */
export type BiasFunction = (i: number, j: number, head: number, batch: number) => number;

/**
 * Adds f(i, j, head, batch). The function is asked once for each pair, before anything is computed, into a float32 array of the axes
 * that its parameters name: [Tq, Tk] for (i, j), [H, Tq, Tk] for (i, j, head), [B, H, Tq, Tk] for all four; with the axis B too where
 * offsets differ. More than 256 MiB of it are a `memory` error.
 */
export interface FunctionBias {
  readonly fromFunction: BiasFunction;
}

/** Forbids all but keys before the query, j < p(i), or after it, j > p(i) (DiSAN: Shen et al. 2018, arXiv:1709.04696 §4.2). */
export interface DirectionBias {
  readonly direction: 'forward' | 'backward';
}

/** Each kind at most once in one call, but for alibi, whose slopes add up. */
export type Bias =
  AlibiBias | DistanceBias | RelativeBias | BucketBias | GaussianBias | DirectionBias | EdgeBias | FunctionBias;

/** A learned row for every distance clip(j - p(i), -clip, clip): [2·clip + 1, width], or [H, 2·clip + 1, width]; finite. */
export interface RelativeRows {
  readonly table: ArrayInput;
  /** In positions, 0 or more. */
  readonly clip: number;
}
