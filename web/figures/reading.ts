import * as texts from '../../build/generated/texts/figures.ts';
import type { Localized } from '../shell/localized.ts';
import type { Figure } from './figure.ts';
import { at, row } from './matrix.ts';

type Language = keyof Localized;

const joined = (parts: readonly string[], language: Language): string =>
  parts.filter((part) => part !== '').join(texts.joint[language]);

/** "query 它, key 猫": of a list and of a single number, an axis or both have neither a title nor labels. */
export function placeText(language: Language, ...axes: readonly (readonly [title: string, label: string])[]): string {
  const places = axes.map((axis) => axis.join(' ').trim());
  return joined(places, language);
}

/** "query 它, key 猫, weight 0.50, 2nd of 8"; a pair is kept or left out, which has no rank. */
export function cellText(
  language: Language,
  { rows, cols, matrix, colors }: Figure,
  cell: { readonly row: number; readonly col: number },
  quantity: string,
  print: (x: number) => string,
): string {
  const place = placeText(language, [rows.title, rows.labels[cell.row] ?? ''], [cols.title, cols.labels[cell.col] ?? '']);
  const [value, line] = [at(matrix, cell.row, cell.col), row(matrix, cell.row)];
  if (colors === 'pairs') return joined([place, print(value)], language);
  const rank = 1 + line.filter((x) => x > value).length;
  return texts.reading[language]({ place, quantity, value: print(value), rank, count: line.length });
}

/** The meaning of the colors of an exported picture; `log` is empty where the scale is linear. */
export function legendText(language: Language, isSigned: boolean, end: string, scope: string, log: string): string {
  const colors = texts.colors[language]({ from: isSigned ? `−${end}` : '0', end });
  return joined([colors, scope, log.toLowerCase()], language);
}
