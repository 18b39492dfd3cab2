import type { Fovea, TraceStage } from 'fovea';
import type { LinearOptions } from 'fovea/linear-attention';
import { linearAttention } from 'fovea/linear-attention';
import type { Matrix } from '../../../../figures/matrix.ts';

/** Linear attention, computed by the package: the stages of its trace as matrices, and how far it is from softmax attention. */

export const LINEAR_STAGES = [
  'queryFeatures',
  'keyFeatures',
  'similarity',
  'state',
  'normalizer',
  'numerator',
  'denominator',
  'weights',
  'output',
] as const;
export type LinearStageName = (typeof LINEAR_STAGES)[number];

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
  /** LaTeX of the trace, row notation. */
  readonly formulas: Readonly<Partial<Record<LinearStageName, string>>>;
}

export function linearRun(fovea: Fovea, inputs: Record<'Q' | 'K' | 'V', Matrix>, options: LinearOptions): LinearRun {
  const [q, k, v] = [inputs.Q, inputs.K, inputs.V].map(({ data, rows, cols }) => ({
    data: Float32Array.from(data),
    shape: [rows, cols],
  }));
  const { trace = [] } = linearAttention(fovea, q!, k!, v!, { ...options, trace: true });
  const find = (name: LinearStageName): TraceStage | undefined => trace.find((step) => step.name === name);
  const stage = (name: LinearStageName): TraceStage => {
    const step = find(name);
    if (!step) throw new Error(`the trace has no stage "${name}"`);
    return step;
  };
  const matrix = (name: LinearStageName): Matrix => {
    const { data, shape } = stage(name);
    return { data, rows: shape[0] ?? 0, cols: shape[1] ?? 0 };
  };
  const denominator = find('denominator');
  return {
    queryFeatures: matrix('queryFeatures'),
    keyFeatures: matrix('keyFeatures'),
    similarity: matrix('similarity'),
    numerator: matrix('numerator'),
    denominator: columnOf(denominator?.data ?? []),
    weights: matrix('weights'),
    output: matrix('output'),
    sums: sumsOf(stage('state'), find('normalizer')),
    normalized: denominator !== undefined,
    formulas: Object.fromEntries(LINEAR_STAGES.flatMap((name) => find(name) ?? []).map(({ name, formula }) => [name, formula])),
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
