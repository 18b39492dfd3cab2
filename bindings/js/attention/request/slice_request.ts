/** A part of a call as a call of its own. */
import type { AttentionBlock } from '../../../../build/generated/blocks/attention.ts';

/** A slice of at least this many query rows has the bits of the whole call. A call with a pattern is cut between its units alone. */
export const MIN_BITWISE_ROWS = 64;

export type Range = readonly [from: number, to: number];

/**
 * The block of the same attention for a part of its batch entries, all heads or one of them, and `rows` queries from `row`
 * on. The results keep their places in those of the whole where the part is of all heads or of one batch entry, and of all
 * queries; else `fields` must have none yet.
 */
export function sliceRequest(
  fields: AttentionBlock,
  batch: Range,
  head: Range,
  row = 0,
  rows = fields.queries,
): AttentionBlock {
  const [b, h] = [batch[0], head[0]];
  const oneHead = head[1] - h < fields.heads;
  const kvHead = oneHead ? Math.floor((h * fields.kvHeads) / fields.heads) : 0;
  const rowsBefore = (b * fields.heads + h) * fields.queries + row;
  const present = (address: number, elements: number, bytes = 4): number => (address === 0 ? 0 : address + bytes * elements);
  return {
    ...fields,
    batch: batch[1] - b,
    heads: head[1] - h,
    kvHeads: oneHead ? 1 : fields.kvHeads,
    queries: rows,
    queryTo: rows,
    q: fields.q + 4 * (b * fields.qBatch + h * fields.qHead + row * fields.qToken),
    k: fields.k + 4 * (b * fields.kBatch + kvHead * fields.kHead),
    v: fields.v + 4 * (b * fields.vBatch + kvHead * fields.vHead),
    output: present(fields.output, b * fields.outputBatch + h * fields.outputHead + row * fields.outputToken),
    weights: present(fields.weights, rowsBefore * fields.keys),
    lse: present(fields.lse, rowsBefore),
    logits: present(fields.logits, rowsBefore * fields.keys),
    offsets: present(fields.offsets, b),
    keyLengths: present(fields.keyLengths, b),
    boolMask: present(fields.boolMask, b * fields.boolMaskBatch + h * fields.boolMaskHead + row * fields.boolMaskQuery, 1),
    floatMask: present(fields.floatMask, b * fields.floatMaskBatch + h * fields.floatMaskHead + row * fields.floatMaskQuery),
    keyBoolMask: present(fields.keyBoolMask, b * fields.keyBoolMaskBatch, 1),
    keyFloatMask: present(fields.keyFloatMask, b * fields.keyFloatMaskBatch),
    alibiSlopes: present(fields.alibiSlopes, h),
    sinks: present(fields.sinks, h),
    variantBatch: fields.variantBatch + b,
    variantHead: fields.variantHead + h,
    variantQuery: fields.variantQuery + row,
    sparseIndptr: present(fields.sparseIndptr, rowsBefore),
  };
}
