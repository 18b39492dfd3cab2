/** What a pattern keeps, as the core of an instance tells it: a mask, a share, lists. */
import { describe, fail } from '../errors.ts';
import { checkInteger, readOptions } from '../options.ts';
import { evaluatorOf, patternSource, type Evaluator, type KeptPairs, type PairSizes } from '../programs.ts';
import { LARGEST } from './limits.ts';

/** The pairs that a pattern is asked about. */
export interface PatternSizes {
  readonly queries: number;
  readonly keys: number;
  /** Query i stands at position i + offset; default 0, may be negative. */
  readonly offset?: number | undefined;
  /** Query heads; by default as many as the pattern tells apart. */
  readonly heads?: number | undefined;
  /** Batch entries; by default as many as the pattern tells apart. */
  readonly batch?: number | undefined;
}

/** A boolean mask: 1 = may attend. */
export interface PatternMask {
  data: Uint8Array;
  shape: number[];
}

/** Kept pairs as lists. */
export interface PatternPairs {
  shape: number[];
  /** One more than there are rows. */
  indptr: Int32Array;
  indices: Int32Array;
}

interface Kept extends KeptPairs {
  readonly shape: number[];
  readonly rows: number;
  readonly keys: number;
}

export function toMask(pattern: object, fovea: unknown, sizes: unknown): PatternMask {
  const fn = 'pattern.toMask';
  const { shape, rows, keys, counts, indices } = keptPairs(fn, pattern, fovea, sizes, true);
  const data = allocate(fn, rows * keys, (length) => new Uint8Array(length));
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (const end = at + counts[row]!; at < end; at++) data[row * keys + indices[at]!] = 1;
  }
  return { data, shape };
}

export function density(pattern: object, fovea: unknown, sizes: unknown): number {
  const { rows, keys, counts } = keptPairs('pattern.density', pattern, fovea, sizes, false);
  return rows * keys === 0 ? 0 : counts.reduce((sum, count) => sum + count, 0) / (rows * keys);
}

export function pairs(pattern: object, fovea: unknown, sizes: unknown): PatternPairs {
  const { shape, rows, counts, indices } = keptPairs('pattern.pairs', pattern, fovea, sizes, true);
  const indptr = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) indptr[row + 1] = indptr[row]! + counts[row]!;
  return { shape, indptr, indices };
}

export function evaluatorFor(fn: string, fovea: unknown): Evaluator {
  const evaluator = evaluatorOf(fovea);
  if (evaluator !== undefined) return evaluator;
  return fail('value', fn, `fovea must be what load() returned, got ${describe(fovea)}`);
}

function keptPairs(fn: string, pattern: object, fovea: unknown, given: unknown, indices: boolean): Kept {
  const evaluator = evaluatorFor(fn, fovea);
  const sizes = readSizes(fn, given);
  const { queries, keys, offset } = sizes;
  const source = patternSource(pattern)!;
  const offsets = (batch: number): Int32Array | null => (offset === 0 ? null : new Int32Array(batch).fill(offset));
  const asked = { batch: sizes.batch ?? 1, heads: sizes.heads ?? 1, queries, keys };
  // A pattern may have as many heads as one of its parts was made for.
  const { fits } = source.program(fn, { ...asked, offsets: offsets(asked.batch) });
  const batch = sizes.batch ?? fits.find((fit) => fit.batch !== undefined)?.batch ?? 1;
  const heads = sizes.heads ?? fits.find((fit) => fit.heads !== undefined)?.heads ?? 1;
  const whole: PairSizes = { batch, heads, queries, keys, offsets: offsets(batch) };
  const kept = evaluator.pairs(fn, source, whole, indices);
  const { perBatch, perHead } = source.program(fn, whole);
  const shape = [...(perBatch ? [kept.batch] : []), ...(perBatch || perHead ? [kept.heads] : []), queries, keys];
  return { ...kept, shape, rows: kept.batch * kept.heads * queries, keys };
}

function readSizes(fn: string, given: unknown): PatternSizes & { readonly offset: number } {
  const sizes = readOptions<PatternSizes>(fn, given as PatternSizes, ['queries', 'keys', 'offset', 'heads', 'batch']);
  for (const name of ['queries', 'keys'] as const) {
    if (sizes[name] === undefined) fail('option', fn, `the option ${name} must be given`);
    checkInteger(fn, name, sizes[name], 0, LARGEST);
  }
  for (const name of ['heads', 'batch'] as const)
    if (sizes[name] !== undefined) checkInteger(fn, name, sizes[name], 1, 2 ** 20);
  const { offset = 0 } = sizes;
  checkInteger(fn, 'offset', offset, -LARGEST, LARGEST);
  return { ...sizes, offset };
}

function allocate<A>(fn: string, length: number, make: (length: number) => A): A {
  try {
    return make(length);
  } catch (error) {
    return fail('memory', fn, `JavaScript refused an array of ${length} pairs`, error);
  }
}
