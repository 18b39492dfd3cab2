import type { Figure, MatrixId, Selection } from './figures.ts';
import { PRODUCTS } from './figures.ts';
import { at, row } from './matrix.ts';

/** The arithmetic of one cell, in the order in which it happens. Every number comes from the trace or is a factor of one. */

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
}
export interface GivenStep {
  readonly kind: 'given';
  readonly value: number;
}
export type Step = ProductStep | ScaleStep | MaskStep | SoftmaxStep | GivenStep;

export type Figures = Readonly<Record<MatrixId, Figure>>;

/** From the products that make the cell to the cell itself. */
export function walk(figures: Figures, { id, row: i, col: j }: Selection, scale: number): Step[] {
  if (PRODUCTS[id]) return [productStep(figures, id, i, j)];
  if (id !== 'scaled' && id !== 'masked' && id !== 'weights') return [{ kind: 'given', value: at(figures[id].matrix, i, j) }];

  const score = productStep(figures, 'scores', i, j);
  const steps: Step[] = [score, { kind: 'scale', score: score.value, scale, value: at(figures.scaled.matrix, i, j) }];
  if (id !== 'scaled' && at(figures.masked.matrix, i, j) === -Infinity) steps.push({ kind: 'mask' });
  if (id === 'weights') steps.push(softmaxStep(figures, i, j));
  return steps;
}

function productStep(figures: Figures, id: MatrixId, i: number, j: number): ProductStep {
  const product = PRODUCTS[id]!;
  const left = figures[product.left];
  const right = figures[product.right];
  const terms = left.cols.labels.map((label, t) => ({
    label,
    a: at(left.matrix, i, t),
    b: product.turned ? at(right.matrix, j, t) : at(right.matrix, t, j),
  }));
  return {
    kind: 'product',
    id,
    row: i,
    col: j,
    left: product.left,
    right: product.right,
    terms,
    value: at(figures[id].matrix, i, j),
  };
}

function softmaxStep(figures: Figures, i: number, index: number): SoftmaxStep {
  const logits = row(figures.masked.matrix, i);
  const weights = row(figures.weights.matrix, i);
  const max = Math.max(...logits);
  const entries = logits.map((logit, j) => ({
    label: figures.masked.cols.labels[j] ?? '',
    logit,
    exp: Math.exp(logit - max),
    weight: weights[j] ?? NaN,
  }));
  const sum = entries.reduce((total, entry) => total + entry.exp, 0);
  return { kind: 'softmax', entries, index, max, sum, value: weights[index] ?? NaN };
}
