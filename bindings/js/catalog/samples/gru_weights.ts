/** GRUs whose gates are set by hand, as PyTorch's state dicts. */
import { vector } from './words.ts';

/** σ and tanh of this are 0, 1 or -1 to float32. */
export const SATURATED = 20;

export interface GruDesign {
  /** [E, H]: the input's part of the candidate state, inside its tanh. */
  readonly candidate: readonly (readonly number[])[];
  /** [H, H]: the old state's part of it. */
  readonly recurrent?: readonly (readonly number[])[];
  /** [E, H]: 1 where an input of 1 replaces a unit, which is kept otherwise; without it every step replaces every unit. */
  readonly writes?: readonly (readonly number[])[];
}

type GruWeights = Record<string, number[][] | ReturnType<typeof vector>>;

/** The params of one layer: the reset gate is open, and the update gate opens where the design writes. */
export function gruWeights({ candidate, recurrent, writes }: GruDesign, suffix = 'l0'): GruWeights {
  const [inputs, units] = [candidate.length, candidate[0]!.length];
  const zeros = (columns: number): number[][] => Array.from({ length: units }, () => new Array<number>(columns).fill(0));
  const all = (value: number): number[] => new Array<number>(units).fill(value);
  const update = writes ? transposed(writes).map((row) => row.map((one) => -2 * SATURATED * one)) : zeros(inputs);
  return {
    [`weight_ih_${suffix}`]: [...zeros(inputs), ...update, ...transposed(candidate)],
    [`weight_hh_${suffix}`]: [...zeros(units), ...zeros(units), ...(recurrent ? transposed(recurrent) : zeros(units))],
    [`bias_ih_${suffix}`]: vector([...all(SATURATED), ...all(writes ? SATURATED : -SATURATED), ...all(0)]),
  };
}

/** One layer in both directions. */
export function bothWays(forward: GruDesign, backward: GruDesign = forward): GruWeights {
  return { ...gruWeights(forward), ...gruWeights(backward, 'l0_reverse') };
}

function transposed(matrix: readonly (readonly number[])[]): number[][] {
  return matrix[0]!.map((_, column) => matrix.map((row) => row[column]!));
}
