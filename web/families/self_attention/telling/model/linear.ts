import type { TraceStage } from 'fovea';
import type { Matrix } from '../../../../figures/matrix.ts';
import { matrixOf, stageOf } from './compute.ts';

/** Linear attention, computed by the package: the stages of its trace as matrices, and how far it is from softmax attention. */

type LinearStageName = 'queryFeatures' | 'keyFeatures' | 'similarity' | 'numerator' | 'weights' | 'output';

/** What has been seen so far. */
export interface Sums {
  /** S, [features, value components]. */
  readonly state: Matrix;
  /** z as one column. */
  readonly normalizer: Matrix;
}

export interface LinearRun {
  readonly queryFeatures: Matrix;
  readonly keyFeatures: Matrix;
  readonly similarity: Matrix;
  readonly numerator: Matrix;
  /** One column. */
  readonly denominator: Matrix;
  readonly weights: Matrix;
  readonly output: Matrix;
  /** After each token where it is causal; otherwise one, after all of them. */
  readonly sums: readonly Sums[];
  /** Whether there is a denominator: Efficient Attention has none, as its features sum to 1 already. */
  readonly normalized: boolean;
}

export function linearRun(trace: readonly TraceStage[]): LinearRun {
  const matrix = (name: LinearStageName): Matrix => matrixOf(stageOf(trace, name));
  const denominator = trace.find(({ name }) => name === 'denominator');
  return {
    queryFeatures: matrix('queryFeatures'),
    keyFeatures: matrix('keyFeatures'),
    similarity: matrix('similarity'),
    numerator: matrix('numerator'),
    denominator: columnOf(denominator?.data ?? []),
    weights: matrix('weights'),
    output: matrix('output'),
    sums: sumsOf(
      stageOf(trace, 'state'),
      trace.find(({ name }) => name === 'normalizer'),
    ),
    normalized: denominator !== undefined,
  };
}

function sumsOf(state: TraceStage, normalizer: TraceStage | undefined): Sums[] {
  const [rows = 0, cols = 0] = state.shape.slice(-2);
  const size = rows * cols;
  return Array.from({ length: state.shape.length > 2 ? (state.shape[0] ?? 0) : 1 }, (_, t) => ({
    state: { data: state.data.slice(t * size, (t + 1) * size), rows, cols },
    normalizer: columnOf(normalizer?.data.slice(t * rows, (t + 1) * rows) ?? []),
  }));
}

const columnOf = (data: ArrayLike<number>): Matrix => ({ data, rows: data.length, cols: 1 });

export interface Cost {
  /** Multiplications of (QKᵀ)V. */
  readonly pairs: number;
  /** Of φ(Q)(φ(K)ᵀV) and its denominators. */
  readonly linear: number;
  /** The number of tokens from which on linear attention takes fewer. */
  readonly from: number;
}

export interface Sizes {
  readonly tokens: number;
  readonly width: number;
  readonly valueWidth: number;
  readonly features: number;
  readonly normalized: boolean;
  /** Pairs of a later key are not counted. */
  readonly causal: boolean;
}

export function costOf({ tokens, width, valueWidth, features, normalized, causal }: Sizes): Cost {
  const perPair = width + valueWidth;
  const perToken = features * (2 * valueWidth + (normalized ? 1 : 0));
  const pairs = (causal ? (tokens * (tokens + 1)) / 2 : tokens ** 2) * perPair;
  const equal = causal ? (2 * perToken) / perPair - 1 : perToken / perPair;
  return { pairs, linear: tokens * perToken, from: Math.max(1, Math.floor(equal) + 1) };
}
