/** Parameter blocks: writes a call's fields by name, in the order of abi.ts, as 32-bit words. */
import {
  ATTENTION_FIELDS,
  FLOAT_FIELDS,
  type AXES_FIELDS,
  type MATMUL_FIELDS,
  type PATTERN_FIELDS,
  type SOFTMAX_FIELDS,
} from './abi.ts';
import type { Heap } from './heap.ts';

type Fields<Names extends readonly string[]> = Record<Names[number], number>;
export type AttentionFields = Fields<typeof ATTENTION_FIELDS>;
export type AxesFields = Fields<typeof AXES_FIELDS>;
export type MatmulFields = Fields<typeof MATMUL_FIELDS>;
export type PatternFields = Fields<typeof PATTERN_FIELDS>;
export type SoftmaxFields = Fields<typeof SOFTMAX_FIELDS>;

/** Room for the largest block, that of attention. */
export const BLOCK_BYTES = 4 * ATTENTION_FIELDS.length;

/** Writes `fields` at `block`; a field that is not given is 0, which is an absent pointer, no stride, no rule. */
export function writeBlock<Names extends readonly string[]>(
  heap: Heap,
  block: number,
  names: Names,
  fields: Partial<Fields<Names>>,
): void {
  const words = heap.integers(block, names.length);
  const floats = heap.floats(block, names.length);
  for (let index = 0; index < names.length; index++) words[index] = fields[names[index] as Names[number]] ?? 0;
  for (const index of floatPlaces(names)) floats[index] = fields[names[index] as Names[number]] ?? 0;
}

const places = new Map<readonly string[], readonly number[]>();

/** Where the floats of a block are: looking for them anew costs as much as a small call's own work. */
function floatPlaces(names: readonly string[]): readonly number[] {
  let known = places.get(names);
  if (known === undefined) {
    known = FLOAT_FIELDS.map((name) => names.indexOf(name)).filter((index) => index >= 0);
    places.set(names, known);
  }
  return known;
}
