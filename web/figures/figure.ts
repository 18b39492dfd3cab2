/** What a picture of numbers is made from, whatever its numbers mean. */

import type { Matrix } from './matrix.ts';

export type Role = 'query' | 'key' | 'value' | 'plain';
/** Where numbers come from, as the catalog tells it. */
export type Provenance = 'none' | 'designed' | 'trained' | 'random' | 'yours';

export interface FigureAxis {
  /** As it stands beside the picture; a gloss may be in it. */
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
export interface Figure<Id extends string = string> {
  readonly id: Id;
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
  /** pairs: 1 = kept, 0 = left out. steps: after how many steps, the fewest with the strongest color; 0 = never. */
  readonly colors: 'signed' | 'weights' | 'pairs' | 'steps';
  /** The number at the strong end of the color scale; of steps, the most. */
  readonly limit: number;
  readonly role: Role;
  readonly provenance: Provenance;
  readonly editable: boolean;
  /** 1 where a pair may not attend: hatched, whatever its number. */
  readonly masked?: Matrix;
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

/** Both axes of a picture, the one that goes down first: "query ↓ key →". A list has one; a single number none. */
export function axesText({ rows, cols }: Pick<Figure, 'rows' | 'cols'>, transposed: boolean, separator = ' '): string {
  const [down, across] = transposed ? [cols, rows] : [rows, cols];
  const shown = [
    [down.title, '↓'],
    [across.title, '→'],
  ].filter(([title]) => title !== '');
  return shown.map((pair) => pair.join(' ')).join(separator);
}

/** What of a picture takes part in the selected cell: one row, one column, or one cell of it. */
export interface Link {
  readonly row?: number;
  readonly col?: number;
}

export function isLinked(links: readonly Link[], row: number, col: number): boolean {
  return links.some((link) => (link.row === undefined || link.row === row) && (link.col === undefined || link.col === col));
}
