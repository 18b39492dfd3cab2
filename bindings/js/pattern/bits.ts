/** Patterns that say of every pair by itself whether it is kept. Documented in builders.ts. */
import { readPlain } from '../arrays.ts';
import { describe, fail } from '../errors.ts';
import { checkInteger } from '../options.ts';
import type { PairSizes } from '../programs.ts';
import { formatShape } from '../shapes.ts';
import { readIntegers } from './integers.ts';
import { LARGEST } from './limits.ts';
import { concat, leaf, OP, type Node } from './nodes.ts';
import type { PairFunction } from './types.ts';

/** A mask of booleans, one bit each: rows of whole words, of each head of each batch entry. */
export interface BitsOptions {
  readonly batch: number;
  readonly heads: number;
  readonly rows: number;
  readonly columns: number;
  readonly words: ArrayLike<number>;
}

export function bits(fn: string, { batch, heads, rows, columns, words: given }: BitsOptions): Node {
  Object.entries({ batch, heads, rows, columns }).forEach(([name, size]) => checkInteger(fn, name, size, 0, LARGEST));
  const words = given instanceof Int32Array ? given : readIntegers(fn, 'words', given, -(2 ** 31), 2 ** 31 - 1);
  const count = batch * heads * rows * wordsOf(columns);
  if (words.length !== count) fail('shape', fn, `words must be as many as the rows need, ${count}, got ${words.length}`);
  const shape = [...(batch === 1 ? [] : [batch]), ...(batch === 1 && heads === 1 ? [] : [heads]), rows, columns];
  const json = { batch, heads, rows, columns, words };
  return leaf(OP.bits, concat([batch, heads, rows, columns], words), `fromMask(${formatShape(shape)})`, ['bits', json], {
    perBatch: batch !== 1,
    perHead: heads !== 1,
    fit: {
      part: 'pattern.fromMask',
      rows,
      keys: columns,
      ...(batch === 1 ? {} : { batch }),
      ...(heads === 1 ? {} : { heads }),
    },
  });
}

export function fromMask(fn: string, mask: unknown): Node {
  const { shape, data, kind } = readPlain(fn, 'mask', mask, true);
  if (kind !== 'booleans' && kind !== 'Uint8Array')
    fail('value', fn, `mask must hold booleans, or be a Uint8Array (0 = forbid), got ${describe(data)}`);
  if (shape.length < 2 || shape.length > 4)
    fail('shape', fn, `mask must be [Tq, Tk], [H, Tq, Tk] or [B, H, Tq, Tk], got ${formatShape(shape)}`);
  const [columns, rows, heads = 1, batch = 1] = [...shape].reverse() as [number, number, number?, number?];
  const words = pack(batch * heads * rows, columns, (row) => (j) => data[row * columns + j] !== 0);
  return bits(fn, { batch, heads, rows, columns, words });
}

export function fromFunction(fn: string, keeps: PairFunction): Node {
  if (typeof keeps !== 'function') fail('value', fn, `f must be a function (i, j, h, b), got ${describe(keeps)}`);
  // How much a function may depend on is how many arguments it names; of one that names none nothing is known.
  const perHead = keeps.length !== 1 && keeps.length !== 2;
  const perBatch = perHead && keeps.length !== 3;
  const resolve = (caller: string, sizes: PairSizes): Node => askAll(caller, keeps, sizes, perHead, perBatch);
  const text = `fromFunction(${keeps.name})`;
  return leaf(OP.all, [], text, ['fromFunction', keeps], { perHead, perBatch, resolve });
}

/** What the function says of each pair of a call. Rows are positions: those that no query stands at are empty. */
function askAll(fn: string, keeps: PairFunction, sizes: PairSizes, perHead: boolean, perBatch: boolean): Node {
  const { queries, keys } = sizes;
  const offsets = [...(sizes.offsets ?? new Int32Array(sizes.batch))];
  const first = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  if (first < 0) fail('value', fn, `pattern.fromFunction needs positions from 0 on, got ${first}`);
  const rows = offsets.reduce((most, offset) => Math.max(most, offset), 0) + queries;
  const [batch, heads] = [perBatch ? sizes.batch : 1, perHead ? sizes.heads : 1];
  const askRow: AskRow = (row) => {
    const [p, group] = [row % rows, Math.floor(row / rows)];
    const [h, b] = [group % heads, Math.floor(group / heads)];
    const places = perBatch ? [offsets[b]!] : offsets;
    return places.some((offset) => p >= offset && p < offset + queries) ? (j) => keeps(p, j, h, b) : null;
  };
  const shape = { batch, heads, rows, columns: keys };
  // Far from the first position, as in decoding, rows of bits would mostly be those of positions before.
  const node =
    first > queries ? listed(shape, askRow) : bits(fn, { ...shape, words: pack(batch * heads * rows, keys, askRow) });
  return { ...node, perHead, perBatch, fit: null };
}

/** The same rows as lists of keys. */
function listed({ batch, heads, rows, columns }: Omit<BitsOptions, 'words'>, askRow: AskRow): Node {
  const starts = new Int32Array(batch * heads * rows + 1);
  const kept: number[] = [];
  for (let row = 0; row < batch * heads * rows; row++) {
    const keeps = askRow(row);
    for (let j = 0; keeps !== null && j < columns; j++) if (keeps(j)) kept.push(j);
    starts[row + 1] = kept.length;
  }
  const operands = concat([batch, heads, rows, columns, kept.length, 0], starts, kept);
  return leaf(OP.lists, operands, '', ['lists']);
}

/** What says of a row's keys whether they are kept; null where none is. */
type AskRow = (row: number) => ((key: number) => boolean) | null;

function wordsOf(columns: number): number {
  return Math.ceil(columns / 32);
}

/** The words of `rows` rows, one bit for each key that is kept. */
function pack(rows: number, columns: number, askRow: AskRow): Int32Array {
  const width = wordsOf(columns);
  const words = new Int32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const keeps = askRow(row);
    for (let j = 0; keeps !== null && j < columns; j++) if (keeps(j)) words[row * width + (j >> 5)]! |= 1 << (j & 31);
  }
  return words;
}
