/** The numbers of a function of pairs: asked before a call, or before it is sent to a worker. */
import { describe, fail } from '../errors/errors.ts';
import type { PairSizes } from '../attention/options/pattern_source.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import { zeros } from '../tensor/typed_arrays.ts';
import type { BiasFunction } from './types.ts';

const MOST_BYTES = 256 * 2 ** 20;

/** The function asked about each pair of a call, in the axes that its parameters name. */
export function askPairs(fn: string, f: BiasFunction, { batch, heads, queries, keys, offsets }: PairSizes): NDArray {
  // A function may depend on as much as it names arguments; of one that names none nothing is known.
  const perHead = f.length !== 1 && f.length !== 2;
  const perBatch = (perHead && f.length !== 3) || (offsets !== null && offsets.some((offset) => offset !== offsets[0]));
  const shape = [perBatch ? batch : 1, perHead ? heads : 1, queries, keys];
  const bytes = 4 * sizeOf(shape);
  if (bytes > MOST_BYTES) {
    const rule = `needs ${bytes} bytes for ${formatShape(shape)}, more than ${MOST_BYTES} (256 MiB)`;
    fail('memory', fn, `bias.fromFunction ${rule}; name fewer parameters, or use another bias`);
  }
  const data = zeros(fn, 'Float32Array', sizeOf(shape));
  for (let n = 0; n < data.length; n++) {
    const row = Math.floor(n / keys);
    const group = Math.floor(row / queries);
    const b = Math.floor(group / shape[1]!);
    const places = [(row % queries) + (offsets?.[b] ?? 0), n % keys, group % shape[1]!, b] as const;
    const value: unknown = f(...places);
    if (typeof value === 'number') data[n] = value;
    if (typeof value === 'number' && Number.isFinite(data[n])) continue;
    const at = `query position ${places[0]}, key ${places[1]}, head ${places[2]} and batch entry ${places[3]}`;
    const remedy = value === -Infinity ? '; forbid pairs with the option mask, or with pattern.fromFunction' : '';
    fail('value', fn, `bias.fromFunction must give finite numbers (in float32), got ${describe(value)} for ${at}${remedy}`);
  }
  return { data, shape };
}
