/** Shared by selfAttention and multiHeadAttention: projections, attention per head, and the output projection. */
import type { StridedPtr } from '../../call/strided_ptr.ts';
import { plan, type Call } from '../../call/call.ts';
import { prepareAttention } from '../request/attention_request.ts';
import { fail } from '../../errors/errors.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Ptr } from '../../call/ptr.ts';
import type { Instance } from '../../runtime/instance.ts';
import { withoutMissing, type Sizes } from '../options/layout.ts';
import { planLinear, sequenceRows, type Rows } from './linear.ts';
import type { Projected, ProjectedCall } from './projected_call.ts';
import type { Operand } from '../../tensor/operands.ts';
import { NO_TARGETS, Outputs, type Output } from '../../call/outputs.ts';
import { projectedSizes, readProjections, withWidths, type Projections } from './params.ts';
import {
  isTraced,
  parseOutputOptions,
  planResults,
  resultOf,
  type AnyResult,
  type RequestedOutputs,
} from '../request/results.ts';
import { readAttentionSpec } from '../options/attention_spec.ts';
import { sizeOf } from '../../tensor/shapes.ts';
import { readScore } from '../options/scores.ts';
import { AttentionTrace } from '../trace/attention_trace.ts';
import { symbols, traceInputs, traceOutput } from './projected_trace.ts';

export function projectedAttention(instance: Instance, given: ProjectedCall): Call<AnyResult> {
  const { fn, options } = given;
  const heads = options.heads ?? 1;
  const layout = options.weightLayout ?? 'inOut';
  const weights = readProjections(instance, fn, given.params, given.paramNames, layout, given.inputs);
  const inputs = withWidths(given.inputs, weights);
  const call = { ...given, inputs };
  const count = Number(weights.biasK !== null) + Number(options.addZeroAttention ?? false);
  const { sizes: own, score } = projectedSizes(fn, inputs, weights, heads, options.kvHeads ?? heads, (q, k) =>
    options.score === undefined ? null : readScore(instance, fn, options.score, q, { ...k, tokens: k.tokens + count }),
  );
  const sizes = { ...own, keys: own.keys + count };
  const spec = { ...readAttentionSpec(instance, fn, options, own, score), appendedKeys: count };
  const requested = parseOutputOptions(fn, options, NO_TARGETS, spec);
  if (requested.weights === 'sparse' && (options.averageWeights ?? false))
    fail('option', fn, "averageWeights are dense weights, got sparse ones: pass returnWeights: 'dense'");
  const axes = { batch: inputs.query.shape.length === 3, heads: options.heads !== undefined };
  return plan(instance, fn, (arena) =>
    planProjected({ arena, call, weights, axes, sizes, ownKeys: own.keys, spec }, requested),
  );
}

