import { createContext } from 'svelte';
import type { PictureView } from '../../../../stages/picture_view.ts';
import type { MatrixId, Selection } from './matrices.ts';

/** The room's view of its pictures. */
export interface RoomView extends PictureView<MatrixId> {
  /** The reading of a cell: "query 查询 它, key 键 猫: weight 0.50". */
  readonly reading: (selection: Selection) => string;
}

export const [getRoomView, setRoomView] = createContext<() => RoomView>();
