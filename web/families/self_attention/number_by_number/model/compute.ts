import type { Fovea, TraceStage } from 'fovea';
import type { Pattern } from 'fovea/pattern';
import type { Matrix } from '../../../../figures/matrix.ts';
import { nested } from '../../../../figures/matrix.ts';

/** One head of self-attention, computed by the package. The page draws the stages of its trace and computes nothing itself. */

export interface HeadInputs {
  readonly X: Matrix;
  readonly Wq: Matrix;
  readonly Wk: Matrix;
  readonly Wv: Matrix;
  /** Divide the scores by √d; otherwise their scale is 1. */
  readonly scaled: boolean;
  readonly causal: boolean;
  /** The pairs that attend; null = all. */
  readonly pattern: Pattern | null;
}

export type StageName = 'X' | 'Q' | 'K' | 'V' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output';

export interface Stage {
  readonly matrix: Matrix;
  /** LaTeX, row notation. */
  readonly formula: string;
}

export type Stages = Readonly<Record<StageName, Stage>>;

export function selfAttentionStages(fovea: Fovea, { X, Wq, Wk, Wv, scaled, causal, pattern }: HeadInputs): Stages {
  const weights = { Wq: nested(Wq), Wk: nested(Wk), Wv: nested(Wv) };
  const rules = { causal, ...(pattern ? { pattern } : {}) };
  const { trace } = fovea.selfAttention(nested(X), weights, { scale: scaled ? undefined : 1, ...rules, trace: true });
  const stage = (name: string): Stage =>
    asStage(
      trace?.find((step) => step.name === name),
      name,
    );
  return {
    X: stage('input'),
    Q: stage('query'),
    K: stage('key'),
    V: stage('value'),
    scores: stage('scores'),
    scaled: stage('scaled'),
    // Without a mask or a pattern the trace has no such stage: softmax takes the scaled scores.
    masked: stage(causal || pattern ? 'masked' : 'scaled'),
    weights: stage('weights'),
    output: stage('output'),
  };
}

function asStage(step: TraceStage | undefined, name: string): Stage {
  if (!step) throw new Error(`the trace has no stage "${name}"`);
  const [rows = 0, cols = 0] = step.shape.slice(-2);
  return { matrix: { data: step.data, rows, cols }, formula: step.formula };
}
