/** Weights of the allowed pairs alone: counted and listed once the call runs, then written by the core. */
import { NORMALIZER_KIND } from '../../../../build/generated/enums/normalizer_kind.ts';
import { PATTERN_OP } from '../../../../build/generated/enums/pattern_op.ts';
import type { AttentionBlock } from '../../../../build/generated/blocks/attention.ts';
import type { PatternBlock } from '../../../../build/generated/blocks/pattern.ts';
import type { AttentionRequest, SparseOutput } from './attention_request.ts';
import type { CallArena } from '../../call/call_arena.ts';
import { copyOut } from '../../call/outputs.ts';
import { findPairs, type FoundPairs } from './pattern_pairs.ts';
import { pairFields } from './pattern_plans.ts';
import type { PlannedPairs } from '../options/pattern_source.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';
import { sizeOf, type Shape } from '../../tensor/shapes.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import type { SparseWeights } from '../types/results.ts';

/** The program that keeps every pair. */
const ALL_PAIRS = Int32Array.of(PATTERN_OP.indexOf('all'), 2);

/** Whether the core normalizes the scores of a pattern's pairs in lists: with them all there, time follows the pairs. */
export function listsPairs({ pattern, normalizer }: AttentionSpec): boolean {
  return pattern !== null && NORMALIZER_KIND.indexOf(normalizer.kind) >= NORMALIZER_KIND.indexOf('topK');
}

/** Plans the finding of the pairs of the whole call; `shape` is [B, H, Tq, Tk] less the axes that q lacks. */
export function planSparseWeights({ arena, sizes, spec, fields }: AttentionRequest, shape: Shape): SparseOutput {
  const { batch, heads, queries, keys } = sizes;
  return planPairLists(arena, spec, fields, { batch: [0, batch], head: [0, heads], row: 0, queries, keys }, shape);
}

/** Writes the weights of the pairs of a part, whose block is `fields`. */
export function planPairLists(
  arena: CallArena,
  spec: AttentionSpec,
  fields: () => AttentionBlock,
  pairs: PlannedPairs,
  shape: Shape,
): SparseOutput {
  const { batch, head, queries } = pairs;
  const heads = head[1] - head[0];
  const rows = sizeOf([batch[1] - batch[0], heads, queries]);
  const isEmpty = rows === 0 || pairs.keys === 0;
  arena.heap.checkSize(arena.fn, 4 * (rows + 1));
  let found: FoundPairs = { indptr: 0, indices: 0, total: 0 };
  let values = 0;
  const run = (): void => {
    const block = fields();
    const groupOf = (g: number): Partial<PatternBlock> => {
      const [b, h] = [Math.floor(g / heads), g % heads];
      return { ...pairFields(spec, pairs, batch[0] + b, head[0] + h), ...maskFields(block, b, h) };
    };
    const words = spec.pattern?.words ?? spec.kvLayout?.pairs ?? ALL_PAIRS;
    found = findPairs(arena, words, (batch[1] - batch[0]) * heads, groupOf, queries, true);
    values = arena.alloc(4 * found.total);
  };
  if (!isEmpty) arena.steps.push({ operation: null, run });
  return {
    addTo(block) {
      block.sparseIndptr = found.indptr;
      block.sparseIndices = found.indices;
      block.sparseValues = values;
    },
    finish() {
      const all = {
        shape: [...shape],
        indptr: isEmpty
          ? (zeros(arena.fn, 'Int32Array', rows + 1) as unknown as Int32Array)
          : copyOut(arena, arena.heap.integers(found.indptr, rows + 1)),
        indices: copyOut(arena, arena.heap.integers(found.indices, found.total)),
        values: copyOut(arena, arena.heap.floats(values, found.total)),
      };
      return spec.normalizer.kind === 'topK' ? withoutZeros(all) : all;
    },
  };
}

/** The pairs that have a weight, moved together in place. */
function withoutZeros({ shape, indptr, indices, values }: SparseWeights): SparseWeights {
  let kept = 0;
  for (let row = 0, entry = 0; row + 1 < indptr.length; row++) {
    for (const end = indptr[row + 1]!; entry < end; entry++) {
      if (values[entry] === 0) continue;
      indices[kept] = indices[entry]!;
      values[kept++] = values[entry]!;
    }
    indptr[row + 1] = kept;
  }
  return { shape, indptr, indices: indices.slice(0, kept), values: values.slice(0, kept) };
}

/** The masks as this batch entry and head have them. */
function maskFields(block: AttentionBlock, b: number, h: number): Partial<PatternBlock> {
  const { boolMaskQuery, boolMaskKey, floatMaskQuery, floatMaskKey } = block;
  const { boolMask, boolMaskBatch, boolMaskHead, floatMask, floatMaskBatch, floatMaskHead } = block;
  const { keyBoolMask, keyBoolMaskBatch, keyFloatMask, keyFloatMaskBatch } = block;
  return {
    boolMask: boolMask === 0 ? 0 : boolMask + b * boolMaskBatch + h * boolMaskHead,
    boolMaskQuery,
    boolMaskKey,
    floatMask: floatMask === 0 ? 0 : floatMask + 4 * (b * floatMaskBatch + h * floatMaskHead),
    floatMaskQuery,
    floatMaskKey,
    keyBoolMask: keyBoolMask === 0 ? 0 : keyBoolMask + b * keyBoolMaskBatch,
    keyFloatMask: keyFloatMask === 0 ? 0 : keyFloatMask + 4 * b * keyFloatMaskBatch,
  };
}
