/** The stages of a trace of multi-dimensional attention, copied out once the call has run. */
import type { Placed } from '../dense.ts';
import { fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import type { Axes } from '../layout.ts';
import type { Tools } from '../programs.ts';
import { rowMajor, sizeOf, type Shape } from '../shapes.ts';
import type { TraceStage } from '../types.ts';

const MAX_BYTES = 256 * 2 ** 20;

export class Stages {
  readonly #frame: Frame;
  readonly #tools: Tools;
  readonly #axes: Axes;
  readonly #stages: (TraceStage & { data: Float32Array })[] = [];
  #bytes = 0;

  constructor(frame: Frame, tools: Tools, axes: Axes) {
    this.#frame = frame;
    this.#tools = tools;
    this.#axes = axes;
  }

  /** Rows [B, heads, tokens, width], less the axes that the first argument of the call lacks. */
  add(name: string, formula: string, from: Placed, heads: number, tokens: number, width: number): void {
    const shape = [from.batch, heads, tokens, width];
    const kept = shape.filter((_, axis) => (axis === 0 ? this.#axes.batch : axis === 1 ? this.#axes.heads : true));
    this.#plan(name, formula, from.span, shape, [from.batchStride, from.headStride, from.tokenStride, 1], kept);
  }

  /** A row-major array. */
  addArray(name: string, formula: string, span: Span, shape: Shape): void {
    this.#plan(name, formula, span, shape, rowMajor(shape), shape);
  }

  finish(): TraceStage[] {
    return this.#stages;
  }

  #plan(name: string, formula: string, span: Span, shape: Shape, strides: Shape, shown: Shape): void {
    const stage = { name, formula, shape: [...shown], data: new Float32Array(0) };
    this.#stages.push(stage);
    this.#bytes += 4 * sizeOf(shape);
    if (this.#bytes > MAX_BYTES)
      fail('memory', this.#frame.fn, `the trace would hold more than ${MAX_BYTES} bytes (256 MiB), at its stage ${name}`);
    const run = (): void => {
      stage.data = new Float32Array(sizeOf(shape));
      if (stage.data.length > 0) this.#tools.gather(this.#frame.heap, span.address, shape, strides, stage.data);
    };
    this.#frame.steps.push({ operation: null, run });
  }
}
