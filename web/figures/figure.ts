/** The data of a picture of numbers, whatever its numbers mean. */

import type { Matrix } from './matrix.ts';

export type Role = 'query' | 'key' | 'value' | 'plain';
/** Where numbers come from, as the catalog tells it. */
export type Provenance = 'none' | 'designed' | 'trained' | 'random' | 'yours';

export interface FigureAxis {
  /** The title beside the picture; a gloss may be in it. */
  readonly title: string;
  readonly labels: readonly string[];
  /** Neighbors that belong together: identity | features | position | 1. */
  readonly blocks?: readonly AxisBlock[];
  /** The meaning of each of them, in a sentence. */
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
  /** A sentence about the sums of weights. */
  readonly sums?: string;
  /** Where a pattern has a part in it. */
  readonly pattern?: FigurePattern;
  /** Where a feature map has a part in it. */
  readonly features?: FigureFeatures;
}

/** A pattern as pictures and files name it. */
export interface FigurePattern {
  readonly text: string;
  /** JSON from which the package makes the pattern. */
  readonly json: unknown;
  /** The seed of blocks drawn at random. */
  readonly seed?: number;
}

/** A feature map as pictures and files name it. */
export interface FigureFeatures {
  readonly text: string;
  readonly count: number;
  /** The seed of random features. */
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

/** The part of a picture that takes part in the selected cell: one row, one column, or one cell of it. */
export interface Link {
  readonly row?: number;
  readonly col?: number;
}

export function isLinked(links: readonly Link[], row: number, col: number): boolean {
  return links.some((link) => (link.row === undefined || link.row === row) && (link.col === undefined || link.col === col));
}
