/** Dense attention over arrays that are in wasm memory: one wasm call. */
import { LOGIT_STAGE } from '../../../../build/generated/enums/logit_stage.ts';
import type { AttentionBlock } from '../../../../build/generated/blocks/attention.ts';
import type { StridedPtr } from '../../call/strided_ptr.ts';
import type { CallArena } from '../../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../../call/ptr.ts';
import type { Sizes } from '../options/layout.ts';
import { planPatterns, type PlanTables } from './pattern_plans.ts';
import { bindSpec, type AttentionSpec } from '../options/attention_spec.ts';
import type { ProjectedRows } from '../options/scores.ts';
import type { SparseWeights, LogitStage } from '../types/results.ts';

export interface SparseOutput {
  /** For the attention that writes the values. */
  readonly addTo: (fields: AttentionBlock) => void;
  /** Call once, after that. */
  readonly finish: () => SparseWeights;
}

export interface Results {
  readonly output: StridedPtr;
  readonly weights: Ptr | null;
  readonly sparseWeights: SparseOutput | null;
  readonly lse: Ptr | null;
  readonly logits: { readonly ptr: Ptr; readonly stage: LogitStage } | null;
}

/** An attention that is ready to run, once its arena is committed. */
export interface AttentionRequest {
  readonly arena: CallArena;
  readonly sizes: Sizes;
  readonly spec: AttentionSpec;
  /** The rows into which the score projects q and k. */
  readonly projected: ProjectedRows;
  /** A fresh block of the call, without results; to be asked for once the arena is committed. */
  readonly fields: () => AttentionBlock;
  /** Plans of the pattern, for steps that are planned afterwards. */
  readonly plans: PlanTables;
}

/** Reserves what the spec needs, plans what the score makes of q and k, and binds these and v to the block's fields. */
export function prepareAttention(
  arena: CallArena,
  sizes: Sizes,
  query: StridedPtr,
  key: StridedPtr,
  v: StridedPtr,
  spec: AttentionSpec,
): AttentionRequest {
  const at = bindSpec(arena, spec);
  const projected = spec.score?.project?.(arena, query, key, sizes) ?? NO_PROJECTION;
  const q = projected.q?.placed ?? query;
  const k = projected.k?.placed ?? key;
  const boolStrides = spec.mask?.strides ?? NO_STRIDES;
  const floatStrides = spec.floatMask?.strides ?? NO_STRIDES;
  const keyBoolMaskBatch = spec.keyMask?.strides[0] ?? 0;
  const keyFloatMaskBatch = spec.keyFloatMask?.strides[0] ?? 0;
  const { kvFloat16, kvSinkTokens, kvEvictedRows, kvWindow, kvIrregular } = spec.kvLayout ?? DENSE_KV;
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  // One literal: spreading objects of this size costs more than the rest of a small call.
  // prettier-ignore
  const fields = (): AttentionBlock => ({
    batch, heads, kvHeads, queries, keys, width, valueWidth,
    q: q.ptr.address, qBatch: q.batchStride, qHead: q.headStride, qToken: q.tokenStride,
    k: k.ptr.address, kBatch: k.batchStride, kHead: k.headStride, kToken: k.tokenStride,
    v: v.ptr.address, vBatch: v.batchStride, vHead: v.headStride, vToken: v.tokenStride,
    output: 0, outputBatch: 0, outputHead: 0, outputToken: 0, weights: 0, lse: 0, logits: 0, logitStage: 0,
    scale: spec.scale, softcap: spec.softcap, causal: Number(spec.causal),
    windowLeft: spec.windowLeft, windowRight: spec.windowRight,
    offsets: at.offsets.address, keyLengths: at.keyLengths.address,
    boolMask: at.mask.address, boolMaskBatch: boolStrides[0], boolMaskHead: boolStrides[1],
    boolMaskQuery: boolStrides[2], boolMaskKey: boolStrides[3],
    floatMask: at.floatMask.address, floatMaskBatch: floatStrides[0], floatMaskHead: floatStrides[1],
    floatMaskQuery: floatStrides[2], floatMaskKey: floatStrides[3],
    keyBoolMask: at.keyMask.address, keyBoolMaskBatch, keyFloatMask: at.keyFloatMask.address, keyFloatMaskBatch,
    appendedKeys: spec.appendedKeys, alibiSlopes: at.slopes.address, sinks: at.sinks.address, queryFrom: 0, queryTo: queries,
    plans: 0, sparseIndptr: 0, sparseIndices: 0, sparseValues: 0, unitFrom: 0, unitTo: ALL_UNITS, state: 0, variant: at.variant.address,
    variantBatch: 0, variantHead: 0, variantQuery: 0, allHeads: heads,
    kvFloat16, kvSinkTokens, kvEvictedRows, kvWindow, kvIrregular,
  });
  const whole = { batch: [0, batch], head: [0, heads], row: 0, queries, keys } as const;
  const plans = spec.pattern === null ? NO_PLANS : planPatterns(arena, spec, whole);
  return { arena, sizes, spec, projected, fields, plans };
}

