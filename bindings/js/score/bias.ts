/** Biases of attention by name: each function returns the plain object that the option `bias` takes. */
import type {
  AlibiBias,
  BiasFunction,
  BucketBias,
  DirectionBias,
  DistanceBias,
  EdgeBias,
  FunctionBias,
  GaussianBias,
  RelativeBias,
} from '../attention/types/bias.ts';
import type { ArrayInput } from '../tensor/array_input.ts';

/** The options of `bias.t5`. */
export type BucketOptions = Omit<BucketBias['t5'], 'table'>;

/**
 * The builders of `bias`. They check nothing: the call that they are passed to does, against its own sizes.
 *
 * @example
 * import { bias } from 'fovea/score';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { weights } = fovea.attention(x, x, x, { bias: [bias.alibi([1]), bias.direction('forward')], returnWeights: true });
 * toNested(weights); // [[0, 0, 0], [1, 0, 0], [0.269, 0.731, 0]]
 */
export const bias = {
  /** -slope[h]·|p - j|; left out = the paper's slopes for the call's heads. */
  alibi: (slopes: AlibiBias['alibi'] = 'default'): AlibiBias => ({ alibi: slopes }),
  /** -alpha·|p - j|, one alpha or one for each query head. */
  distance: (alpha: DistanceBias['distance']): DistanceBias => ({ distance: alpha }),
  /** table[clip(j - p) + clip]; table [2·clip + 1] or [H, 2·clip + 1]. */
  relative: (table: ArrayInput, clip: number): RelativeBias => ({ relative: { table, clip } }),
  /** table[bucket(j - p), h]; table [buckets, H]. */
  t5: (table: ArrayInput, options: BucketOptions = {}): BucketBias => ({ t5: { ...options, table } }),
  /** -(j - center)² / (2·sigma²); numbers, or arrays that broadcast to [B, H, Tq]. */
  gaussian: (center: number | ArrayInput, sigma: number | ArrayInput): GaussianBias => ({ gaussian: { center, sigma } }),
  /** A number for each edge of the call's pattern, which has one graph: values [E], or broadcasting to [B, H, E]. */
  edges: (values: ArrayInput): EdgeBias => ({ edges: values }),
  /** f(i, j, head, batch) for each pair, asked before the call; i is the query's position. */
  fromFunction: (f: BiasFunction): FunctionBias => ({ fromFunction: f }),
  /** Keys before the query alone, j < p ('forward'), or after it, j > p ('backward'). */
  direction: (direction: DirectionBias['direction']): DirectionBias => ({ direction }),
} as const;
