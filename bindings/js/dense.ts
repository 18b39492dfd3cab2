/** Dense attention over arrays that are in wasm memory: one crossing, whoever put them there. */
import { LOGIT_STAGES } from './abi.ts';
import type { AttentionFields } from './blocks.ts';
import { NOWHERE, type Frame, type Span } from './frame.ts';
import type { HeadsShape, Sizes } from './layout.ts';
import { planPatterns, type PlanTables } from './pattern_plans.ts';
import { placeRules, type Rules } from './rules.ts';
import type { ProjectedRows } from './scores.ts';
import type { SparseOutput } from './sparse_weights.ts';
import type { LogitStage } from './types.ts';

/** [B, H, T, width] in wasm memory. */
export interface Placed extends Omit<HeadsShape, 'tokens' | 'width' | 'heads'> {
  readonly span: Span;
}

export interface Results {
  readonly output: Placed;
  readonly weights: Span | null;
  readonly sparseWeights?: SparseOutput | null;
  readonly lse: Span | null;
  readonly logits: { readonly span: Span; readonly stage: LogitStage } | null;
}

/** An attention that is ready to run, once its frame is committed. */
export interface Dense {
  readonly frame: Frame;
  readonly sizes: Sizes;
  readonly rules: Rules;
  /** What the score makes of q and k. */
  readonly projected: ProjectedRows;
  /** A fresh block of the call, without results; to be asked for once the frame is committed. */
  readonly fields: () => AttentionFields;
  /** Plans of the pattern, for steps that are planned afterwards. */
  readonly plans: PlanTables;
}

/** Reserves what the rules need, plans what the score makes of q and k, and binds these and v to the block's fields. */
export function planDense(frame: Frame, sizes: Sizes, query: Placed, key: Placed, v: Placed, rules: Rules): Dense {
  const at = placeRules(frame, rules);
  const projected = rules.score?.project?.(frame, query, key, sizes) ?? {};
  const { placed: q } = projected.q ?? { placed: query };
  const { placed: k } = projected.k ?? { placed: key };
  const [boolMaskBatch, boolMaskHead, boolMaskQuery, boolMaskKey] = rules.mask?.strides ?? NO_STRIDES;
  const [floatMaskBatch, floatMaskHead, floatMaskQuery, floatMaskKey] = rules.floatMask?.strides ?? NO_STRIDES;
  const { storeHalves, storeKeepFirst, storeShift, storeWindow } = rules.store ?? NO_STORE;
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  // One literal: spreading objects of this size costs more than the rest of a small call.
  // prettier-ignore
  const fields = (): AttentionFields => ({
    batch, heads, kvHeads, queries, keys, width, valueWidth,
    q: q.span.address, qBatch: q.batchStride, qHead: q.headStride, qToken: q.tokenStride,
    k: k.span.address, kBatch: k.batchStride, kHead: k.headStride, kToken: k.tokenStride,
    v: v.span.address, vBatch: v.batchStride, vHead: v.headStride, vToken: v.tokenStride,
    output: 0, outputBatch: 0, outputHead: 0, outputToken: 0, weights: 0, lse: 0, logits: 0, logitStage: 0,
    scale: rules.scale, softcap: rules.softcap, causal: Number(rules.causal),
    windowLeft: rules.windowLeft, windowRight: rules.windowRight,
    offsets: at.offsets.address, keyLengths: at.keyLengths.address,
    boolMask: at.mask.address, boolMaskBatch, boolMaskHead, boolMaskQuery, boolMaskKey,
    floatMask: at.floatMask.address, floatMaskBatch, floatMaskHead, floatMaskQuery, floatMaskKey,
    alibiSlopes: at.slopes.address, sinks: at.sinks.address, queryFrom: 0, queryTo: queries,
    plans: 0, sparseIndptr: 0, sparseIndices: 0, sparseValues: 0, unitFrom: 0, unitTo: ALL_UNITS, state: 0, axes: at.axes.address,
    axesBatch: 0, axesHead: 0, axesQuery: 0,
    firstHead: 0, allHeads: heads,
    storeHalves, storeKeepFirst, storeShift, storeWindow,
  });
  const plans = planPatterns(frame, rules, { batch: [0, batch], head: [0, heads], row: 0, queries, keys });
  return { frame, sizes, rules, projected, fields, plans };
}

/** 0xFFFFFFFF, as an int32. */
const ALL_UNITS = -1;

const NO_STRIDES = [0, 0, 0, 0] as const;
const NO_STORE = { storeHalves: 0, storeKeepFirst: 0, storeShift: 0, storeWindow: 0 };

/** q, k or v as placed: an axis of length 1 broadcasts, whatever its stride. */
export function placed(span: Span, shape: HeadsShape): Placed {
  const { batch, heads, batchStride, headStride, tokenStride } = shape;
  return { span, batch, batchStride: batch === 1 ? 0 : batchStride, headStride: heads === 1 ? 0 : headStride, tokenStride };
}

/** Plans the passes that the results need. */
export function planPasses(dense: Dense, { output, weights, sparseWeights = null, lse, logits }: Results): void {
  const { batch, heads, queries, keys, valueWidth } = dense.sizes;
  if (batch * heads * queries === 0) return;
  if (valueWidth > 0 || lse !== null || ((weights ?? sparseWeights) !== null && keys > 0)) {
    const plans = dense.plans(true);
    const fields = (): AttentionFields => {
      const block = dense.fields();
      setOutput(block, output);
      block.weights = weights?.address ?? 0;
      block.lse = lse?.address ?? 0;
      sparseWeights?.addTo(block);
      return block;
    };
    planAttention(dense.frame, fields, plans);
  }
  if (logits !== null && keys > 0) planLogits(dense.frame, dense.fields, logits.stage, logits.span, dense.plans);
}

/** Plans attention by these fields and plans. Where a plan goes over its rows more than once, the call keeps their state. */
export function planAttention(frame: Frame, fields: () => AttentionFields, plans: Span): void {
  let state = 0;
  const planned = (): AttentionFields => {
    const block = fields();
    block.plans = plans.address;
    block.state = state;
    return block;
  };
  const reserve = (): void => {
    const floats = frame.count('stateFloats', planned());
    if (floats > 0) state = frame.take(4 * floats);
  };
  if (plans !== NOWHERE) frame.steps.push({ operation: null, run: reserve });
  frame.steps.push({ operation: 'attention', fields: planned });
}

export function setOutput(
  fields: AttentionFields,
  { span, batchStride, headStride, tokenStride }: Omit<Placed, 'batch'>,
): void {
  fields.output = span.address;
  fields.outputBatch = batchStride;
  fields.outputHead = headStride;
  fields.outputToken = tokenStride;
}

/**
 * Writes the logits of `stage` to [B, H, Tq, Tk] at `span`, in a pass of its own. Before the bias nothing is forbidden but what
 * the pattern leaves out: rules of place, which plans have compiled in, do not count there.
 */
export function planLogits(
  frame: Frame,
  fields: () => AttentionFields,
  stage: LogitStage,
  span: Span,
  planned: PlanTables,
): void {
  const logitStage = LOGIT_STAGES.indexOf(stage);
  const plans = planned(stage === 'biased');
  frame.steps.push({
    operation: 'attentionLogits',
    fields: () => ({ ...fields(), logits: span.address, logitStage, plans: plans.address }),
  });
}