/** Dense attention. */
const NO_PLANS: PlanTables = () => NULL_PTR;

/** 0xFFFFFFFF, as an int32. */
const ALL_UNITS = -1;

const NO_PROJECTION: ProjectedRows = { q: null, k: null };
const NO_STRIDES = [0, 0, 0, 0] as const;
const DENSE_KV = { kvFloat16: 0, kvSinkTokens: 0, kvEvictedRows: 0, kvWindow: 0, kvIrregular: 0 };

/** Plans the passes that the results need. */
export function planPasses(request: AttentionRequest, { output, weights, sparseWeights, lse, logits }: Results): void {
  const { batch, heads, queries, keys, valueWidth } = request.sizes;
  if (batch === 0 || heads === 0 || queries === 0) return;
  if (keys === 0) return planEmptyRows(request, output.ptr, lse);
  if (valueWidth > 0 || lse !== null || (weights ?? sparseWeights) !== null) {
    const plans = request.plans(true);
    const fields = (): AttentionBlock => {
      const block = request.fields();
      setOutput(block, output);
      block.weights = weights?.address ?? 0;
      block.lse = lse?.address ?? 0;
      sparseWeights?.addTo(block);
      return block;
    };
    planAttention(request.arena, fields, plans);
  }
  if (logits !== null) planLogits(request.arena, request.fields, logits.stage, logits.ptr, request.plans);
}

/** Rows that see no key, because there is none: zeros, and an lse of -Infinity. */
function planEmptyRows(
  { arena, sizes: { batch, heads, queries, valueWidth } }: AttentionRequest,
  output: Ptr,
  lse: Ptr | null,
): void {
  const rows = batch * heads * queries;
  const run = (): void => {
    arena.heap.floats(output.address, rows * valueWidth).fill(0);
    if (lse !== null) arena.heap.floats(lse.address, rows).fill(-Infinity);
  };
  arena.steps.push({ operation: null, run });
}

/** Plans attention by these fields and plans. Where a plan goes over its rows more than once, the call keeps their state. */
export function planAttention(arena: CallArena, fields: () => AttentionBlock, plans: Ptr): void {
  let state = 0;
  const planned = (): AttentionBlock => {
    const block = fields();
    block.plans = plans.address;
    block.state = state;
    return block;
  };
  const reserve = (): void => {
    const floats = arena.count('stateFloats', planned());
    if (floats > 0) state = arena.alloc(4 * floats);
  };
  if (plans !== NULL_PTR) arena.steps.push({ operation: null, run: reserve });
  arena.steps.push({ operation: 'attention', fields: planned });
}

export function setOutput(
  fields: AttentionBlock,
  { ptr, batchStride, headStride, tokenStride }: Omit<StridedPtr, 'batch'>,
): void {
  fields.output = ptr.address;
  fields.outputBatch = batchStride;
  fields.outputHead = headStride;
  fields.outputToken = tokenStride;
}

/**
 * Writes the logits of `stage` to [B, H, Tq, Tk] at `ptr`, in a pass of its own. Before the bias nothing is forbidden but what
 * the pattern leaves out: positional masks, which plans have compiled in, do not count there.
 */
export function planLogits(
  arena: CallArena,
  fields: () => AttentionBlock,
  stage: LogitStage,
  ptr: Ptr,
  planned: PlanTables,
): void {
  const logitStage = LOGIT_STAGE.indexOf(stage);
  const plans = planned(stage === 'biased');
  arena.steps.push({
    operation: 'attentionLogits',
    fields: () => ({ ...fields(), logits: ptr.address, logitStage, plans: plans.address }),
  });
}
