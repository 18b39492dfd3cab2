/** Numbers of patches and frames made comparable: their dot product is the cosine of the angle between them. */

/** A flat array of `width` numbers a row. */
export interface Rows {
  readonly data: Float32Array;
  readonly width: number;
}

/** Shorter than this is rounding, not a direction. */
const SHORTEST = 1e-4;

/** Each row minus its own mean, then divided by its length: brightness and loudness are gone. A row of equal numbers becomes 0. */
export function centeredRows({ data, width }: Rows): Rows {
  const result = new Float32Array(data.length);
  for (let start = 0; start < data.length; start += width) {
    const row = data.subarray(start, start + width);
    const mean = row.reduce((sum, x) => sum + x, 0) / width;
    const length = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) * (x - mean), 0));
    if (length < SHORTEST * Math.sqrt(width)) continue;
    for (let i = 0; i < width; i++) result[start + i] = (row[i]! - mean) / length;
  }
  return { data: result, width };
}

/** Two angles for each cell of a grid: the nearer two cells, the larger their dot product, 1 for the same one. */
export function gridPositions(rows: number, cols: number): Rows {
  const at = (n: number, count: number): number[] => {
    const angle = count === 1 ? 0 : (Math.PI * n) / (count - 1);
    return [Math.cos(angle) / Math.SQRT2, Math.sin(angle) / Math.SQRT2];
  };
  const cells = Array.from({ length: rows * cols }, (_, n) => [...at(n % cols, cols), ...at(Math.floor(n / cols), rows)]);
  return { data: Float32Array.from(cells.flat()), width: 4 };
}

/** Rows of two kinds side by side, each multiplied by its own number. */
export function joinedRows(a: Rows, b: Rows, timesA: number, timesB: number): Rows {
  const width = a.width + b.width;
  const count = a.data.length / a.width;
  const data = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < a.width; i++) data[row * width + i] = timesA * a.data[row * a.width + i]!;
    for (let i = 0; i < b.width; i++) data[row * width + a.width + i] = timesB * b.data[row * b.width + i]!;
  }
  return { data, width };
}
