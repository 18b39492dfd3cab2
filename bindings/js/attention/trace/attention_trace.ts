/** The stages of attention in a trace: what the call has computed, and what it has not, planned behind it. */
import type { AttentionBlock } from '../../../../build/generated/blocks/attention.ts';
import type { StridedPtr } from '../../call/strided_ptr.ts';
import { planAttention, planLogits, setOutput, type AttentionRequest } from '../request/attention_request.ts';
import { TraceRecorder } from '../../trace/recorder.ts';
import { describe, fail } from '../../errors/errors.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Ptr } from '../../call/ptr.ts';
import { withoutMissing, type Axes, type Sizes } from '../options/layout.ts';
import { MIN_BITWISE_ROWS, sliceRequest, type Range } from '../request/slice_request.ts';
import { planPatterns } from '../request/pattern_plans.ts';
import { bindVariant } from '../options/attention_spec.ts';
import { checkInteger, isList, isPlainObject, readOptions } from '../../errors/options.ts';
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

/** The one batch entry, or no axis of heads. */
const FIRST: Range = [0, 1];

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

  /** A stage that is in memory: rows of `heads` heads, or of none. The selection's rows are of the axis 'query'. */
  add(
    name: string,
    formula: string,
    from: StridedPtr,
    heads: number | null,
    axis: TraceAxis,
    tokens: number,
    width: number,
  ): void {
    const { ptr, batch, batchStride, headStride, tokenStride } = from;
    const [firstBatch, endBatch] = batch === 1 ? FIRST : this.selection.batch;
    const [firstHead, endHead] = heads === null ? FIRST : this.#headsOf(heads);
    const [firstRow, endRow] = axis === 'query' ? this.selection.rows : [0, tokens];
    const whole = [endBatch - firstBatch, endHead - firstHead, endRow - firstRow, width];
    const axes = { batch: this.#axes.batch, heads: this.#axes.heads && heads !== null };
    const shape = withoutMissing(axes, { batch: whole[0]!, heads: whole[1]! }, whole.slice(2));
    const first = firstBatch * batchStride + firstHead * headStride + firstRow * tokenStride;
    const strides = [batchStride, headStride, tokenStride, 1];
    this.#recorder.addArray(name, formula, [axis, 'feature'], ptr, whole, strides, shape, first);
  }

  /** The stages of attention itself, from query to weights. */
  addAttention(
    request: AttentionRequest,
    q: StridedPtr,
    k: StridedPtr,
    v: StridedPtr,
    symbols: { query: string; key: string; value: string },
  ): void {
    const { sizes, spec, projected } = request;
    const [queryWidth, keyWidth] = spec.score?.widths ?? [sizes.width, sizes.width];
    const pairs = this.#planPairs(request);
    const text = formulas(spec, sizes);
    const query = (name: string, formula: string, from: StridedPtr, width: number): void =>
      this.add(name, formula, from, sizes.heads, 'query', sizes.queries, width);
    const key = (name: string, formula: string, from: StridedPtr, width: number): void =>
      this.add(name, formula, from, sizes.kvHeads, 'key', sizes.keys, width);
    query('query', symbols.query, q, queryWidth);
    key('key', symbols.key, k, keyWidth);
    key('value', symbols.value, v, sizes.valueWidth);
    if (projected.q !== null) query('projectedQuery', projected.q.formula, projected.q.placed, sizes.width);
    if (projected.k !== null) key('projectedKey', projected.k.formula, projected.k.placed, sizes.width);
    const shape = this.#shape([this.selection.rows[1] - this.selection.rows[0], sizes.keys]);
    const add = (name: string, formula: string, plan: () => void): void =>
      void this.#recorder.add(name, formula, shape, ['query', 'key'], pairs.copy, plan);
    add('scores', text.scores, () => pairs.planLogits('raw', 1));
    add('scaled', text.scaled, () => pairs.planLogits('raw'));
    if (text.capped !== null) add('capped', text.capped, () => pairs.planLogits('capped'));
    if (text.masked !== null) add('masked', text.masked, () => pairs.planLogits('biased'));
    if (text.alignment !== null) {
      const unscaled = bindVariant(request.arena, { ...spec, weightScale: null });
      add('alignment', text.alignment, () => pairs.planWeights(unscaled));
    }
    add('weights', text.weights, () => pairs.planWeights());
  }

  /** A `memory` error, before anything is computed, where the stages are too large together. */
  checkSize(): void {
    this.#recorder.checkSize('; narrow it with trace: { batch, head, rows: [from, to] }');
  }

  finish(): TraceStage[] {
    return this.#recorder.finish();
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
  #planPairs(request: AttentionRequest): {
    planLogits: (stage: LogitStage, scale?: number) => void;
    /** By the call's options, or by those of another block. */
    planWeights: (variant?: Ptr) => void;
    copy: (target: Float32Array) => void;
  } {
    const { batch, head, rows } = this.selection;
    const { queries, keys, valueWidth } = request.sizes;
    const first = Math.max(0, Math.min(rows[0], queries - MIN_BITWISE_ROWS));
    const count = Math.max(rows[1], Math.min(queries, first + MIN_BITWISE_ROWS)) - first;
    const shape = [batch[1] - batch[0], head[1] - head[0], count, keys];
    const [batches, heads] = shape as [number, number];
    const scratch = request.arena.reserveFloats(sizeOf(shape));
    const output = request.arena.reserveFloats(batches * heads * count * valueWidth);
    const offsets = request.arena.placeIntegers(
      Int32Array.from(
        { length: sizeOf(shape) === 0 ? 0 : batches },
        (_, b) => first + (request.spec.offsets?.[batch[0] + b] ?? 0),
      ),
    );
    const pairs = { batch, head, row: first, queries: count, keys };
    const plans = planPatterns(request.arena, request.spec, pairs);
    const fields = (): AttentionBlock => ({
      ...sliceRequest(request.fields(), batch, head, first, count),
      offsets: offsets.address,
    });
    return {
      planLogits: (stage, scale) =>
        planLogits(request.arena, scale === undefined ? fields : () => ({ ...fields(), scale }), stage, scratch, plans),
      planWeights: (variant) => {
        const lists = listsPairs(request.spec) ? planPairLists(request.arena, request.spec, fields, pairs, shape) : null;
        const [tokenStride, headStride, batchStride] = [valueWidth, count * valueWidth, heads * count * valueWidth];
        const weights = (): AttentionBlock => {
          const block = fields();
          setOutput(block, { ptr: output, batchStride, headStride, tokenStride });
          block.weights = scratch.address;
          if (variant !== undefined) block.variant = variant.address;
          lists?.addTo(block);
          return block;
        };
        planAttention(request.arena, weights, plans(true));
      },
      copy: (target) => {
        const wanted = [batches, heads, rows[1] - rows[0], keys];
        gather(request.arena.heap, scratch.address + 4 * (rows[0] - first) * keys, wanted, rowMajor(shape), target);
      },
    };
  }
}

function readSelection(fn: string, trace: unknown, { batch, heads, queries }: Sizes): Selection {
  if (trace !== true && !isPlainObject(trace))
    fail('option', fn, `trace must be true, false or { batch, head, rows }, got ${describe(trace)}`);
  const wanted = readOptions<TraceSelection>(fn, trace === true ? undefined : trace, ['batch', 'head', 'rows']);
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
  if (!isList(rows) || rows.length !== 2) fail('value', fn, `trace.rows must be [from, to], got ${describe(rows)}`);
  const [from, to] = rows as [unknown, unknown];
  checkInteger(fn, 'trace.rows to', to, 0, queries);
  checkInteger(fn, 'trace.rows from', from, 0, to);
  return [from, to];
}
