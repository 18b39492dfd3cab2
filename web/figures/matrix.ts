/** Row-major numbers with two axes: what every figure of a room shows. */
export interface Matrix {
  readonly data: ArrayLike<number>;
  readonly rows: number;
  readonly cols: number;
}

export function at(m: Matrix, row: number, col: number): number {
  return m.data[row * m.cols + col] ?? NaN;
}

export function row(m: Matrix, i: number): number[] {
  return Array.from({ length: m.cols }, (_, j) => at(m, i, j));
}

export function column(m: Matrix, j: number): number[] {
  return Array.from({ length: m.rows }, (_, i) => at(m, i, j));
}

export function nested(m: Matrix): number[][] {
  return Array.from({ length: m.rows }, (_, i) => row(m, i));
}

export function fromRows(rows: readonly (readonly number[])[]): Matrix {
  return { data: Float32Array.from(rows.flat()), rows: rows.length, cols: rows[0]?.length ?? 0 };
}

export function zeros(rows: number, cols: number): { data: Float32Array; rows: number; cols: number } {
  return { data: new Float32Array(rows * cols), rows, cols };
}

export function transpose(m: Matrix): Matrix {
  const result = zeros(m.cols, m.rows);
  for (let i = 0; i < m.rows; i++) for (let j = 0; j < m.cols; j++) result.data[j * m.rows + i] = at(m, i, j);
  return result;
}

/** A copy with one number replaced. */
export function withCell(m: Matrix, i: number, j: number, value: number): Matrix {
  const data = Float32Array.from(m.data);
  data[i * m.cols + j] = value;
  return { data, rows: m.rows, cols: m.cols };
}

export function sameNumbers(a: Matrix, b: Matrix): boolean {
  return a.rows === b.rows && a.cols === b.cols && Array.from(a.data).every((x, i) => Object.is(x, b.data[i]));
}

/** The largest finite absolute value, or 1 where all are zero: the ends of a color scale. */
export function extent(m: Matrix): number {
  let most = 0;
  for (let i = 0; i < m.rows * m.cols; i++) {
    const x = Math.abs(m.data[i] ?? 0);
    if (x > most && Number.isFinite(x)) most = x;
  }
  return most || 1;
}
