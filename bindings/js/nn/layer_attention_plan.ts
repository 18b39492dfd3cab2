/** The attention of a layer, sequence by sequence, as steps of a planned call. */
import { readAttentionSpec } from '../attention/options/attention_spec.ts';
import type { RowsAt } from '../attention/options/cache_source.ts';
import { readHeads, type HeadsShape, type Sizes } from '../attention/options/layout.ts';
import { readScore } from '../attention/options/scores.ts';
import { planPasses, prepareAttention } from '../attention/request/attention_request.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { OffsetPtr, stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import { ownProperties } from '../errors/options.ts';
import type { LayerConfig } from './layer_config.ts';
import { type Weights, type Sequences, type LayerRoom, qkvWidth, type LayerInputs } from './layer_room.ts';
import { planRope } from './rope_plan.ts';
import { placeNorm, planNormBy } from './row_steps.ts';

const CACHED = { layout: 'bhtd', heads: 1, kvHeads: 1 } as const;

/** Norms, rotates and keeps queries and keys, and attends: the sequences one after another. */
export function planAttention(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  room: LayerRoom,
  inputs: LayerInputs,
): void {
  let first = 0;
  room.sequences.forEach((sequences, n) => {
    planSequences(arena, config, weights, room, sequences, first, inputs.weightsAt?.[n] ?? null, inputs);
    first += sequences.batch * sequences.tokens;
  });
}

/** Attention of sequences of one length, whose rows begin with row `first`. */
function planSequences(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  room: LayerRoom,
  { batch, tokens }: Sequences,
  first: number,
  weightsAt: Ptr | null,
  { cache, turns }: LayerInputs,
): void {
  const { heads, kvHeads, headDim, rope } = config;
  const row = qkvWidth(config);
  const shapeOf = (count: number): HeadsShape => ({
    ...{ batch, heads: count, tokens, width: headDim },
    ...{ batchStride: tokens * row, headStride: headDim, tokenStride: row },
  });
  const own = shapeOf(kvHeads);
  const qkv = new OffsetPtr(room.qkv, first * row);
  const values = new OffsetPtr(qkv, (heads + kvHeads) * headDim);
  const { queries, keys, qkShapeOf } = config.qkNorm
    ? planHeadNorms(arena, config, weights, shapeOf, qkv)
    : { queries: qkv, keys: new OffsetPtr(qkv, heads * headDim), qkShapeOf: shapeOf };
  if (rope !== null)
    planRope(arena, rope, turns.get(rope.key) ?? null, qkShapeOf(heads + kvHeads), queries, cache?.position ?? 0);
  // One query sees every key that its cache has: it needs no mask for those behind it.
  const causal = cache === null ? config.attention.causal : config.attention.causal === true && tokens > 1;
  const options = ownProperties<AttentionOptions>({ ...config.attention, causal });
  const cached = cache?.read(options);
  let [k, v]: StridedPtr[] = [stridedPtr(keys, qkShapeOf(kvHeads)), stridedPtr(values, own)];
  if (cache !== null && cached !== undefined) {
    const rows = (ptr: Ptr): RowsAt => ({ ...own, address: ptr.address });
    arena.steps.push({ operation: null, run: () => cache.append(arena, rows(keys), rows(values)) });
    k = stridedPtr(arena.place(cached.k), readHeads(arena.fn, cached.k, CACHED, 1));
    v = stridedPtr(arena.place(cached.v), readHeads(arena.fn, cached.v, CACHED, 1));
  }
  const length = cache === null ? tokens : cache.position + tokens;
  const score =
    options.score === undefined
      ? null
      : readScore(arena.instance, arena.fn, options.score, shapeOf(heads), { heads: kvHeads, tokens: length, width: headDim });
  const width = score?.width ?? headDim;
  const sizes: Sizes = { batch, heads, kvHeads, queries: tokens, keys: length, width, valueWidth: headDim };
  const spec = readAttentionSpec(arena.instance, arena.fn, cached?.options ?? options, sizes, score);
  const request = prepareAttention(
    arena,
    sizes,
    stridedPtr(queries, qkShapeOf(heads)),
    k!,
    v!,
    cached?.spec(spec, sizes) ?? spec,
  );
  const attended = heads * headDim;
  const ptr = new OffsetPtr(room.attended, first * attended);
  const output = { ptr, batch, batchStride: tokens * attended, headStride: headDim, tokenStride: attended };
  planPasses(request, { output, weights: weightsAt, sparseWeights: null, lse: null, logits: null });
}

/** Where the queries and the keys of all heads are: `qkShapeOf(heads)` tells how their rows lie. */
interface QueriesAndKeys {
  readonly queries: Ptr;
  readonly keys: Ptr;
  readonly qkShapeOf: (heads: number) => HeadsShape;
}

/**
 * The RMS norms of the queries and of the keys of each head, in place; the heads of a token are rows one after another. Recorded, what is normed is
 * needed again: then the rows of each head are written one after another, head by head.
 */
function planHeadNorms(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  shapeOf: (heads: number) => HeadsShape,
  qkv: Ptr,
): QueriesAndKeys {
  const { heads, kvHeads, headDim, eps } = config;
  const { batch, tokens, tokenStride } = shapeOf(heads);
  const rows = batch * tokens;
  const kind = { norm: 'rms', eps, dModel: headDim } as const;
  const [ofQueries, ofKeys] = ['q_norm', 'k_norm'].map((name) => placeNorm(arena, weights, `self_attn.${name}`));
  if (arena.recorder === null) {
    const rowsOf = { rowStride: headDim, residual: NULL_PTR };
    for (let row = 0; row < rows; row++) {
      const q = new OffsetPtr(qkv, row * tokenStride);
      const k = new OffsetPtr(q, heads * headDim);
      planNormBy(arena, kind, ofQueries!, { ...rowsOf, x: q, rows: heads }, q);
      planNormBy(arena, kind, ofKeys!, { ...rowsOf, x: k, rows: kvHeads }, k);
    }
    return { queries: qkv, keys: new OffsetPtr(qkv, heads * headDim), qkShapeOf: shapeOf };
  }
  const normed = arena.reserveFloats((heads + kvHeads) * rows * headDim);
  const rowsOf = { rowStride: tokenStride, rows, residual: NULL_PTR };
  for (let head = 0; head < heads + kvHeads; head++) {
    const y = new OffsetPtr(normed, head * rows * headDim);
    planNormBy(arena, kind, head < heads ? ofQueries! : ofKeys!, { ...rowsOf, x: new OffsetPtr(qkv, head * headDim) }, y);
  }
  const strides = { batchStride: tokens * headDim, headStride: rows * headDim, tokenStride: headDim };
  const qkShapeOf = (count: number): HeadsShape => ({ ...shapeOf(count), ...strides });
  return { queries: normed, keys: new OffsetPtr(normed, heads * rows * headDim), qkShapeOf };
}
