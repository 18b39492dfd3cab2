import type { MapName } from '../model/feature_maps.ts';
import type { MatrixId } from '../model/matrices.ts';

/** What the arithmetic of one cell consists of. */

export interface Term {
  readonly label: string;
  readonly a: number;
  readonly b: number;
}

export interface ProductStep {
  readonly kind: 'product';
  readonly id: MatrixId;
  readonly row: number;
  readonly col: number;
  readonly left: MatrixId;
  readonly right: MatrixId;
  readonly terms: readonly Term[];
  readonly value: number;
  /** Which of its formulas is written above, where it has several. */
  readonly variant?: string;
}
export interface ScaleStep {
  readonly kind: 'scale';
  readonly score: number;
  readonly scale: number;
  readonly value: number;
}
export interface SoftmaxStep {
  readonly kind: 'softmax';
  readonly entries: readonly { label: string; logit: number; exp: number; weight: number }[];
  readonly index: number;
  readonly max: number;
  readonly sum: number;
  readonly value: number;
}
export interface MaskStep {
  readonly kind: 'mask';
  /** What forbids the pair. */
  readonly by: 'causal' | 'pattern';
}
/** The weights of a query that keeps no key. */
export interface EmptyRowStep {
  readonly kind: 'empty';
}
export interface PatternStep {
  readonly kind: 'pattern';
  readonly kept: boolean;
}
export interface GivenStep {
  readonly kind: 'given';
  readonly value: number;
}
/** A number of φ; `from`, the number in its place, where it comes from that one alone. */
export interface MapStep {
  readonly kind: 'map';
  readonly map: MapName;
  readonly from: number | null;
  readonly value: number;
}
export interface SumStep {
  readonly kind: 'sum';
  readonly terms: readonly { label: string; value: number }[];
  readonly value: number;
}
export interface DivideStep {
  readonly kind: 'divide';
  readonly of: MatrixId;
  readonly above: MatrixId;
  readonly numerator: number;
  readonly denominator: number;
  readonly value: number;
}
export interface DifferenceStep {
  readonly kind: 'difference';
  readonly weight: number;
  readonly exact: number;
  readonly value: number;
}
/** A pair whose key comes later than the query. */
export interface UnseenStep {
  readonly kind: 'unseen';
}
/** The state before the first token. */
export interface StartStep {
  readonly kind: 'start';
}
export type LinearStep = MapStep | SumStep | DivideStep | DifferenceStep | UnseenStep | StartStep;

export type Step = ProductStep | ScaleStep | PatternStep | MaskStep | SoftmaxStep | EmptyRowStep | GivenStep | LinearStep;
