import type { Figure, MatrixId, Selection } from '../model/matrices.ts';
import { PRODUCTS } from '../model/matrices.ts';
import type { Matrix } from '../../../../figures/matrix.ts';
import { at, row } from '../../../../figures/matrix.ts';
import type { EmptyRowStep, ProductStep, SoftmaxStep, Step } from './steps.ts';

/** The arithmetic of one cell, in the order in which it happens. Every number comes from the trace or is a factor of one. */

export type Figures = Readonly<Record<MatrixId, Figure>>;

/** From the products that make the cell to the cell itself. */
export function walk(figures: Figures, { id, row: i, col: j }: Selection, scale: number): Step[] {
  if (PRODUCTS[id]) return [productStep(figures, id, i, j)];
  const kept = at(figures.pattern.matrix, i, j) !== 0;
  if (id === 'pattern') return [{ kind: 'pattern', kept }];
  if (id !== 'scaled' && id !== 'masked' && id !== 'weights' && id !== 'dense' && id !== 'exact')
    return [{ kind: 'given', value: at(figures[id].matrix, i, j) }];

  const score = productStep(figures, 'scores', i, j);
  const steps: Step[] = [score, { kind: 'scale', score: score.value, scale, value: at(figures.scaled.matrix, i, j) }];
  const { logits } = figures[id];
  if (at(logits ?? figures[id].matrix, i, j) === -Infinity)
    steps.push({ kind: 'mask', by: kept || id === 'dense' ? 'causal' : 'pattern' });
  if (logits) steps.push(softmaxStep(figures[id], logits, i, j));
  return steps;
}

export function productStep(figures: Figures, id: MatrixId, i: number, j: number): ProductStep {
  const product = PRODUCTS[id]!;
  const left = figures[product.left];
  const right = figures[product.right];
  const terms = left[product.leftTurned ? 'rows' : 'cols'].labels.map((label, t) => ({
    label,
    a: product.leftTurned ? at(left.matrix, t, i) : at(left.matrix, i, t),
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

function softmaxStep(figure: Figure, matrix: Matrix, i: number, index: number): SoftmaxStep | EmptyRowStep {
  const logits = row(matrix, i);
  const weights = row(figure.matrix, i);
  if (logits.every((logit) => logit === -Infinity)) return { kind: 'empty' };
  const max = Math.max(...logits);
  const entries = logits.map((logit, j) => ({
    label: figure.cols.labels[j] ?? '',
    logit,
    exp: Math.exp(logit - max),
    weight: weights[j] ?? NaN,
  }));
  const sum = entries.reduce((total, entry) => total + entry.exp, 0);
  return { kind: 'softmax', entries, index, max, sum, value: weights[index] ?? NaN };
}
