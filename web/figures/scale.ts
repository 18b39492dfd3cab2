/** How strong a cell's color is: of the whole matrix or of its row, linear or logarithmic. */
import { stepStrength } from './color.ts';
import type { Figure } from './figure.ts';
import { row } from './matrix.ts';

export interface Scale {
  readonly perRow: boolean;
  readonly log: boolean;
}

export const LINEAR: Scale = { perRow: false, log: false };
/** The logarithmic scale ends this many powers of ten below its strong end; a number beyond still has a color. */
const DECADES = 8;
/** By which factor below the strong end that is. */
export const WEAK_END = '10⁻⁸';
const FAINTEST = 0.08;

/** −1 … 1 for a number in a row of the figure; 0 only for exactly 0. */
export function strengthOf(figure: Figure, { perRow, log }: Scale): (value: number, row: number) => number {
  if (figure.colors === 'steps') return (value) => stepStrength(value, figure.limit);
  const largest = (i: number): number => Math.max(0, ...row(figure.matrix, i).map(Math.abs).filter(Number.isFinite));
  const limits = perRow ? Array.from({ length: figure.matrix.rows }, (_, i) => largest(i) || 1) : [];
  return (value, i) => {
    const part = value / (limits[i] ?? figure.limit);
    if (!log || part === 0) return part;
    return Math.sign(part) * Math.max(FAINTEST, 1 + Math.log10(Math.abs(part)) / DECADES);
  };
}
