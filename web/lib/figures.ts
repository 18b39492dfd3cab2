import type { Matrix } from './matrix.ts';

/** What the room draws, and how one picture's cells hang on another's. */

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
  // Linear attention's
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
export type MatrixId = (typeof MATRICES)[number];

/** The pictures whose rows are queries. */
export const BY_QUERY: readonly MatrixId[] = [
  ...(['Q', 'scores', 'scaled', 'pattern', 'masked', 'weights', 'dense', 'output'] as const),
  ...(['queryFeatures', 'numerator', 'denominator', 'similarity', 'exact', 'error'] as const),
];

export type Role = 'query' | 'key' | 'value' | 'plain';
export type Provenance = 'none' | 'hand' | 'yours';

export interface FigureAxis {
  /** As it stands beside the picture: "query 查询". */
  readonly title: string;
  readonly labels: readonly string[];
  /** Neighbors that belong together: identity | features | position | 1. */
  readonly blocks?: readonly AxisBlock[];
  /** What each of them says, in a sentence. */
  readonly notes?: readonly string[];
}

export interface AxisBlock {
  readonly from: number;
  readonly name: string;
}

/** One picture. Rows and columns are those of row notation; column notation draws it transposed. */
export interface Figure {
  readonly id: MatrixId;
  /** Its letter: Q, W, A; `sub` is written below it. */
  readonly letter: string;
  readonly sub?: string;
  /** The name of its typeset symbol, where that is not its id. */
  readonly symbol?: string;
  /** One column: drawn as a row, its symbol carries ᵀ, whichever the notation. */
  readonly vector?: boolean;
  readonly matrix: Matrix;
  readonly rows: FigureAxis;
  readonly cols: FigureAxis;
  /** pairs: 1 = kept, 0 = left out. */
  readonly colors: 'signed' | 'weights' | 'pairs';
  /** The number at the strong end of the color scale. */
  readonly limit: number;
  readonly role: Role;
  readonly provenance: Provenance;
  readonly editable: boolean;
  /** Of weights: what softmax has made them of. */
  readonly logits?: Matrix;
  /** Of weights: what is said of their sums. */
  readonly sums?: string;
  /** Where a pattern has a part in it. */
  readonly pattern?: FigurePattern;
  /** Where a feature map has a part in it. */
  readonly features?: FigureFeatures;
}

/** A pattern as pictures and files name it. */
export interface FigurePattern {
  readonly text: string;
  /** What the package makes the same pattern of. */
  readonly json: unknown;
  /** Of blocks drawn at random. */
  readonly seed?: number;
}

/** A feature map as pictures and files name it. */
export interface FigureFeatures {
  readonly text: string;
  readonly count: number;
  /** Of random features. */
  readonly seed?: number;
}

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

/** What of a picture takes part in the selected cell: one row, one column, or one cell of it. */
export interface Link {
  readonly row?: number;
  readonly col?: number;
}

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

export function isLinked(links: readonly Link[], row: number, col: number): boolean {
  return links.some((link) => (link.row === undefined || link.row === row) && (link.col === undefined || link.col === col));
}
