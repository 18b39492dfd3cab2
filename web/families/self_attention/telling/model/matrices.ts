import type { Figure as AnyFigure } from '../../../../figures/figure.ts';
import type { PictureCell } from '../../../../stages/picture_view.ts';

/** The pictures of the room, and how one picture's cells hang on another's. */

/** The pictures of linear attention. */
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

export type Selection = PictureCell<MatrixId>;

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

export type Figures = Readonly<Record<MatrixId, Figure>>;
