/** Arrays as text: JSON, and CSV of one row a line. */
import type { NumericArray } from 'fovea';
import { FailureError } from './failure.ts';

/** Row-major numbers of any type. */
export interface ResultArray {
  readonly data: NumericArray;
  readonly shape: number[];
}

/** Numbers that JSON has no words for, as texts. */
const BEYOND_JSON: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** @throws FailureError with the file's name where the text is no JSON. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? (BEYOND_JSON.get(value) ?? value) : value));
  } catch (error) {
    throw new FailureError(`${where} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function writeJson(value: unknown, indent?: number): string {
  const beyond = (_: string, one: unknown) => (typeof one === 'number' && !Number.isFinite(one) ? String(one) : one);
  return JSON.stringify(value, beyond, indent);
}

/** Rows of numbers between commas, semicolons, tabs or blanks. A first row without any number is a heading and left out. */
export function parseCsv(text: string, where: string): number[][] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, n) => ({ number: n + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.length > 0);
  if (lines[0]?.cells.every((cell) => Number.isNaN(numberOf(cell)) && cell !== 'NaN')) lines.shift();
  const width = lines[0]?.cells.length;
  if (width === undefined) throw new FailureError(`${where} has no row of numbers`);
  return lines.map(({ number, cells }) => {
    if (cells.length !== width)
      throw new FailureError(`${where}, line ${number}: ${cells.length} numbers where the first row has ${width}`);
    return cells.map((cell, column) => {
      const value = numberOf(cell);
      if (Number.isNaN(value) && cell !== 'NaN')
        throw new FailureError(`${where}, line ${number}, column ${column + 1}: '${cell}' is no number`);
      return value;
    });
  });
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim();
  if (trimmed === '') return [];
  const separator = [',', ';', '\t'].find((one) => trimmed.includes(one)) ?? /\s+/;
  return trimmed.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function numberOf(cell: string): number {
  if (cell === '') return NaN;
  return BEYOND_JSON.get(cell) ?? Number(cell);
}

/** @throws FailureError for an array of more than two axes. */
export function writeCsv({ data, shape }: ResultArray, name: string): string {
  if (shape.length > 2)
    throw new FailureError(
      `CSV holds rows and columns, and ${name} has the shape [${shape.join(', ')}]: write .npy, .json or .safetensors`,
    );
  const columns = shape.at(-1) ?? 1;
  const rows = shape.length < 2 ? 1 : (shape[0] as number);
  const line = (row: number) => Array.from(data.subarray(row * columns, (row + 1) * columns)).join(',');
  return Array.from({ length: rows }, (_, row) => `${line(row)}\n`).join('');
}
