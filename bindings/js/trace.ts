/** Traces: the named stages of a computation, copied out of wasm memory after it has run. */
import type { AttentionFields } from './blocks.ts';
import { planAttention, planLogits, setOutput, type Dense, type Placed } from './dense.ts';
import { describe, fail } from './errors.ts';
import type { Frame, Span } from './frame.ts';
import { withoutMissing, type Axes, type Sizes } from './layout.ts';
import { EXACT_ROWS, narrow, type Range } from './narrow.ts';
import { planPatterns } from './pattern_plans.ts';
import { checkInteger, isPlainObject, readOptions } from './options.ts';
import { rowMajor, sizeOf, type Shape } from './shapes.ts';
import { listsPairs, planPairLists } from './sparse_weights.ts';
import { gather } from './strided.ts';
import { formulas } from './trace_formulas.ts';
import type { LogitStage, TraceSelection, TraceStage } from './types.ts';

const MAX_BYTES = 256 * 2 ** 20;

/** What a trace keeps, all ranges [from, to). */
interface Selection {
  readonly batch: Range;
  readonly head: Range;
  readonly rows: Range;
}

/** A stage whose numbers are still to come. */
type Stage = TraceStage & { data: Float32Array };

/** Plans stages: steps behind those of the call itself, which compute what that has not and copy it out. */
export class Tracer {
  readonly selection: Selection;
  readonly #frame: Frame;
  readonly #axes: Axes;
  readonly #queryHeads: number;
  readonly #stages: Stage[] = [];

  private constructor(frame: Frame, axes: Axes, queryHeads: number, selection: Selection) {
    this.#frame = frame;
    this.#axes = axes;
    this.#queryHeads = queryHeads;
    this.selection = selection;
  }

  /** Null where no trace is asked for. */
  static open(frame: Frame, trace: unknown, sizes: Sizes, axes: Axes): Tracer | null {
    if (trace === undefined || trace === false) return null;
    return new Tracer(frame, axes, sizes.heads, readSelection(frame.fn, trace, sizes));
  }

