/** `learnedPositions`: positions as rows of a table. */
import { instanceOf } from '../runtime/instances.ts';
import { TABLE_ROWS_BLOCK } from '../../../build/generated/blocks/table_rows.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { readOptions } from '../errors/options.ts';
import { readContiguous } from '../ops/recurrent/tools.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { readCount, readPositions, readStart } from './read.ts';
import type { LearnedOptions } from './types.ts';
import { freshOutput } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';

/**
 * Learned positions: rows of a table, to be added to embeddings.
 *
 * @param fovea an instance of this thread.
 * @param table [rows, D].
 * @param options `positions`, integers from 0 to rows - 1; or `tokens` of them from `start` on.
 * @returns [T, D], or [B, T, D] for positions [B, T]. A Tensor where the table is one.
 * @throws AttentionError `shape` | `value` (also for a position outside of the table) | `option` | `disposed` | `memory` | `load`.
 *
 * Source: Gehring et al. 2017, arXiv:1705.03122 §3.1.
 * @example
 * import { learnedPositions } from 'fovea/position';
 * toNested(learnedPositions(fovea, [[1, 2], [3, 4], [5, 6]], { positions: [2, 0] })); // [[5, 6], [1, 2]]
 */
export function learnedPositions<X extends ArrayInput>(fovea: Fovea, table: X, options: LearnedOptions): ResultArray<X> {
  const fn = 'learnedPositions';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['positions', 'tokens', 'start']);
  const operand = readContiguous(instance, fn, 'table', table);
  const [rows = 0, width = 0] = operand.shape;
  if (operand.shape.length !== 2) fail('shape', fn, `table must be [rows, D], got ${formatShape(operand.shape)}`);
  if ((known.positions === undefined) === (known.tokens === undefined))
    fail(
      'option',
      fn,
      `positions or tokens say which rows: pass one of them, got ${known.tokens === undefined ? 'none' : 'both'}`,
    );
  if (known.positions !== undefined && known.start !== undefined)
    fail('option', fn, 'start goes with tokens, got start with positions');
  const positions = known.positions === undefined ? null : readPositions(fn, known.positions, 0, rows - 1);
  const shape = positions?.shape ?? [readCount(fn, 'tokens', known.tokens, 0)];
  const tokens = sizeOf(shape);
  if (positions === null && tokens > rows)
    fail('value', fn, `tokens must be an integer from 0 to the ${rows} rows of the table, got ${tokens}`);
  const start = positions === null ? readStart(fn, known.start, tokens, 0, rows - 1) : 0;

  const call = plan(instance, fn, (arena) => {
    const output = freshOutput(arena, [...shape, width], isTensor(table));
    const from = arena.place(operand);
    const ids = arena.placeIntegers(positions?.ids ?? null);
    const run = (): void =>
      arena.run('tableRows', TABLE_ROWS_BLOCK, {
        table: from.address,
        rows,
        width,
        positions: ids.address,
        start,
        tokens,
        y: output.ptr.address,
      });
    arena.steps.push({ operation: null, run });
    return (): NDArray | Tensor => output.finish();
  });
  return finish(call) as ResultArray<X>;
}
