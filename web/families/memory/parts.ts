/** A number of a vector with the name of its axis. */
export interface Part {
  readonly name: string;
  readonly value: number;
}

/** The largest components of a vector: the axes that have at least a fiftieth of the largest number. */
export function partsOf(vector: readonly number[], axes: readonly string[]): Part[] {
  const least = Math.max(...vector.map(Math.abs)) / 50;
  return vector.flatMap((value, i) => (value !== 0 && Math.abs(value) >= least ? [{ name: axes[i] ?? '', value }] : []));
}
