/** Patterns that say of every pair by itself whether it is kept. Documented in builders.ts. */
import { readPlain } from '../tensor/arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import { checkInteger, isFunction } from '../errors/options.ts';
import type { PairSizes } from '../attention/options/pattern_source.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import { readIntegers } from '../tensor/number_lists.ts';
import { typedArrayKind, zeros } from '../tensor/typed_arrays.ts';
import { MAX_DIM } from './limits.ts';
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
  checkSizes(fn, { batch, heads, rows, columns });
  const words =
    typedArrayKind(given) === 'Int32Array' ? (given as Int32Array) : readIntegers(fn, 'words', given, -(2 ** 31), 2 ** 31 - 1);
  const count = sizeOf([batch, heads, rows, wordsOf(columns)]);
  if (words.length !== count) fail('shape', fn, `words must be as many as the rows need, ${count}, got ${words.length}`);
  const shape = [...(batch === 1 ? [] : [batch]), ...(batch === 1 && heads === 1 ? [] : [heads]), rows, columns];
  const json = { batch, heads, rows, columns, words };
  return leaf(OP.bitmask, concat([batch, heads, rows, columns], words), `fromMask(${formatShape(shape)})`, ['bits', json], {
    perBatch: batch !== 1,
    perHead: heads !== 1,
    constraint: {
      part: 'pattern.fromMask',
      rows,
      keys: columns,
      ...(batch === 1 ? {} : { batch }),
      ...(heads === 1 ? {} : { heads }),
    },
  });
}

function checkSizes(fn: string, sizes: Omit<BitsOptions, 'words'>): void {
  Object.entries(sizes).forEach(([name, size]) => checkInteger(fn, name, size, 0, MAX_DIM));
}

export function fromMask(fn: string, mask: unknown): Node {
  const { shape, data, kind } = readPlain(fn, 'mask', mask, 'mask');
  if (kind !== 'booleans' && kind !== 'Uint8Array')
    fail(
      'value',
      fn,
      `mask must hold booleans, or be a Uint8Array (0 = forbid), got ${kind === 'numbers' ? kind : `a ${kind}`}`,
    );
  if (shape.length < 2 || shape.length > 4)
    fail('shape', fn, `mask must be [Tq, Tk], [H, Tq, Tk] or [B, H, Tq, Tk], got ${formatShape(shape)}`);
  const [columns, rows, heads = 1, batch = 1] = [...shape].reverse() as [number, number, number?, number?];
  checkSizes(fn, { batch, heads, rows, columns });
  const words = pack(fn, sizeOf([batch, heads, rows]), columns, (row) => (j) => data[row * columns + j] !== 0);
  return bits(fn, { batch, heads, rows, columns, words });
}

export function fromFunction(fn: string, keeps: PairFunction): Node {
  if (!isFunction(keeps)) fail('value', fn, `f must be a function (i, j, h, b), got ${describe(keeps)}`);
  // How much a function may depend on is how many arguments it names; of one that names none nothing is known.
  const perHead = keeps.length !== 1 && keeps.length !== 2;
  const perBatch = perHead && keeps.length !== 3;
  const resolve = (caller: string, sizes: PairSizes): Node => askAll(caller, keeps, sizes, perHead, perBatch);
  const text = `fromFunction(${keeps.name})`;
  return leaf(OP.all, [], text, ['fromFunction', keeps], { perHead, perBatch, resolve });
}

const MOST_BYTES = 256 * 2 ** 20;

/** The function's answer for each pair of a call. Rows are positions: those that no query stands at are empty. */
function askAll(fn: string, keeps: PairFunction, sizes: PairSizes, perHead: boolean, perBatch: boolean): Node {
  const { queries, keys } = sizes;
  const node =
    sizeOf([sizes.batch, sizes.heads, queries, keys]) === 0
      ? leaf(OP.all, [], '', ['all'])
      : askPairs(fn, keeps, sizes, perHead, perBatch);
  return { ...node, perHead, perBatch, constraint: null };
}

function askPairs(fn: string, keeps: PairFunction, sizes: PairSizes, perHead: boolean, perBatch: boolean): Node {
  const { queries, keys } = sizes;
  const offsets = sizes.offsets ?? (zeros(fn, 'Int32Array', perBatch ? sizes.batch : 1) as unknown as Int32Array);
  const first = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  if (first < 0) fail('value', fn, `pattern.fromFunction needs positions from 0 on, got ${first}`);
  const rows = offsets.reduce((most, offset) => Math.max(most, offset), 0) + queries;
  const [batch, heads] = [perBatch ? sizes.batch : 1, perHead ? sizes.heads : 1];
  const askRow: AskRow = (row) => {
    const [p, group] = [row % rows, Math.floor(row / rows)];
    const [h, b] = [group % heads, Math.floor(group / heads)];
    const places = perBatch ? offsets.subarray(b, b + 1) : offsets;
    return places.some((offset) => p >= offset && p < offset + queries) ? (j) => keeps(p, j, h, b) : null;
  };
  const shape = { batch, heads, rows, columns: keys };
  // Far from the first position, as in decoding, rows of bits would mostly be those of positions before.
  if (first <= queries) return bits(fn, { ...shape, words: pack(fn, batch * heads * rows, keys, askRow) });
  return listed(fn, shape, first, askRow);
}

/** The rows as lists of keys; there is none before `first`. */
function listed(fn: string, { batch, heads, rows, columns }: Omit<BitsOptions, 'words'>, first: number, askRow: AskRow): Node {
  const starts = integers(fn, batch * heads * rows + 1);
  const kept: number[] = [];
  for (let group = 0; group < batch * heads; group++) {
    starts.fill(kept.length, group * rows + 1, group * rows + first + 1);
    for (let row = group * rows + first; row < (group + 1) * rows; row++) {
      const keeps = askRow(row);
      for (let j = 0; keeps !== null && j < columns; j++) if (keeps(j)) kept.push(j);
      starts[row + 1] = kept.length;
    }
  }
  const operands = concat([batch, heads, rows, columns, kept.length, 0], starts, kept);
  return leaf(OP.csr, operands, '', ['lists']);
}

/** The kept keys of a row, as bits; null where none is kept. */
type AskRow = (row: number) => ((key: number) => boolean) | null;

/** Room for a program, which is held twice while it is encoded: a `memory` error where it is more than MOST_BYTES. */
function integers(fn: string, length: number): Int32Array {
  if (4 * length > MOST_BYTES)
    fail('memory', fn, `the pattern would hold ${4 * length} bytes for its positions, more than ${MOST_BYTES} (256 MiB)`);
  return new Int32Array(length);
}

function wordsOf(columns: number): number {
  return Math.ceil(columns / 32);
}

/** The words of `rows` rows, one bit for each key that is kept. */
function pack(fn: string, rows: number, columns: number, askRow: AskRow): Int32Array {
  const width = wordsOf(columns);
  const words = integers(fn, rows * width);
  for (let row = 0; row < rows && width > 0; row++) {
    const keeps = askRow(row);
    for (let j = 0; keeps !== null && j < columns; j++) if (keeps(j)) words[row * width + (j >> 5)]! |= 1 << (j & 31);
  }
  return words;
}
