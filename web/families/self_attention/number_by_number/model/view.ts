import { createContext } from 'svelte';
import type { Link } from '../../../../figures/figure.ts';
import type { MatrixId, Selection } from './matrices.ts';
import type { Figures } from '../walk/walk.ts';

/** What the pictures of one room share: what is drawn, what is looked at, and what pointing and choosing do. */
export interface RoomView {
  readonly figures: Figures;
  /** Column notation: every picture is transposed, every product turned around. */
  readonly columns: boolean;
  /** Decimals printed in cells where they fit. */
  readonly digits: number;
  /** The cell looked at: the one pointed at, else the chosen one. */
  readonly selection: Selection | null;
  readonly links: Partial<Record<MatrixId, Link[]>>;
  readonly gazing: boolean;
  /** What a cell says: "query 查询 它, key 键 猫: weight 0.50". */
  readonly reading: (selection: Selection) => string;
  readonly number: (value: number, id: MatrixId) => string;
  /** The keyboard is on a picture, or has left it. */
  gaze(gazing: boolean): void;
  point(selection: Selection | null): void;
  choose(selection: Selection): void;
  edit(selection: Selection, value: number): void;
  /** Keeps pairs of the pattern or leaves them out; null where it is not painted. */
  readonly paint: ((pairs: readonly { row: number; col: number }[], kept: boolean) => void) | null;
}

export const [getRoomView, setRoomView] = createContext<() => RoomView>();
