import type { Arguments } from 'fovea/catalog';

/** Inputs that Linformer is tried on: the months in two orders, mixed by means of neighbors or at random. */

/** Numbers that divide twelve, so that all mixtures hold as many months. */
export const RANKS = [1, 2, 3, 4, 6, 12];
/** Every month beside those half a year and a quarter away. */
const SHUFFLED = [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11];

type Rows = readonly (readonly number[])[];

/** [r, tokens]: each mixture is the mean of tokens that stand side by side. */
export const meansOf = (rank: number, tokens: number): number[][] =>
  Array.from({ length: rank }, (_, mixture) =>
    Array.from({ length: tokens }, (_, j) => (Math.floor((j * rank) / tokens) === mixture ? rank / tokens : 0)),
  );

export const shuffle = <T>(rows: readonly T[]): T[] => SHUFFLED.map((from) => rows[from]!);

let shuffled: { of: Arguments; inputs: Arguments } | null = null;
/** The inputs in the other order: one object for the same inputs, by which they are known again. */
export function shuffledInputs(defaults: Arguments): Arguments {
  if (shuffled?.of !== defaults)
    shuffled = {
      of: defaults,
      inputs: Object.fromEntries(Object.entries(defaults).map(([name, rows]) => [name, shuffle(rows as Rows)])),
    };
  return shuffled.inputs;
}
