/** What an instance tells about patterns: which pairs a program keeps, and into which buckets tokens fall. */
import type { Frame } from '../frame.ts';
import { describe, fail } from '../errors.ts';
import { knownAs, type PairSizes, type Tools } from '../programs.ts';
import { formatShape } from '../shapes.ts';

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
  const { findPairs, copyOut } = toolsFor(fn, fovea);
  const rules = { length: places.keys, windowLeft: -1, windowRight: -1 };
  const groups = Array.from({ length: batch * heads }, (_, g) => {
    return { ...places, ...rules, batch: Math.floor(g / heads), head: g % heads };
  });
  return compute(fn, fovea, () => (frame) => {
    const { indptr, indices, total } = findPairs(frame, words, groups, places.queries, withIndices);
    return {
      indptr: copyOut(frame, frame.heap.integers(indptr, groups.length * places.queries + 1)),
      indices: copyOut(frame, frame.heap.integers(indices, withIndices ? total : 0)),
    };
  });
}

export function hashTokens(
  fn: string,
  fovea: unknown,
  name: string,
  array: unknown,
  { buckets, rounds, seedLow, seedHigh }: Record<'buckets' | 'rounds' | 'seedLow' | 'seedHigh', number>,
): HashedTokens {
  const { instance, readOperand, readHeads, copyOut, fields } = toolsFor(fn, fovea);
  const operand = readOperand(instance, fn, name, array);
  const { shape } = operand;
  const layout = { layout: 'bhtd', heads: 1, kvHeads: 1 } as const;
  const { batch, heads, tokens, width, batchStride, headStride, tokenStride } = readHeads(fn, operand, layout, 1);
  if (width === 0) fail('shape', fn, `the width of ${name} must be at least 1, got ${formatShape(shape)}`);
  const count = rounds * batch * heads * tokens;
  const ids = compute(fn, fovea, (planned) => {
    const x = planned.place(operand);
    const target = planned.reserve(4 * count);
    // prettier-ignore
    const block = (): Record<string, number> => ({
      batch, heads, tokens, width, buckets, rounds, seedLow, seedHigh,
      x: x.address, xBatch: batchStride, xHead: headStride, xToken: tokenStride, ids: target.address,
    });
    return (frame) => {
      if (count > 0) frame.run('lshBuckets', fields, block());
      return copyOut(frame, frame.heap.integers(target.address, count));
    };
  });
  return { ids, shape, batch, heads, tokens };
}

/** A call of one step: `prepare` reserves what it needs, what that returns computes the result. */
function compute<R>(fn: string, fovea: unknown, prepare: (frame: Frame) => (frame: Frame) => R): R {
  const { instance, plan, finish } = toolsFor(fn, fovea);
  let result: R;
  const call = plan(instance, fn, (frame) => {
    const body = prepare(frame);
    frame.steps.push({ operation: null, run: () => void (result = body(frame)) });
    return () => result;
  });
  return finish(call);
}

function toolsFor(fn: string, fovea: unknown): Tools {
  const tools = knownAs(fovea)?.tools;
  if (tools === undefined) return fail('value', fn, `fovea must be what load() returned, got ${describe(fovea)}`);
  tools.instance.engine.check(fn);
  return tools;
}
