/** One array of a cache <- the rows of new tokens. */
import { APPEND_BLOCK } from '../../../build/generated/blocks/append.ts';
import type { RowsAt } from '../attention/options/cache_source.ts';
import type { CallArena } from '../call/call_arena.ts';

export function appendRows(
  arena: CallArena,
  heads: RowsAt,
  to: {
    readonly at: number;
    readonly rows: number;
    readonly capacity: number;
    readonly isFloat16: boolean;
    readonly irregular: number;
  },
): void {
  arena.run('appendRows', APPEND_BLOCK, {
    batch: heads.batch,
    heads: heads.heads,
    tokens: heads.tokens,
    width: heads.width,
    from: heads.address,
    fromBatch: heads.batchStride,
    fromHead: heads.headStride,
    fromToken: heads.tokenStride,
    rows: to.rows,
    float16: Number(to.isFloat16),
    capacity: to.capacity,
    at: to.at,
    irregular: to.irregular,
  });
}
