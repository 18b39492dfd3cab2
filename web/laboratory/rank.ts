/** How many independent rows a matrix has: those that elimination with full pivots leaves above `tolerance` of its largest number. */
export function rankOf(numbers: ArrayLike<number>, size: number, tolerance = 1e-5): number {
  const rows = Array.from({ length: size }, (_, i) => Float64Array.from({ length: size }, (_, j) => numbers[i * size + j]!));
  let largest = 0;
  for (const row of rows) for (const x of row) largest = Math.max(largest, Math.abs(x));
  for (let rank = 0; rank < size; rank++) {
    let [most, at, column] = [0, rank, rank];
    for (let i = rank; i < size; i++)
      for (let j = rank; j < size; j++) {
        const x = Math.abs(rows[i]![j]!);
        if (x > most) [most, at, column] = [x, i, j];
      }
    if (most <= tolerance * largest) return rank;
    [rows[rank], rows[at]] = [rows[at]!, rows[rank]!];
    if (column !== rank) for (const row of rows) [row[rank], row[column]] = [row[column]!, row[rank]!];
    const pivot = rows[rank]!;
    for (let i = rank + 1; i < size; i++) {
      const row = rows[i]!;
      const factor = row[rank]! / pivot[rank]!;
      if (factor !== 0) for (let j = rank; j < size; j++) row[j]! -= factor * pivot[j]!;
    }
  }
  return size;
}
