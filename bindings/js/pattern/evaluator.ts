/** The questions about patterns that an instance answers: which pairs a program keeps, and into which buckets tokens fall. */
import { LSH_BLOCK, type LshBlock } from '../../../build/generated/blocks/lsh.ts';
import { fail } from '../errors/errors.ts';
import { compute } from '../call/call.ts';
import { copyOut } from '../call/outputs.ts';
import { readHeads } from '../attention/options/layout.ts';
import { findPairs } from '../attention/request/pattern_pairs.ts';
import type { PairSizes } from '../attention/options/pattern_source.ts';
import { instanceOf } from '../runtime/instances.ts';
import { readOperand } from '../tensor/operands.ts';
import { formatShape } from '../tensor/shapes.ts';

/** The keys of row r, out of [batch, heads, Tq]: indices[indptr[r]] up to indices[indptr[r + 1]], ascending. */
export interface KeptPairs {
  readonly indptr: Int32Array;
  /** Empty unless asked for. */
  readonly indices: Int32Array;
}

/** Buckets of an array [..., tokens, width]: [rounds, batch, heads, tokens]. */
export interface HashedTokens {
  readonly ids: Int32Array;
  readonly shape: readonly number[];
  readonly batch: number;
  readonly heads: number;
  readonly tokens: number;
}

export function findKept(
  fn: string,
  fovea: unknown,
  words: Int32Array,
  { batch, heads, ...places }: Omit<PairSizes, 'offsets'> & { readonly offset: number },
  withIndices: boolean,
): KeptPairs {
  const instance = instanceOf(fn, fovea);
  const rules = { length: places.keys, windowLeft: -1, windowRight: -1 };
  const groups = batch * heads;
  const groupOf = (g: number): Record<string, number> => {
    return { ...places, ...rules, batch: Math.floor(g / heads), head: g % heads };
  };
  return compute(instance, fn, (arena) => () => {
    const { indptr, indices, total } = findPairs(arena, words, groups, groupOf, places.queries, withIndices);
    return {
      indptr: copyOut(arena, arena.heap.integers(indptr, groups * places.queries + 1)),
      indices: copyOut(arena, arena.heap.integers(indices, withIndices ? total : 0)),
    };
  });
}

export function hashTokens(
  fn: string,
  fovea: unknown,
  name: string,
  array: unknown,
  { buckets, rounds, seed }: Record<'buckets' | 'rounds' | 'seed', number>,
): HashedTokens {
  const instance = instanceOf(fn, fovea);
  const operand = readOperand(instance, fn, name, array);
  const { shape } = operand;
  const layout = { layout: 'bhtd', heads: 1, kvHeads: 1 } as const;
  const { batch, heads, tokens, width, batchStride, headStride, tokenStride } = readHeads(fn, operand, layout, 1);
  if (width === 0) fail('shape', fn, `the width of ${name} must be at least 1, got ${formatShape(shape)}`);
  const count = rounds * batch * heads * tokens;
  const ids = compute(instance, fn, (arena) => {
    const x = arena.place(operand);
    const target = arena.reserve(4 * count);
    // prettier-ignore
    const block = (): LshBlock => ({
      batch, heads, tokens, width, buckets, rounds, seed,
      x: x.address, xBatch: batchStride, xHead: headStride, xToken: tokenStride, ids: target.address,
    });
    return () => {
      if (count > 0) arena.run('lshBuckets', LSH_BLOCK, block());
      return copyOut(arena, arena.heap.integers(target.address, count));
    };
  });
  return { ids, shape, batch, heads, tokens };
}
