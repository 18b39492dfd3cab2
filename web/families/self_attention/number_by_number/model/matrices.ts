import type { Figure as AnyFigure, Link } from '../../../../figures/figure.ts';

/** The pictures of the room, and how one picture's cells hang on another's. */

/** Those of linear attention. */
const LINEAR = [
  'queryFeatures',
  'keyFeatures',
  'before',
  'state',
  'normalizer',
  'numerator',
  'denominator',
  'similarity',
  'exact',
  'error',
] as const;
export type LinearId = (typeof LINEAR)[number];

export const MATRICES = [
  'X',
  'Wq',
  'Wk',
  'Wv',
  'Q',
  'K',
  'V',
  'scores',
  'scaled',
  'pattern',
  'masked',
  'weights',
  'dense',
  'output',
  ...LINEAR,
] as const;
export type MatrixId = (typeof MATRICES)[number];

/** The pictures whose rows are queries. */
export const BY_QUERY: readonly MatrixId[] = [
  ...(['Q', 'scores', 'scaled', 'pattern', 'masked', 'weights', 'dense', 'output'] as const),
  ...(['queryFeatures', 'numerator', 'denominator', 'similarity', 'exact', 'error'] as const),
];

export type Figure = AnyFigure<MatrixId>;

export interface Selection {
  readonly id: MatrixId;
  readonly row: number;
  readonly col: number;
}

/** A stage that is a matrix product: cell (i, c) = Σ over t of left(i, t) · right(t, c); with a factor turned, left(t, i) or right(c, t). */
export interface Product {
  readonly left: MatrixId;
  readonly right: MatrixId;
  readonly turned: boolean;
  readonly leftTurned?: boolean;
}

export const PRODUCTS: Partial<Record<MatrixId, Product>> = {
  Q: { left: 'X', right: 'Wq', turned: false },
  K: { left: 'X', right: 'Wk', turned: false },
  V: { left: 'X', right: 'Wv', turned: false },
  scores: { left: 'Q', right: 'K', turned: true },
  output: { left: 'weights', right: 'V', turned: false },
  before: { left: 'keyFeatures', right: 'V', turned: false, leftTurned: true },
  state: { left: 'keyFeatures', right: 'V', turned: false, leftTurned: true },
  numerator: { left: 'queryFeatures', right: 'state', turned: false },
  denominator: { left: 'queryFeatures', right: 'normalizer', turned: false },
  similarity: { left: 'queryFeatures', right: 'keyFeatures', turned: true },
};

/** The parts of the other pictures that the selected cell is made from; with `term`, the two factors of that product. */
export function linksOf(selection: Selection, term: number | null, masked: boolean): Partial<Record<MatrixId, Link[]>> {
  const { id, row, col } = selection;
  const product = PRODUCTS[id];
  if (product) {
    const left = product.leftTurned
      ? { col: row, ...(term === null ? {} : { row: term }) }
      : { row, ...(term === null ? {} : { col: term }) };
    const line = product.turned ? { row: col } : { col };
    const right = term === null ? line : product.turned ? { row: col, col: term } : { row: term, col };
    return { [product.left]: [left], [product.right]: [right] };
  }
  if (id === 'pattern') return { scaled: [{ row, col }], masked: [{ row, col }] };
  if (id !== 'scaled' && id !== 'masked' && id !== 'weights' && id !== 'dense' && id !== 'exact') return {};
  const parents: Partial<Record<MatrixId, Link[]>> = { Q: [{ row }], K: [{ row: col }], scores: [{ row, col }] };
  if (id === 'scaled') return parents;
  // Softmax looks at the whole row of logits; a mask looks at one cell.
  if (id === 'masked') return { ...parents, scaled: [{ row, col }], pattern: [{ row, col }] };
  return masked && id === 'weights'
    ? { ...parents, scaled: [{ row, col }], pattern: [{ row }], masked: [{ row }] }
    : { ...parents, scaled: [{ row }] };
}
