/** The stages of one trace: copied out of wasm memory, or computed from each other, once the steps before them are done. */
import { fail } from '../errors.ts';
import type { Frame } from '../frame.ts';
import type { Axes } from '../layout.ts';
import { sizeOf } from '../shapes.ts';
import type { TraceStage } from '../types.ts';
import type { Placed } from './places.ts';
import type { Tools } from './tools.ts';

const MAX_BYTES = 256 * 2 ** 20;

/** A stage whose numbers are still to come. */
export type Stage = TraceStage & { data: Float32Array };

export class Stages {
  readonly list: Stage[] = [];
  readonly #frame: Frame;
  readonly #tools: Tools;
  readonly #axes: Axes;
  readonly #batch: number;

  constructor(frame: Frame, tools: Tools, axes: Axes, batch: number) {
    this.#frame = frame;
    this.#tools = tools;
    this.#axes = axes;
    this.#batch = batch;
  }

  /** [B, heads, ...rest] less the axes that q lacks; `fill` is done when its turn comes, with zeros to write to. */
  add(name: string, formula: string, heads: number, rest: readonly number[], fill: (target: Float32Array) => void): Stage {
    const shape = [...(this.#axes.batch ? [this.#batch] : []), ...(this.#axes.heads ? [heads] : []), ...rest];
    const stage: Stage = { name, formula, shape, data: new Float32Array(0) };
    this.list.push(stage);
    const run = (): void => {
      stage.data = new Float32Array(sizeOf(shape));
      if (sizeOf(shape) > 0) fill(stage.data);
    };
    this.#frame.steps.push({ operation: null, run });
    return stage;
  }

  /** Rows that are in memory, [B, heads, tokens, width]. */
  addRows(name: string, formula: string, from: Placed, heads: number, tokens: number, width: number): Stage {
    const strides = [from.batchStride, from.headStride, from.tokenStride, 1];
    return this.add(name, formula, heads, [tokens, width], (target) =>
      this.#tools.gather(this.#frame.heap, from.span.address, [this.#batch, heads, tokens, width], strides, target),
    );
  }

  /** A `memory` error, before anything is computed, where the stages are too large together. */
  checkSize(): void {
    const bytes = this.list.reduce((sum, { shape }) => sum + 4 * sizeOf(shape), 0);
    if (bytes > MAX_BYTES)
      fail('memory', this.#frame.fn, `the trace would hold ${bytes} bytes, more than ${MAX_BYTES} (256 MiB)`);
  }
}
