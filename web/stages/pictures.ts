/** Arrays of a run as pictures: two axes at a time, labeled as the catalog labels its arrays. */
import type { TraceAxis, TraceStage } from 'fovea';
import type { Defaults, Provenance } from 'fovea/catalog';
import type { Figure, FigureAxis, Link, Role } from '../figures/figure.ts';
import type { Localized } from '../shell/localized.ts';
import { flatOf, type Index, type Source } from './arithmetic/expr.ts';
import { argumentAxis, axisWords } from './words.ts';

/** An array with what is known of its axes. */
export interface Picture {
  readonly key: string;
  readonly source: Source;
  readonly axes: readonly AxisOfPicture[];
  /** A probability for each entry of a line. */
  readonly isDistribution: boolean;
  /** The largest of all its numbers: one scale for every slice. */
  readonly limit: number;
  /** Fields of its figure that the array alone does not give: seeds, sums, an origin of its own. */
  readonly figure?: Partial<Figure>;
}

export interface AxisOfPicture extends Omit<FigureAxis, 'title'> {
  readonly title: Localized;
  readonly size: number;
}

/** The part of an array that one picture shows: places on the leading axes, and where its rows and columns begin. */
export interface Slice {
  readonly leading: Index;
  readonly row: number;
  readonly col: number;
}
export const FIRST: Slice = { leading: [], row: 0, col: 0 };

type Labels = Defaults['labels'];

export const keyOf = ({ kind, name }: Source): string => `${kind}.${name}`;

export function pictureOfStage(stage: TraceStage, source: Source, labels: Labels): Picture {
  const axes = stage.axes.map((axis, n) => ({
    title: axisWords[axis],
    size: stage.shape[n] ?? 1,
    labels: labelsOf(stage, n, labels),
  }));
  return picture(source, axes);
}

export function pictureOfArgument(source: Source, labels: Labels): Picture {
  const known = labels[source.name] ?? [];
  const axes = source.shape.map((size, n) => ({
    title: argumentAxis(n, source.shape.length),
    size,
    labels: known[n]?.length === size ? known[n] : numbered(size),
  }));
  return picture(source, axes);
}

function picture(source: Source, axes: readonly AxisOfPicture[]): Picture {
  let limit = 0;
  for (let i = 0; i < source.data.length; i++) {
    const size = Math.abs(source.data[i] ?? 0);
    if (Number.isFinite(size) && size > limit) limit = size;
  }
  return { key: keyOf(source), source, axes, isDistribution: isDistribution(source), limit: limit || 1 };
}

/** Whether each line along the last axis or the one before sums to 1 or is empty. */
function isDistribution({ shape, data }: Source): boolean {
  const size = data.length;
  const width = shape.at(-1) ?? 1;
  if (width < 2 || Array.from(data).some((x) => !(x >= 0))) return false;
  const sumsToOne = (step: number, count: number): boolean => {
    for (let start = 0; start < size; start += step * count)
      for (let line = start; line < start + step; line++) {
        let sum = 0;
        for (let i = 0; i < count; i++) sum += data[line + i * step] ?? 0;
        if (Math.abs(sum - 1) > 1e-3 && sum !== 0) return false;
      }
    return true;
  };
  return sumsToOne(1, width) || (shape.length > 1 && sumsToOne(width, shape.at(-2) ?? 1));
}

/** Where the labels of a stage's axis may come from, the likeliest first. */
const SOURCES: Readonly<Partial<Record<TraceAxis, readonly string[]>>> = {
  query: ['q', 'x', 'X', 'a', 'query', 'hidden', 'h', 'H', 'points'],
  key: ['k', 'x', 'X', 'b', 'hidden', 'h', 'H', 'points'],
  token: ['x', 'X', 'H', 'h', 'source', 'document', 'points', 'hidden', 'q', 'k', 'words'],
  step: ['decoder', 'decoderInputs', 'decoderIds', 'g'],
  word: ['Wo', 'Ws', 'Vprime', 'Wa', 'embedding', 'We'],
  sentence: ['story', 'sentenceEnds', 'words'],
  memory: ['keys'],
  candidate: ['candidates'],
  base: ['mu'],
  hop: ['R', 'C'],
  class: ['Wc', 'W1'],
  row: ['image'],
  column: ['image'],
};

