import type { AxisBlock, Figure } from './figure.ts';
import { at } from './matrix.ts';
import { short, weight } from './format.ts';
import { settings } from '../shell/settings.svelte.ts';

/** Where the parts of a heatmap stand. All in CSS pixels. "Shown" rows and columns are those on the screen. */

export interface Shown {
  readonly rows: readonly string[];
  readonly cols: readonly string[];
  readonly rowBlocks: readonly AxisBlock[];
  readonly colBlocks: readonly AxisBlock[];
  readonly value: (row: number, col: number) => number;
  readonly masked: (row: number, col: number) => boolean;
}

/** A figure as row notation (as it is) or column notation (transposed) draws it. */
export function show(figure: Figure, transposed: boolean): Shown {
  const [r, c] = transposed ? [figure.cols, figure.rows] : [figure.rows, figure.cols];
  return {
    rows: r.labels,
    cols: c.labels,
    rowBlocks: r.blocks ?? [],
    colBlocks: c.blocks ?? [],
    value: (row, col) => (transposed ? at(figure.matrix, col, row) : at(figure.matrix, row, col)),
    masked: (row, col) =>
      figure.masked !== undefined && (transposed ? at(figure.masked, col, row) : at(figure.masked, row, col)) === 1,
  };
}

export interface Geometry {
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Where the first cell begins; the labels stand before it. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly turnedLabels: boolean;
  readonly font: number;
  /** Numbers printed in the cells, or null where they do not fit. */
  readonly print: ((x: number) => string) | null;
}

export type Measure = (text: string, font: number) => number;

/** Labels are never smaller; Chinese characters need more. */
export const labelFont = (): number => (settings.language === 'zh' ? 14 : 12);
const BRACKET = 7;
const FEW_ROWS = 8;
const LONGEST_LABEL = 84;
/** The height of the line that names blocks of columns. */
const BLOCK_NAME = 20;

export const labelWidth = (labels: readonly string[], measure: Measure): number =>
  Math.min(LONGEST_LABEL, Math.max(0, ...labels.map((label) => measure(label, labelFont()))));

/** The width that a heatmap needs beside its cells, from left to right. */
export const sideWidth = (shown: Shown, measure: Measure): number =>
  Math.ceil(labelWidth(shown.rows, measure)) + 6 + 2 * BRACKET;

export function layout(shown: Shown, cellWidth: number, digits: number, colors: Figure['colors'], measure: Measure): Geometry {
  // A picture of few rows shows the label of each.
  const least = shown.rows.length <= FEW_ROWS ? labelFont() + 4 : 0;
  const cellHeight = Math.max(least, Math.min(cellWidth, shown.rows.length <= 5 ? 38 : 28));
  const turnedLabels = shown.cols.some((label) => measure(label, labelFont()) > cellWidth - 2);
  const left = Math.ceil(labelWidth(shown.rows, measure)) + 6 + BRACKET;
  const blockNames = shown.colBlocks.length > 1 ? BLOCK_NAME : 0;
  const top = blockNames + (turnedLabels ? Math.ceil(labelWidth(shown.cols, measure)) + 8 : labelFont() + 8);
  return {
    cellWidth,
    cellHeight,
    left,
    top,
    width: left + cellWidth * shown.cols.length + BRACKET,
    height: top + cellHeight * shown.rows.length + 3,
    turnedLabels,
    ...printing(shown, cellWidth, cellHeight, digits, colors, measure),
  };
}

/** Nothing for 0 digits; else the most digits that fit every cell, at the largest size. */
function printing(
  shown: Shown,
  width: number,
  height: number,
  digits: number,
  colors: Figure['colors'],
  measure: Measure,
): Pick<Geometry, 'font' | 'print'> {
  if (colors === 'pairs' || digits === 0 || width < 15 || height < 13) return { font: 0, print: null };
  const values = shown.rows.flatMap((_, r) => shown.cols.map((_, c) => shown.value(r, c)));
  const precisions = [[digits, 2], ...[digits, 3, 2, 1].filter((n) => n <= digits).map((n) => [n, 0])] as [number, number][];
  for (const [places, mantissa] of precisions) {
    const print = (x: number): string => {
      if (colors === 'steps') return x === 0 ? '' : String(x);
      return colors === 'weights' ? weight(x, places, mantissa) : short(x, places, false, mantissa);
    };
    const texts = [...new Set(values.map(print))];
    for (const font of [15, 13, 12]) {
      if (font < height - 3 && texts.every((text) => measure(text, font) <= width - (width < 30 ? 4 : 6)))
        return { font, print };
    }
  }
  return { font: 0, print: null };
}

/** The cell under a point, or null. */
export function cellAt(geometry: Geometry, shown: Shown, x: number, y: number): { row: number; col: number } | null {
  const col = Math.floor((x - geometry.left) / geometry.cellWidth);
  const row = Math.floor((y - geometry.top) / geometry.cellHeight);
  const inside = col >= 0 && row >= 0 && col < shown.cols.length && row < shown.rows.length;
  return inside ? { row, col } : null;
}
