/** Arrays as text, as NumPy and PyTorch print them: rounded, rows below each other, the middle of large arrays left out. */
import { sizeOf, type Shape } from './shapes.ts';

/** More numbers are not printed; each axis is then shortened to its ends. */
const MAX_NUMBERS = 1000;
/** How many entries of an axis are shown at each end: the first of these with which no more than MAX_NUMBERS are. */
const ENDS = [Infinity, 3, 2, 1];
/** A longer row goes on in the next line. */
const MAX_LINE = 100;

export interface FormattedNumbers {
  readonly text: string;
  readonly isShortened: boolean;
}

/** The numbers of an array of this shape and strides; `read` gives one by its offset, `digits` are those after the point. */
export function formatNumbers(
  shape: Shape,
  strides: Shape,
  read: (offset: number) => number,
  digits: number,
): FormattedNumbers {
  if (sizeOf(shape) === 0) return { text: '[]', isShortened: false };
  const ends = ENDS.find((most) => shape.reduce((all, length) => all * Math.min(length, 2 * most), 1) <= MAX_NUMBERS);
  if (ends === undefined) return { text: '[…]', isShortened: true };
  const isCut = (length: number): boolean => length > 2 * ends;
  const numbers: number[] = [];
  const visit = (axis: number, offset: number): void => {
    if (axis === shape.length) {
      numbers.push(read(offset));
      return;
    }
    const length = shape[axis]!;
    for (let n = 0; n < length; n++) {
      if (isCut(length) && n === ends) n = length - ends;
      visit(axis + 1, offset + n * strides[axis]!);
    }
  };
  visit(0, 0);
  const texts = textsOf(numbers, digits);
  const width = Math.max(...texts.map(({ length }) => length));
  let next = 0;
  const render = (axis: number): string => {
    if (axis === shape.length) return texts[next++]!.padStart(shape.length === 0 ? 0 : width);
    const length = shape[axis]!;
    const parts = Array.from({ length: Math.min(length, 2 * ends) }, () => render(axis + 1));
    if (isCut(length)) parts.splice(ends, 0, '…');
    const indent = ' '.repeat(axis + 1);
    if (axis < shape.length - 1) return `[${parts.join(`,${'\n'.repeat(shape.length - axis - 1)}${indent}`)}]`;
    const perLine = Math.max(1, Math.floor((MAX_LINE - axis) / (width + 2)));
    const lines = parts.flatMap((_, n) => (n % perLine === 0 ? [parts.slice(n, n + perLine).join(', ')] : []));
    return `[${lines.join(`,\n${indent}`)}]`;
  };
  return { text: render(0), isShortened: shape.some(isCut) };
}

/**
 * Integers as they are; else as many digits after the point for all, or with exponents where the largest is far from 1. A number that would be
 * rounded to 0 keeps its exponent: 0 is written for what is 0 alone, as the weight of a masked key.
 */
function textsOf(numbers: readonly number[], digits: number): string[] {
  const finite = numbers.filter(Number.isFinite);
  const largest = Math.max(0, ...finite.map(Math.abs));
  const areIntegers = largest < 1e7 && finite.every(Number.isInteger);
  const last = Number(`1e-${digits}`);
  const hasExponents = largest >= 1e6 || largest < last;
  return numbers.map((x) => {
    if (!Number.isFinite(x) || x === 0 || areIntegers) return String(x);
    if (hasExponents) return x.toExponential(digits);
    return Math.abs(x) < 0.5 * last ? x.toExponential(0) : x.toFixed(digits);
  });
}
