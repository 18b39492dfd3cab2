import { createContext } from 'svelte';
import type { Figure, Link } from '../figures/figure.ts';

/** A cell of one of the pictures. */
export interface PictureCell<Id extends string = string> {
  readonly id: Id;
  readonly row: number;
  readonly col: number;
}

/** The state that pictures in lines share: figures, the cell looked at, and what pointing and choosing do. */
export interface PictureView<Id extends string = string> {
  readonly figures: Readonly<Record<Id, Figure>>;
  /** Column notation: every picture is transposed, every product turned around. */
  readonly columns: boolean;
  /** Decimals printed in cells where they fit. */
  readonly digits: number;
  /** The cell looked at: the one pointed at, else the chosen one. */
  readonly selection: PictureCell<Id> | null;
  readonly links: Readonly<Partial<Record<Id, readonly Link[]>>>;
  /** A picture has the focus or the pointer. */
  readonly gazing: boolean;
  /** A picture's array in words. */
  readonly nameOf: (id: Id) => string;
  readonly number: (value: number, id: Id) => string;
  /** The keyboard is on a picture, or has left it. */
  gaze(gazing: boolean): void;
  point(cell: PictureCell<Id> | null): void;
  choose(cell: PictureCell<Id>): void;
  edit(cell: PictureCell<Id>, value: number): void;
  /** Paints the pairs of a picture; null where it is not painted. */
  paintOf(id: Id): ((pairs: readonly { row: number; col: number }[], kept: boolean) => void) | null;
}

const [get, set] = createContext<() => PictureView>();

/** For the pictures below this component. */
export const setPictureView = set as <Id extends string>(view: () => PictureView<Id>) => void;
export const getPictureView = get;
