/** Weights of the allowed pairs alone: counted and listed once the call runs, then written by the core. */
import type { AttentionFields, PatternFields } from './blocks.ts';
import type { Dense } from './dense.ts';
import type { Frame } from './frame.ts';
import { copyOut } from './outputs.ts';
import { findPairs, type FoundPairs } from './pattern_pairs.ts';
import { placeFields, type PlannedPairs } from './pattern_plans.ts';
import type { Rules } from './rules.ts';
import type { Shape } from './shapes.ts';
import type { SparseWeights } from './types.ts';

export interface SparseOutput {
  /** For the attention that writes the values. */
  readonly addTo: (fields: AttentionFields) => void;
  /** Call once, after that. */
  readonly finish: () => SparseWeights;
}

/** The program that keeps every pair. */
const ALL_PAIRS = Int32Array.of(0, 2);

/** Whether the core normalizes the scores of a pattern's pairs in lists: with them all there, time follows the pairs. */
export function listsPairs({ pattern, normalizer }: Rules): boolean {
  return pattern !== null && ['topK', 'sparsemax', 'entmax15'].includes(normalizer.kind);
}

/** Plans the finding of the pairs of the whole call; `shape` is [B, H, Tq, Tk] less the axes that q lacks. */
export function planSparseWeights({ frame, sizes, rules, fields }: Dense, shape: Shape): SparseOutput {
  const { batch, heads, queries, keys } = sizes;
  return planPairLists(frame, rules, fields, { batch: [0, batch], head: [0, heads], row: 0, queries, keys }, shape);
}

/** The same of the pairs of a part, of which `fields` are the block. */
export function planPairLists(
  frame: Frame,
  rules: Rules,
  fields: () => AttentionFields,
  pairs: PlannedPairs,
  shape: Shape,
): SparseOutput {
  const { batch, head, queries } = pairs;
  const heads = head[1] - head[0];
  const rows = (batch[1] - batch[0]) * heads * queries;
  let found: FoundPairs = { indptr: 0, indices: 0, total: 0 };
  let values = 0;
  const run = (): void => {
    const block = fields();
    const groups = Array.from({ length: (batch[1] - batch[0]) * heads }, (_, g) => {
      const [b, h] = [Math.floor(g / heads), g % heads];
      return { ...placeFields(rules, pairs, batch[0] + b, head[0] + h), ...maskFields(block, b, h) };
    });
    found = findPairs(frame, rules.pattern?.words ?? rules.store?.pairs ?? ALL_PAIRS, groups, queries, true);
    values = frame.take(4 * found.total);
  };
  if (rows > 0) frame.steps.push({ operation: null, run });
  return {
    addTo(block) {
      block.sparseIndptr = found.indptr;
      block.sparseIndices = found.indices;
      block.sparseValues = values;
    },
    finish: () => ({
      shape: [...shape],
      indptr: rows === 0 ? new Int32Array(1) : copyOut(frame, frame.heap.integers(found.indptr, rows + 1)),
      indices: copyOut(frame, frame.heap.integers(found.indices, found.total)),
      values: copyOut(frame, frame.heap.floats(values, found.total)),
    }),
  };
}

/** The masks as this batch entry and head have them. */
function maskFields(block: AttentionFields, b: number, h: number): Partial<PatternFields> {
  const { boolMaskQuery, boolMaskKey, floatMaskQuery, floatMaskKey } = block;
  const { boolMask, boolMaskBatch, boolMaskHead, floatMask, floatMaskBatch, floatMaskHead } = block;
  return {
    boolMask: boolMask === 0 ? 0 : boolMask + b * boolMaskBatch + h * boolMaskHead,
    boolMaskQuery,
    boolMaskKey,
    floatMask: floatMask === 0 ? 0 : floatMask + 4 * (b * floatMaskBatch + h * floatMaskHead),
    floatMaskQuery,
    floatMaskKey,
  };
}