function planProjected(projected: Projected, requested: RequestedOutputs): () => AnyResult {
  const { arena, call, weights, axes, sizes } = projected;
  const { query, key, value } = call.inputs;
  const [kWidth, vWidth, headsWidth] = [weights.k.outer, weights.v.outer, sizes.heads * sizes.valueWidth];
  const queryRows = reserveRows(arena, batchOf(query), sizes.queries, sizes.queries, weights.q.outer);
  const keyRows = reserveRows(arena, batchOf(key), projected.ownKeys, sizes.keys, kWidth);
  const valueRows = reserveRows(arena, batchOf(value), projected.ownKeys, sizes.keys, vWidth);
  planProjection(arena, query, weights.q, queryRows);
  planProjection(arena, key, weights.k, keyRows);
  planProjection(arena, value, weights.v, valueRows);
  planAppended(projected, weights.biasK, keyRows, kWidth);
  planAppended(projected, weights.biasV, valueRows, vWidth);
  const q = packed(queryRows, weights.q.outer / sizes.heads);
  const k = packed(keyRows, kWidth / sizes.kvHeads);
  const v = packed(valueRows, sizes.valueWidth);
  const request = prepareAttention(arena, sizes, q, k, v, projected.spec);

  const leading = axes.batch ? [sizes.batch] : [];
  const outputs = new Outputs(arena, NO_TARGETS, call.asTensor, () => []);
  const output = outputs.fresh([...leading, sizes.queries, weights.o?.outer ?? headsWidth]);
  const headsPtr = weights.o === null ? output.ptr : arena.reserveFloats(sizes.batch * sizes.queries * headsWidth);
  const headsRows: Rows = {
    ptr: headsPtr,
    batch: sizes.batch,
    rows: sizes.queries,
    batchStride: sizes.queries * headsWidth,
    rowStride: headsWidth,
  };
  const outputRows: Rows | null =
    weights.o === null
      ? null
      : { ...headsRows, ptr: output.ptr, batchStride: sizes.queries * weights.o.outer, rowStride: weights.o.outer };

  const pairs = withoutMissing(axes, sizes, [sizes.queries, sizes.keys]);
  const averaged = (call.options.averageWeights ?? false) && requested.weights !== null && axes.heads;
  const weightsPtr = averaged ? arena.reserveFloats(sizeOf(pairs)) : null;
  const average = averaged ? outputs.fresh([...leading, sizes.queries, sizes.keys]) : null;
  const results = planResults(request, outputs, requested, pairs, packed(headsRows, sizes.valueWidth), weightsPtr);
  if (outputRows !== null) planLinear(arena, weights.o!, headsRows, outputRows);
  if (average !== null && weightsPtr !== null)
    arena.steps.push({ operation: null, run: () => averageHeads(arena, weightsPtr, average, sizes) });

  const { trace } = call.options;
  const tracer = isTraced(trace) ? new AttentionTrace(arena, trace, sizes, axes) : null;
  if (tracer !== null) {
    traceInputs(tracer, projected);
    tracer.addAttention(request, q, k, v, symbols(projected));
    traceOutput(tracer, projected, headsRows, outputRows);
    tracer.checkSize();
  }
  return () => resultOf(output, average === null ? results : { ...results, weights: average }, tracer);
}

/** y[b, t] = x[b, t]·W + b for the tokens of one input; the room for appended keys stays free. */
function planProjection(arena: CallArena, input: Operand, linear: Projections['q'], y: Rows): void {
  planLinear(arena, linear, sequenceRows(arena.place(input), input), y);
}

/** Writes the learned key or value, then zeros, behind the tokens of every batch entry. */
function planAppended({ arena, sizes, ownKeys }: Projected, learned: Operand | null, target: Rows, width: number): void {
  if (sizes.keys === ownKeys || sizes.queries === 0) return;
  const ptr = learned === null ? null : arena.place(learned);
  const run = (): void => {
    for (let b = 0; b < target.batch; b++) {
      const address = target.ptr.address + 4 * (b * target.batchStride + ownKeys * target.rowStride);
      const rows = arena.heap.floats(address, (sizes.keys - ownKeys) * width).fill(0);
      if (ptr === null) continue;
      rows.set(arena.heap.floats(ptr.address, width));
      arena.recorder?.noteCopy(arena.fn, ptr.address, [width], [1], address);
    }
  };
  arena.steps.push({ operation: null, run });
}

/** weights[b, i, j] <- mean over h, summed in double and rounded once. */
function averageHeads(arena: CallArena, ptr: Ptr, average: Output, { batch, heads, queries, keys }: Sizes): void {
  const pairs = queries * keys;
  const source = arena.heap.floats(ptr.address, batch * heads * pairs);
  const target = arena.heap.floats(average.ptr.address, batch * pairs);
  for (let at = 0; at < target.length; at++) {
    const first = Math.floor(at / pairs) * heads * pairs + (at % pairs);
    let sum = 0;
    for (let h = 0; h < heads; h++) sum += source[first + h * pairs]!;
    target[at] = sum / heads;
  }
}

function reserveRows(arena: CallArena, batch: number, rows: number, room: number, width: number): Rows {
  return { ptr: arena.reserveFloats(batch * room * width), batch, rows, batchStride: room * width, rowStride: width };
}

/** Rows [B, T, H·D] as [B, H, T, D]. */
function packed({ ptr, batch, batchStride, rowStride }: Rows, width: number): StridedPtr {
  return { ptr, batch, batchStride: batch === 1 ? 0 : batchStride, headStride: width, tokenStride: rowStride };
}

function batchOf({ shape }: Operand): number {
  return shape.length === 3 ? shape[0]! : 1;
}
