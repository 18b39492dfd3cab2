/** Rows of tables of embeddings and positions, as steps of a planned call. */
import { TABLE_ROWS_BLOCK } from '../../../build/generated/blocks/table_rows.ts';
import { UNPACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/unpack_weights.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { PANEL } from '../ops/weight_panels.ts';
import { OffsetPtr } from '../call/strided_ptr.ts';
import type { Operand } from '../tensor/operands.ts';
import type { LayerRoom, Sequences } from './layer_room.ts';
import { planSum } from './row_steps.ts';

/** y <- rows of the table: those of the ids, or as many as `tokens` from `start` on. */
export function planRows(arena: CallArena, table: Operand, ids: Ptr | null, start: number, tokens: number, y: Ptr): void {
  const from = arena.place(table);
  const [rows, width] = table.shape as [number, number];
  const run = (): void => {
    const list = ids?.address ?? 0;
    if (table.format === 0)
      arena.run('tableRows', TABLE_ROWS_BLOCK, {
        ...{ table: from.address, rows, width, positions: list, start, tokens, y: y.address },
      });
    else
      arena.run('unpackWeights', UNPACK_WEIGHTS_BLOCK, {
        ...{ format: table.format, rows: width, columns: tokens, panels: from.address, panelStride: PANEL * width },
        ...{ first: start, allColumns: rows, list, out: y.address, outRow: 1, outColumn: width },
      });
  };
  arena.steps.push({ operation: null, run });
}

/** x <- x + the learned positions from `start` on. */
export function planPositions(
  arena: CallArena,
  table: Operand,
  room: LayerRoom,
  { batch, tokens }: Sequences,
  start: number,
  x: Ptr,
): void {
  const width = table.shape[1]!;
  const rows = arena.reuse(room.normed, batch * tokens * width);
  for (let b = 0; b < batch; b++) planRows(arena, table, null, start, tokens, new OffsetPtr(rows, b * tokens * width));
  planSum(arena, room, x, rows, x);
}
