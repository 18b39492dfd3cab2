/** A packed matrix as rows [out, in]. */
import { UNPACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/unpack_weights.ts';
import { WEIGHT_FORMAT } from '../../../build/generated/enums/weight_format.ts';
import { PANEL } from '../ops/weight_panels.ts';
import type { Instance } from '../runtime/instance.ts';

/** Writes the rows of packed float32 weights to `out`; `block` has room for the block of the operation. */
export function writePlainRows(
  { heap, engine }: Instance,
  fn: string,
  block: number,
  { panels, inner, outer, out }: Readonly<Record<'panels' | 'inner' | 'outer' | 'out', number>>,
): void {
  heap.write(UNPACK_WEIGHTS_BLOCK, block, {
    ...{ format: WEIGHT_FORMAT.indexOf('panels'), rows: inner, columns: outer, panels, panelStride: PANEL * inner },
    ...{ first: 0, allColumns: outer, list: 0, out, outRow: 1, outColumn: inner },
  });
  engine.run(fn, 'unpackWeights', block);
}
