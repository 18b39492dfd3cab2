import type { Figure, FigureAxis, Link } from './figure.ts';
import { at } from './matrix.ts';

/** A part of a figure: some of its rows, some of its columns. Products leave out the inner axes that contribute nothing. */
export interface Crop {
  readonly rows?: readonly number[];
  readonly cols?: readonly number[];
}

/** The rows of `right` that hold anything but zeros; one row if there is none. */
export function usedRows({ matrix }: Figure): number[] {
  const used = Array.from({ length: matrix.rows }, (_, r) => r).filter((r) =>
    Array.from({ length: matrix.cols }, (_, c) => at(matrix, r, c)).some((x) => x !== 0),
  );
  return used.length > 0 ? used : [0];
}

export function cropFigure(figure: Figure, { rows, cols }: Crop): Figure {
  if (!rows && !cols) return figure;
  const { matrix } = figure;
  const r = rows ?? Array.from({ length: matrix.rows }, (_, i) => i);
  const c = cols ?? Array.from({ length: matrix.cols }, (_, i) => i);
  return {
    ...figure,
    matrix: { data: Float32Array.from(r.flatMap((i) => c.map((j) => at(matrix, i, j)))), rows: r.length, cols: c.length },
    rows: rows ? cropAxis(figure.rows, rows) : figure.rows,
    cols: cols ? cropAxis(figure.cols, cols) : figure.cols,
  };
}

/** A cell of the whole figure as a cell of the part, or null where the part does not have it; and back. */
export function intoCrop(cell: { row: number; col: number }, { rows, cols }: Crop): { row: number; col: number } | null {
  const row = rows ? rows.indexOf(cell.row) : cell.row;
  const col = cols ? cols.indexOf(cell.col) : cell.col;
  return row < 0 || col < 0 ? null : { row, col };
}

export function outOfCrop(cell: { row: number; col: number }, { rows, cols }: Crop): { row: number; col: number } {
  return { row: rows?.[cell.row] ?? cell.row, col: cols?.[cell.col] ?? cell.col };
}

export function linkIntoCrop(link: Link, crop: Crop): Link | null {
  const inside = intoCrop({ row: link.row ?? crop.rows?.[0] ?? 0, col: link.col ?? crop.cols?.[0] ?? 0 }, crop);
  if (!inside) return null;
  return {
    ...(link.row === undefined ? {} : { row: inside.row }),
    ...(link.col === undefined ? {} : { col: inside.col }),
  };
}

function cropAxis(axis: FigureAxis, kept: readonly number[]): FigureAxis {
  const blocks = (axis.blocks ?? []).flatMap((block, b, all) => {
    const end = all[b + 1]?.from ?? axis.labels.length;
    const from = kept.findIndex((i) => i >= block.from && i < end);
    return from < 0 ? [] : [{ ...block, from }];
  });
  return { title: axis.title, labels: kept.map((i) => axis.labels[i] ?? ''), blocks };
}
