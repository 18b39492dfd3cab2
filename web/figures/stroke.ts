interface Cell {
  readonly row: number;
  readonly col: number;
}

/** The cells on the line from one to another, without the first: a fast stroke leaves no gaps. */
export function cellsTo(from: Cell, to: Cell): Cell[] {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.col - from.col));
  return Array.from({ length: steps }, (_, i) => ({
    row: from.row + Math.round(((to.row - from.row) * (i + 1)) / steps),
    col: from.col + Math.round(((to.col - from.col) * (i + 1)) / steps),
  }));
}
