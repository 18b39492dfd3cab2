/** What the builders of `score` take. A attention (hidden) width, Dq and Dk the widths of queries and keys. */
import type { ArrayInput, WeightLayout } from '../types.ts';

/** How the matrices are written: 'inOut' (default) or 'outIn', as PyTorch's nn.Linear has them. */
export interface ScoreOptions {
  readonly weightLayout?: WeightLayout | undefined;
}

export interface AdditiveParams {
  /** [Dq, A], or [H, Dq, A]: one for each query head. With 'outIn' [A, Dq]. */
  readonly Wq: ArrayInput;
  /** [Dk, A], or [Hkv, Dk, A]: one for each key head. With 'outIn' [A, Dk]. */
  readonly Wk: ArrayInput;
  /** [A], or [H, A]. */
  readonly w: ArrayInput;
  /** Inside the tanh: [A], or [H, A]. */
  readonly bias?: ArrayInput | undefined;
}

export interface ConcatParams {
  /** [Dq + Dk, A], queries first, or [H, Dq + Dk, A] where keys have as many heads. With 'outIn' [A, Dq + Dk]. */
  readonly W: ArrayInput;
  /** [A], or [H, A]. */
  readonly w: ArrayInput;
  /** Inside the tanh: [A], or [H, A]. */
  readonly bias?: ArrayInput | undefined;
}

export type ScoreKind = 'dot' | 'scaledDot' | 'bilinear' | 'additive' | 'concat' | 'cosine' | 'location';