  /** A stage that is in memory at `span` as [B?, T, width], `rowStride` apart; `rows` narrows T unless it counts keys. */
  addRows(
    name: string,
    formula: string,
    span: Span,
    whole: { batch: number; tokens: number; width: number; batchStride: number; rowStride: number },
    queries: boolean,
  ): void {
    const [batchFrom, batchTo] = whole.batch === 1 ? [0, 1] : this.selection.batch;
    const [from, to] = queries ? this.selection.rows : [0, whole.tokens];
    const inner = [to - from, whole.width];
    this.#add(name, formula, this.#axes.batch ? [batchTo - batchFrom, ...inner] : inner, (target) => {
      const first = batchFrom * whole.batchStride + from * whole.rowStride;
      gather(
        this.#frame.heap,
        span.address + 4 * first,
        [batchTo - batchFrom, ...inner],
        [whole.batchStride, whole.rowStride, 1],
        target,
      );
    });
  }

  /** The stages of attention itself, from query to weights. */
  addAttention(dense: Dense, q: Placed, k: Placed, v: Placed, symbols: { query: string; key: string; value: string }): void {
    const { sizes, rules, projected } = dense;
    const [queryWidth, keyWidth] = rules.score?.widths ?? [sizes.width, sizes.width];
    const pairs = this.#planPairs(dense);
    const text = formulas(rules, sizes);
    const keys: Range = [0, sizes.keys];
    this.#addHeads('query', symbols.query, q, sizes.heads, this.selection.rows, queryWidth);
    this.#addHeads('key', symbols.key, k, sizes.kvHeads, keys, keyWidth);
    this.#addHeads('value', symbols.value, v, sizes.kvHeads, keys, sizes.valueWidth);
    if (projected.q !== undefined)
      this.#addHeads('projectedQuery', projected.q.formula, projected.q.placed, sizes.heads, this.selection.rows, sizes.width);
    if (projected.k !== undefined)
      this.#addHeads('projectedKey', projected.k.formula, projected.k.placed, sizes.kvHeads, keys, sizes.width);
    const shape = this.#shape([this.selection.rows[1] - this.selection.rows[0], sizes.keys]);
    const add = (name: string, formula: string, plan: () => void): void => this.#add(name, formula, shape, pairs.copy, plan);
    add('scores', text.scores, () => pairs.planLogits('raw', 1));
    add('scaled', text.scaled, () => pairs.planLogits('raw'));
    if (text.capped !== null) add('capped', text.capped, () => pairs.planLogits('capped'));
    if (text.masked !== null) add('masked', text.masked, () => pairs.planLogits('biased'));
    add('weights', text.weights, pairs.planWeights);
  }

  /** The output of attention, per head. */
  addOutput(name: string, formula: string, output: Placed, sizes: Sizes): void {
    this.#addHeads(name, formula, output, sizes.heads, this.selection.rows, sizes.valueWidth);
  }

  /** A `memory` error, before anything is computed, where the stages are too large together. */
  checkSize(): void {
    const bytes = this.#stages.reduce((sum, stage) => sum + 4 * sizeOf(stage.shape), 0);
    if (bytes <= MAX_BYTES) return;
    fail(
      'memory',
      this.#frame.fn,
      `the trace would hold ${bytes} bytes, more than ${MAX_BYTES} (256 MiB); narrow it with trace: { batch, head, rows: [from, to] }`,
    );
  }

  finish(): TraceStage[] {
    return this.#stages;
  }

  /** A stage that `write` copies from wasm memory, where the steps that `plan` plans put it if the call itself has not. */
  #add(name: string, formula: string, shape: number[], write: (target: Float32Array) => void, plan?: () => void): void {
    const stage: Stage = { name, formula, shape, data: new Float32Array(0) };
    this.#stages.push(stage);
    if (sizeOf(shape) === 0) return;
    plan?.();
    const run = (): void => write((stage.data = new Float32Array(sizeOf(shape))));
    this.#frame.steps.push({ operation: null, run });
  }

  #addHeads(name: string, formula: string, from: Placed, heads: number, rows: Range, width: number): void {
    const [batchFrom, batchTo] = from.batch === 1 ? [0, 1] : this.selection.batch;
    const [headFrom, headTo] = this.#headsOf(heads);
    const whole = [batchTo - batchFrom, headTo - headFrom, rows[1] - rows[0], width];
    const shape = withoutMissing(this.#axes, { batch: whole[0]!, heads: whole[1]! }, whole.slice(2));
    this.#add(name, formula, shape, (target) => {
      const first = batchFrom * from.batchStride + headFrom * from.headStride + rows[0] * from.tokenStride;
      gather(
        this.#frame.heap,
        from.span.address + 4 * first,
        whole,
        [from.batchStride, from.headStride, from.tokenStride, 1],
        target,
      );
    });
  }

  /** The selected heads among `heads`, which are query heads or the fewer key heads. */
  #headsOf(heads: number): Range {
    const [from, to, all] = [...this.selection.head, this.#queryHeads];
    return to - from === all ? [0, heads] : [Math.floor((from * heads) / all), Math.floor((from * heads) / all) + 1];
  }

  #shape(rest: Shape): number[] {
    const { batch, head } = this.selection;
    return withoutMissing(this.#axes, { batch: batch[1] - batch[0], heads: head[1] - head[0] }, rest);
  }

  /** Reserves scratch for [B, H, rows, Tk] of the selection, where logits and weights are computed and copied from. */
  #planPairs(dense: Dense): {
    planLogits: (stage: LogitStage, scale?: number) => void;
    planWeights: () => void;
    copy: (target: Float32Array) => void;
  } {
    const { batch, head, rows } = this.selection;
    const { queries, keys, valueWidth } = dense.sizes;
    const first = Math.max(0, Math.min(rows[0], queries - EXACT_ROWS));
    const count = Math.max(rows[1], Math.min(queries, first + EXACT_ROWS)) - first;
    const shape = [batch[1] - batch[0], head[1] - head[0], count, keys];
    const [batches, heads] = shape as [number, number];
    const scratch = dense.frame.reserveFloats(sizeOf(shape));
    const output = dense.frame.reserveFloats(batches * heads * count * valueWidth);
    const offsets = dense.frame.placeIntegers(
      Int32Array.from({ length: batches }, (_, b) => first + (dense.rules.offsets?.[batch[0] + b] ?? 0)),
    );
    const pairs = { batch, head, row: first, queries: count, keys };
    const plans = planPatterns(dense.frame, dense.rules, pairs);
    const fields = (): AttentionFields => ({
      ...narrow(dense.fields(), batch, head, first, count),
      offsets: offsets.address,
    });
    const weights = (): AttentionFields => {
      const [tokenStride, headStride, batchStride] = [valueWidth, count * valueWidth, heads * count * valueWidth];
      const block = fields();
      setOutput(block, { span: output, batchStride, headStride, tokenStride });
      block.weights = scratch.address;
      return block;
    };
    return {
      planLogits: (stage, scale) =>
        planLogits(dense.frame, scale === undefined ? fields : () => ({ ...fields(), scale }), stage, scratch, plans),
      planWeights: () => {
        if (!listsPairs(dense.rules)) return planAttention(dense.frame, weights, plans(true));
        const lists = planPairLists(dense.frame, dense.rules, fields, pairs, shape);
        const listed = (): AttentionFields => {
          const block = weights();
          lists.addTo(block);
          return block;
        };
        planAttention(dense.frame, listed, plans(true));
      },
      copy: (target) => {
        const wanted = [batches, heads, rows[1] - rows[0], keys];
        gather(dense.frame.heap, scratch.address + 4 * (rows[0] - first) * keys, wanted, rowMajor(shape), target);
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
