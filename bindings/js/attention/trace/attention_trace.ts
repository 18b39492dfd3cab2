/** The stages of attention in a trace: what the call has computed, and what it has not, planned behind it. */
import type { AttentionBlock } from '../../../../build/generated/abi.ts';
import type { StridedPtr } from '../../call/strided_ptr.ts';
import { planAttention, planLogits, setOutput, type AttentionRequest } from '../request/attention_request.ts';
import { TraceRecorder } from '../../trace/recorder.ts';
import { describe, fail } from '../../errors/errors.ts';
import type { CallArena, Ptr } from '../../call/call_arena.ts';
import { withoutMissing, type Axes, type Sizes } from '../options/layout.ts';
import { MIN_BITWISE_ROWS, sliceRequest, type Range } from '../request/slice_request.ts';
import { planPatterns } from '../request/pattern_plans.ts';
import { placeAxes } from '../options/attention_spec.ts';
import { checkInteger, isPlainObject, readOptions } from '../../errors/options.ts';
import { rowMajor, sizeOf, type Shape } from '../../tensor/shapes.ts';
import { listsPairs, planPairLists } from '../request/sparse_weights.ts';
import { gather } from '../../tensor/strided.ts';
import { formulas } from './trace_formulas.ts';
import type { LogitStage } from '../types/results.ts';
import type { TraceAxis, TraceSelection, TraceStage } from '../../trace/stages.ts';

/** The part that a trace keeps, all ranges [from, to). */
interface Selection {
  readonly batch: Range;
  readonly head: Range;
  readonly rows: Range;
}

export class AttentionTrace {
  readonly selection: Selection;
  readonly #axes: Axes;
  readonly #sizes: Sizes;
  readonly #recorder: TraceRecorder;

  constructor(arena: CallArena, trace: unknown, sizes: Sizes, axes: Axes) {
    this.#axes = axes;
    this.#sizes = sizes;
    this.#recorder = new TraceRecorder(arena, axes);
    this.selection = readSelection(arena.fn, trace, sizes);
  }

  /** A stage that is in memory at `span` as [B?, T, width], `rowStride` apart; the selection's rows are of the axis 'query'. */
  addRows(
    name: string,
    formula: string,
    span: Ptr,
    whole: { batch: number; tokens: number; width: number; batchStride: number; rowStride: number },
    axis: TraceAxis,
  ): void {
    const [batchFrom, batchTo] = whole.batch === 1 ? [0, 1] : this.selection.batch;
    const [from, to] = axis === 'query' ? this.selection.rows : [0, whole.tokens];
    const inner = [to - from, whole.width];
    const shape = [batchTo - batchFrom, ...inner];
    const first = batchFrom * whole.batchStride + from * whole.rowStride;
    const shown = this.#axes.batch ? shape : inner;
    const strides = [whole.batchStride, whole.rowStride, 1];
    this.#recorder.addArray(name, formula, [axis, 'feature'], span, shape, strides, shown, first);
  }

  /** The stages of attention itself, from query to weights. */
  addAttention(
    dense: AttentionRequest,
    q: StridedPtr,
    k: StridedPtr,
    v: StridedPtr,
    symbols: { query: string; key: string; value: string },
  ): void {
    const { sizes, spec, projected } = dense;
    const [queryWidth, keyWidth] = spec.score?.widths ?? [sizes.width, sizes.width];
    const pairs = this.#planPairs(dense);
    const text = formulas(spec, sizes);
    this.#addHeads('query', symbols.query, q, sizes.heads, 'query', queryWidth);
    this.#addHeads('key', symbols.key, k, sizes.kvHeads, 'key', keyWidth);
    this.#addHeads('value', symbols.value, v, sizes.kvHeads, 'key', sizes.valueWidth);
    if (projected.q !== undefined)
      this.#addHeads('projectedQuery', projected.q.formula, projected.q.placed, sizes.heads, 'query', sizes.width);
    if (projected.k !== undefined)
      this.#addHeads('projectedKey', projected.k.formula, projected.k.placed, sizes.kvHeads, 'key', sizes.width);
    const shape = this.#shape([this.selection.rows[1] - this.selection.rows[0], sizes.keys]);
    const add = (name: string, formula: string, plan: () => void): void =>
      void this.#recorder.add(name, formula, shape, ['query', 'key'], pairs.copy, plan);
    add('scores', text.scores, () => pairs.planLogits('raw', 1));
    add('scaled', text.scaled, () => pairs.planLogits('raw'));
    if (text.capped !== null) add('capped', text.capped, () => pairs.planLogits('capped'));
    if (text.masked !== null) add('masked', text.masked, () => pairs.planLogits('biased'));
    if (text.alignment !== null) {
      const unscaled = placeAxes(dense.arena, { ...spec, weightScale: null });
      add('alignment', text.alignment, () => pairs.planWeights(unscaled));
    }
    add('weights', text.weights, () => pairs.planWeights());
  }

  /** The output of attention, per head. */
  addOutput(name: string, formula: string, output: StridedPtr, sizes: Sizes): void {
    this.#addHeads(name, formula, output, sizes.heads, 'query', sizes.valueWidth);
  }

  /** A `memory` error, before anything is computed, where the stages are too large together. */
  checkSize(): void {
    this.#recorder.checkSize('; narrow it with trace: { batch, head, rows: [from, to] }');
  }

  finish(): TraceStage[] {
    return this.#recorder.finish();
  }

