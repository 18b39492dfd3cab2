/** Packed weights as arrays again: some rows, or the whole, a piece at a time. */
import { UNPACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/unpack_weights.ts';
import { compute } from '../call/call.ts';
import { freshOutput } from '../call/outputs.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { readOperand } from '../tensor/operands.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { newArray } from '../tensor/typed_arrays.ts';
import { formatOf } from './weight_form.ts';
import { PANEL, partsOf, pieces, type WeightPanels } from './weight_panels.ts';

/** Rows of a matrix [out, in], by output, as a Tensor [ids, in]. @internal */
export function unpackRows(fn: string, state: WeightPanels, ids: Int32Array): Tensor {
  const { instance, shape, data, offset } = state;
  const [outer, inner] = shape as [number, number];
  const packed = readOperand(instance, fn, 'the packed weights', data);
  return compute(instance, fn, (arena) => {
    const out = freshOutput(arena, [ids.length, inner], true);
    const list = arena.placeIntegers(ids);
    return () => {
      arena.run('unpackWeights', UNPACK_WEIGHTS_BLOCK, {
        ...{ format: formatOf(state), rows: inner, columns: ids.length, panels: packed.address! + 4 * offset },
        ...{ panelStride: PANEL * inner, first: 0, allColumns: outer, list: list.address },
        ...{ out: out.ptr.address, outRow: 1, outColumn: inner },
      });
      return out.finish() as Tensor;
    };
  });
}

/** @internal */
export function unpackPanels(fn: string, state: WeightPanels): NDArray {
  const { instance, shape, layout } = state;
  instance.engine.check(fn);
  const packed = readOperand(instance, fn, 'the packed weights', state.data);
  const { inner, list } = partsOf(state);
  const outer = list.reduce((sum, { length }) => sum + length, 0);
  const data = newArray(fn, 4 * sizeOf(shape), () => new Float32Array(sizeOf(shape)));
  for (const { first, length, at } of list) {
    for (const [from, to] of pieces([length, inner])) {
      const columns = to - from;
      compute(instance, fn, (arena) => {
        const out = arena.reserveFloats(columns * inner);
        const [outRow, outColumn] = layout === 'outIn' ? [1, inner] : [columns, 1];
        return () => {
          const sizes = { rows: inner, columns, panelStride: PANEL * inner, first: from, allColumns: length };
          const panels = packed.address! + 4 * at;
          arena.run('unpackWeights', UNPACK_WEIGHTS_BLOCK, {
            ...sizes,
            format: formatOf(state),
            ...{ panels, list: 0 },
            ...{ out: out.address, outRow, outColumn },
          });
          const numbers = arena.heap.floats(out.address, columns * inner);
          if (layout === 'outIn') data.set(numbers, (first + from) * inner);
          else
            for (let k = 0; k < inner; k++)
              data.set(numbers.subarray(k * columns, (k + 1) * columns), k * outer + first + from);
        };
      });
    }
  }
  return { data, shape: [...shape] };
}
