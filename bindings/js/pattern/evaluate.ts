/** The pairs that a pattern keeps, computed by an instance's core: as a mask, a density, lists. */
import { fail } from '../errors/errors.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import { patternOf } from '../attention/options/pattern_source.ts';
import { sizeOf } from '../tensor/shapes.ts';
import { findKept, type KeptPairs } from './evaluator.ts';
import { MAX_DIM } from './limits.ts';
import { constraintsOf, type Node } from './nodes.ts';
import type { PatternMask, PatternPairs, PatternSizes } from './types.ts';

interface Kept extends KeptPairs {
  readonly shape: number[];
  readonly rows: number;
  readonly keys: number;
}

export function toMask(pattern: object, node: Node, fovea: unknown, sizes: unknown): PatternMask {
  const fn = 'pattern.toMask';
  const { shape, rows, keys, indptr, indices } = keptPairs(fn, pattern, node, fovea, sizes, true);
  const data = allocate(fn, rows * keys, (length) => new Uint8Array(length));
  for (let row = 0; row < rows; row++) {
    for (let at = indptr[row]!; at < indptr[row + 1]!; at++) data[row * keys + indices[at]!] = 1;
  }
  return { data, shape };
}

export function density(pattern: object, node: Node, fovea: unknown, sizes: unknown): number {
  const { rows, keys, indptr } = keptPairs('pattern.density', pattern, node, fovea, sizes, false);
  return rows * keys === 0 ? 0 : indptr.at(-1)! / (rows * keys);
}

export function pairs(pattern: object, node: Node, fovea: unknown, sizes: unknown): PatternPairs {
  const { shape, indptr, indices } = keptPairs('pattern.pairs', pattern, node, fovea, sizes, true);
  return { shape, indptr, indices };
}

function keptPairs(fn: string, pattern: object, node: Node, fovea: unknown, given: unknown, withIndices: boolean): Kept {
  const { queries, keys, offset, ...wanted } = readSizes(fn, given);
  const constraints = constraintsOf(node);
  const batch = wanted.batch ?? constraints.find((one) => one.batch !== undefined)?.batch ?? 1;
  const heads = wanted.heads ?? constraints.find((one) => one.heads !== undefined)?.heads ?? 1;
  const offsets = offset === 0 ? null : new Int32Array(batch).fill(offset);
  const { words, perBatch, perHead } = patternOf(fn, pattern)!.program(fn, { batch, heads, queries, keys, offsets });
  const groups = [...(perBatch ? [batch] : []), ...(perBatch || perHead ? [heads] : [])];
  const rows = sizeOf(groups) * queries;
  const different = { batch: perBatch ? batch : 1, heads: perBatch || perHead ? heads : 1 };
  const lists = findKept(fn, fovea, words, { ...different, queries, keys, offset }, withIndices);
  return { ...lists, shape: [...groups, queries, keys], rows, keys };
}

function readSizes(fn: string, given: unknown): PatternSizes & { readonly offset: number } {
  const sizes = readOptions<PatternSizes>(fn, given as PatternSizes, ['queries', 'keys', 'offset', 'heads', 'batch']);
  for (const name of ['queries', 'keys'] as const) {
    if (sizes[name] === undefined) fail('option', fn, `the option ${name} must be given`);
    checkInteger(fn, name, sizes[name], 0, MAX_DIM);
  }
  for (const name of ['heads', 'batch'] as const)
    if (sizes[name] !== undefined) checkInteger(fn, name, sizes[name], 1, 2 ** 20);
  const { offset = 0 } = sizes;
  checkInteger(fn, 'offset', offset, -MAX_DIM, MAX_DIM);
  return { ...sizes, offset };
}

function allocate<A>(fn: string, length: number, make: (length: number) => A): A {
  try {
    return make(length);
  } catch (error) {
    return fail('memory', fn, `JavaScript refused an array of ${length} pairs`, error);
  }
}