function labelsOf({ name, axes, shape, formula }: TraceStage, n: number, labels: Labels): readonly string[] {
  const size = shape[n] ?? 1;
  const find = (from: string, places: 'first' | 'last' | 'any'): readonly string[] | undefined =>
    labels[from]?.find(
      (list, place, all) =>
        list?.length === size &&
        (places === 'any' || (places === 'last' ? place === all.length - 1 && place > 0 : place < Math.max(1, all.length - 1))),
    ) ?? undefined;
  const axis = axes[n];
  if (axis === 'feature' || axis === 'valueFeature') {
    const letter = /^(?:query|key|value)/.exec(name)?.[0]?.[0] ?? 'v';
    const projected = /W/.test(formula);
    const from = projected ? [`W${letter}`, letter] : [letter, 'x', 'X', 'H', 'h', 'source', 'table', 'Wv', 'values', 'mu'];
    return first(from, (one) => find(one, 'last')) ?? numbered(size);
  }
  const from = axis ? (SOURCES[axis] ?? []) : [];
  const places = axis === 'word' || axis === 'class' ? 'any' : 'first';
  return first(from, (one) => find(one, places)) ?? numbered(size);
}

const first = <T>(list: readonly string[], find: (one: string) => T | undefined): T | undefined => {
  for (const one of list) {
    const found = find(one);
    if (found) return found;
  }
  return undefined;
};

const numbered = (size: number): string[] => Array.from({ length: size }, (_, i) => String(i + 1));

/** Rows and columns of a picture: a vector is one row. */
export const rowsOf = ({ axes }: Picture): AxisOfPicture | null => axes.at(-2) ?? null;
export const colsOf = ({ axes }: Picture): AxisOfPicture => axes.at(-1) ?? { title: { en: '', zh: '' }, size: 1, labels: [''] };

/** The index of a cell, and back to a cell of the slice; null where the slice does not have it. */
export function indexOfCell(
  { axes }: Picture,
  { leading }: Slice,
  { row, col }: Link & { row: number; col: number },
): number[] {
  if (axes.length === 0) return [];
  return axes.length === 1 ? [col] : [...axes.slice(0, -2).map((_, n) => leading[n] ?? 0), row, col];
}

export function cellOf({ axes }: Picture, { leading }: Slice, index: Index): { row: number; col: number } | null {
  const shown = axes.slice(0, -2).every((_, n) => (leading[n] ?? 0) === index[n]);
  return shown ? { row: index.at(-2) ?? 0, col: index.at(-1) ?? 0 } : null;
}

interface FigureTexts {
  readonly letter: string;
  readonly provenance: Provenance;
  /** An axis in the page's language. */
  readonly title: (text: Localized) => string;
}

export function figureOf(picture: Picture, slice: Slice, { letter, provenance, title }: FigureTexts): Figure {
  const [rows, cols] = [rowsOf(picture), colsOf(picture)];
  const { source } = picture;
  const start = flatOf(source.shape, indexOfCell(picture, slice, { row: 0, col: 0 }));
  const count = (rows?.size ?? 1) * cols.size;
  const axis = (of: AxisOfPicture | null): FigureAxis => (of ? { ...of, title: title(of.title) } : { title: '', labels: [''] });
  return {
    id: picture.key,
    letter,
    matrix: { data: Array.prototype.slice.call(source.data, start, start + count), rows: rows?.size ?? 1, cols: cols.size },
    rows: axis(rows),
    cols: axis(cols),
    colors: picture.isDistribution ? 'weights' : 'signed',
    limit: picture.limit,
    role: roleOf(source.name),
    provenance,
    editable: false,
    ...picture.figure,
  };
}

function roleOf(name: string): Role {
  if (/quer|^q$|^Wq$/i.test(name)) return 'query';
  if (/key|^k$|^Wk$/i.test(name)) return 'key';
  return /^value|^v$|^Wv$/i.test(name) ? 'value' : 'plain';
}
