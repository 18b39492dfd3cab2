import { AttentionError, readNpy, readSafetensors } from 'fovea/files';
import * as messages from '../../../build/generated/texts/own_matrices.ts';
import { checkFileSize } from '../file_size.ts';
import { Refusal } from '../refusal.ts';
import { fill, type Localized } from '../../shell/localized.ts';

/** Matrices that a visitor brings: pasted, or as CSV, JSON, npy or safetensors. Sizes are checked before anything is read. */

export type Rows = readonly (readonly number[])[];
/** By their names; '' where the text or file gives none. */
export type Matrices = ReadonlyMap<string, Rows>;

/** Megabytes of a file. */
export const LARGEST_FILE = 16;
const LONGEST_TEXT = 2 ** 20;
/** Rows or columns of a matrix. */
export const LONGEST_SIDE = 128;
const MOST_MATRICES = 16;

const refuse = (sentence: { en: string; zh: string }): never => {
  throw new Refusal(sentence);
};

const named = (name: string): Localized =>
  name === '' ? messages.theMatrix : fill(messages.matrixNamed, { name: name.slice(0, 40) });

/** The matrices of a file by the ending of its name, or by its content where it has none. */
export async function readMatrixFile(file: File): Promise<Matrices> {
  checkFileSize(file, LARGEST_FILE);
  const [, ending = ''] = /\.(\w+)$/.exec(file.name.toLowerCase()) ?? [];
  try {
    if (ending === 'npy') {
      const { shape, data } = await readNpy(file);
      return new Map([['', rowsOf('', shape, data as ArrayLike<number>)]]);
    }
    if (ending === 'safetensors') {
      const { tensors } = await readSafetensors(file);
      if (tensors.size > MOST_MATRICES) refuse(fill(messages.tooMany, { came: tensors.size, most: MOST_MATRICES }));
      return new Map([...tensors].map(([name, { shape, data }]) => [name, rowsOf(name, shape, data as ArrayLike<number>)]));
    }
  } catch (error) {
    if (error instanceof AttentionError) refuse(fill(messages.damaged, { reason: error.message }));
    throw error;
  }
  return readMatrixText(await file.text());
}

/** JSON where the text begins as JSON, otherwise rows of numbers between commas, semicolons, tabs or spaces. */
export function readMatrixText(text: string): Matrices {
  if (text.length > LONGEST_TEXT) refuse(fill(messages.longText, { came: text.length, most: LONGEST_TEXT }));
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') refuse(messages.nothing);
  return /^[[{]/.test(trimmed) ? readJson(trimmed) : new Map([['', readTable(trimmed)]]);
}

function readTable(text: string): Rows {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  if (lines.length > LONGEST_SIDE + 1)
    refuse(fill(messages.tooLong, { matrix: named(''), came: lines.length, most: LONGEST_SIDE }));
  const separator = /[,;\t]/.exec(text)?.[0] ?? ' ';
  const cells = lines.map((line) =>
    separator === ' ' ? line.trim().split(/\s+/) : line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
  );
  // A line and a column of names before the numbers, as spreadsheets have them.
  const isName = (cell: string | undefined): boolean => cell !== undefined && !isNumber(cell);
  const below = cells[0]?.slice(1).every(isName) && cells.length > 1 && (cells[0]?.length ?? 0) > 1 ? cells.slice(1) : cells;
  const beside = below.every((line) => line.length > 1 && isName(line[0])) ? below.map((line) => line.slice(1)) : below;
  return checked(
    '',
    beside.map((line, r) =>
      line.map((cell, c) =>
        isNumber(cell) ? Number(cell) : refuse(fill(messages.notNumber, { cell: cell.slice(0, 20), row: r + 1, col: c + 1 })),
      ),
    ),
  );
}

/** Whether Number reads the text, without its empty text, its hexadecimal and its infinities. */
const isNumber = (cell: string): boolean => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(cell);

function readJson(text: string): Matrices {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse(messages.notJson);
  }
  if (Array.isArray(json)) return new Map([['', checked('', json)]]);
  const object = json as Record<string, unknown>;
  // A picture that this page saved.
  if (Object.hasOwn(object, 'data') && Array.isArray(object['data'])) return new Map([['', checked('', object['data'])]]);
  const entries = Object.entries(object);
  if (entries.length > MOST_MATRICES) refuse(fill(messages.tooMany, { came: entries.length, most: MOST_MATRICES }));
  return new Map(entries.map(([name, value]) => [name, checked(name, value)]));
}

/** A vector is a matrix of one row. */
function rowsOf(name: string, shape: readonly number[], data: ArrayLike<number>): Rows {
  const [rows = 1, cols = 1] = shape.length === 1 ? [1, ...shape] : shape;
  if (shape.length !== 1 && shape.length !== 2)
    refuse(fill(messages.notMatrix, { matrix: named(name), came: `[${shape.join(', ')}]` }));
  if (Math.max(rows, cols) > LONGEST_SIDE)
    refuse(fill(messages.tooLong, { matrix: named(name), came: Math.max(rows, cols), most: LONGEST_SIDE }));
  return checked(
    name,
    Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => Number(data[r * cols + c]))),
  );
}

/** Rows of equally many finite numbers. */
function checked(name: string, value: unknown): Rows {
  const rows = Array.isArray(value) ? (value.every((row) => typeof row === 'number') ? [value] : value) : [];
  if (rows.length === 0)
    refuse(fill(messages.notMatrix, { matrix: named(name), came: Array.isArray(value) ? '[]' : typeof value }));
  if (rows.length > LONGEST_SIDE)
    refuse(fill(messages.tooLong, { matrix: named(name), came: rows.length, most: LONGEST_SIDE }));
  const first: unknown = rows[0];
  const width = Array.isArray(first) ? first.length : 0;
  if (width > LONGEST_SIDE) refuse(fill(messages.tooLong, { matrix: named(name), came: width, most: LONGEST_SIDE }));
  rows.forEach((row: unknown, r) => {
    if (!Array.isArray(row) || row.length === 0)
      return refuse(fill(messages.notMatrix, { matrix: named(name), came: typeof row }));
    if (row.length !== width) refuse(fill(messages.ragged, { row: r + 1, came: row.length, expected: width }));
    row.forEach((x: unknown, c) => {
      if (typeof x !== 'number' || !Number.isFinite(Math.fround(x)))
        refuse(fill(messages.notNumber, { cell: String(x).slice(0, 20), row: r + 1, col: c + 1 }));
    });
  });
  return rows as Rows;
}
