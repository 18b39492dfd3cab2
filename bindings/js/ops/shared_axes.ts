/** The axes that several arrays share, as the core walks them. */
import type { CallArena } from '../call/call_arena.ts';
import type { Shape } from '../tensor/shapes.ts';

export interface SharedAxes {
  readonly lengths: readonly number[];
  /** A list for each array. */
  readonly strides: readonly (readonly number[])[];
}

/** The axes of `shape`, neighbors that every array walks as one joined, so that rows are as long as they can be. */
export function shareAxes(shape: Shape, strides: readonly (readonly number[])[]): SharedAxes {
  const lengths: number[] = [];
  const joined = strides.map((): number[] => []);
  shape.forEach((length, axis) => {
    if (length === 1) return;
    const last = lengths.length - 1;
    const isOne = last >= 0 && strides.every((own, array) => joined[array]![last] === own[axis]! * length);
    if (isOne) lengths[last]! *= length;
    else lengths.push(length);
    strides.forEach((own, array) => {
      if (isOne) joined[array]![last] = own[axis]!;
      else joined[array]!.push(own[axis]!);
    });
  });
  return { lengths, strides: joined };
}

/** A block's fields of shared axes: how many there are, the address of their lengths, and those of each array's strides by its name. */
export function placeAxes<Name extends string>(
  arena: CallArena,
  { lengths, strides }: SharedAxes,
  ...names: readonly Name[]
): () => Record<'rank' | 'lengths' | Name, number> {
  const rank = lengths.length;
  const table = arena.placeIntegers(Int32Array.from([...lengths, ...strides.flat()]));
  return () => {
    const fields = { rank } as Record<'rank' | 'lengths' | Name, number>;
    (['lengths', ...names] as const).forEach((name, list) => (fields[name] = table.address + 4 * rank * list));
    return fields;
  };
}