  #addHeads(name: string, formula: string, from: StridedPtr, heads: number, axis: 'query' | 'key', width: number): void {
    const rows: Range = axis === 'query' ? this.selection.rows : [0, this.#sizes.keys];
    const [batchFrom, batchTo] = from.batch === 1 ? [0, 1] : this.selection.batch;
    const [headFrom, headTo] = this.#headsOf(heads);
    const whole = [batchTo - batchFrom, headTo - headFrom, rows[1] - rows[0], width];
    const shape = withoutMissing(this.#axes, { batch: whole[0]!, heads: whole[1]! }, whole.slice(2));
    const strides = [from.batchStride, from.headStride, from.tokenStride, 1];
    const first = batchFrom * from.batchStride + headFrom * from.headStride + rows[0] * from.tokenStride;
    this.#recorder.addArray(name, formula, [axis, 'feature'], from.span, whole, strides, shape, first);
  }

  /** The selected heads among `heads`, which are query heads or the fewer key heads. */
  #headsOf(heads: number): Range {
    const [from, to, all] = [...this.selection.head, this.#sizes.heads];
    return to - from === all ? [0, heads] : [Math.floor((from * heads) / all), Math.floor((from * heads) / all) + 1];
  }

  #shape(rest: Shape): number[] {
    const { batch, head } = this.selection;
    return withoutMissing(this.#axes, { batch: batch[1] - batch[0], heads: head[1] - head[0] }, rest);
  }

  /** Reserves scratch for [B, H, rows, Tk] of the selection, where logits and weights are computed and copied from. */
  #planPairs(dense: AttentionRequest): {
    planLogits: (stage: LogitStage, scale?: number) => void;
    /** By the call's options, or by those of another block. */
    planWeights: (variant?: Ptr) => void;
    copy: (target: Float32Array) => void;
  } {
    const { batch, head, rows } = this.selection;
    const { queries, keys, valueWidth } = dense.sizes;
    const first = Math.max(0, Math.min(rows[0], queries - MIN_BITWISE_ROWS));
    const count = Math.max(rows[1], Math.min(queries, first + MIN_BITWISE_ROWS)) - first;
    const shape = [batch[1] - batch[0], head[1] - head[0], count, keys];
    const [batches, heads] = shape as [number, number];
    const scratch = dense.arena.reserveFloats(sizeOf(shape));
    const output = dense.arena.reserveFloats(batches * heads * count * valueWidth);
    const offsets = dense.arena.placeIntegers(
      Int32Array.from(
        { length: sizeOf(shape) === 0 ? 0 : batches },
        (_, b) => first + (dense.spec.offsets?.[batch[0] + b] ?? 0),
      ),
    );
    const pairs = { batch, head, row: first, queries: count, keys };
    const plans = planPatterns(dense.arena, dense.spec, pairs);
    const fields = (): AttentionBlock => ({
      ...sliceRequest(dense.fields(), batch, head, first, count),
      offsets: offsets.address,
    });
    const weightsBy = (variant: Ptr | undefined): AttentionBlock => {
      const [tokenStride, headStride, batchStride] = [valueWidth, count * valueWidth, heads * count * valueWidth];
      const block = fields();
      setOutput(block, { span: output, batchStride, headStride, tokenStride });
      block.weights = scratch.address;
      if (variant !== undefined) block.variant = variant.address;
      return block;
    };
    return {
      planLogits: (stage, scale) =>
        planLogits(dense.arena, scale === undefined ? fields : () => ({ ...fields(), scale }), stage, scratch, plans),
      planWeights: (variant) => {
        const weights = (): AttentionBlock => weightsBy(variant);
        if (!listsPairs(dense.spec)) return planAttention(dense.arena, weights, plans(true));
        const lists = planPairLists(dense.arena, dense.spec, fields, pairs, shape);
        const listed = (): AttentionBlock => {
          const block = weights();
          lists.addTo(block);
          return block;
        };
        planAttention(dense.arena, listed, plans(true));
      },
      copy: (target) => {
        const wanted = [batches, heads, rows[1] - rows[0], keys];
        gather(dense.arena.heap, scratch.address + 4 * (rows[0] - first) * keys, wanted, rowMajor(shape), target);
      },
    };
  }
}

function readSelection(fn: string, trace: unknown, { batch, heads, queries }: Sizes): Selection {
  if (trace !== true && !isPlainObject(trace))
    fail('option', fn, `trace must be true, false or { batch, head, rows }, got ${describe(trace)}`);
  const wanted = trace === true ? {} : readOptions<TraceSelection>(fn, trace, ['batch', 'head', 'rows']);
  return {
    batch: readIndex(fn, 'trace.batch', wanted.batch, batch),
    head: readIndex(fn, 'trace.head', wanted.head, heads),
    rows: readRows(fn, wanted.rows, queries),
  };
}

function readIndex(fn: string, name: string, index: unknown, length: number): Range {
  if (index === undefined) return [0, length];
  checkInteger(fn, name, index, 0, length - 1);
  return [index, index + 1];
}

function readRows(fn: string, rows: unknown, queries: number): Range {
  if (rows === undefined) return [0, queries];
  if (!Array.isArray(rows) || rows.length !== 2) fail('value', fn, `trace.rows must be [from, to], got ${describe(rows)}`);
  const [from, to] = rows as [unknown, unknown];
  checkInteger(fn, 'trace.rows to', to, 0, queries);
  checkInteger(fn, 'trace.rows from', from, 0, to);
  return [from, to];
}
