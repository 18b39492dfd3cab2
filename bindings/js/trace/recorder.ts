/** The one recorder of traces: named stages of a computation, filled by steps behind those of the call itself. */
import type { TraceAxis, TraceStage } from './stages.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { fail } from '../errors/errors.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import { gather } from '../tensor/strided.ts';

const MAX_BYTES = 256 * 2 ** 20;

/** A stage whose numbers are still to come. */
export type Stage = TraceStage & { data: Float32Array };

export class TraceRecorder {
  readonly #arena: CallArena;
  readonly #stages: Stage[] = [];

  readonly #leading: readonly TraceAxis[];

  /** @param axes whether stages have the axis of the batch */
  constructor(arena: CallArena, axes: { readonly batch: boolean }) {
    this.#arena = arena;
    this.#leading = axes.batch ? ['batch', 'head'] : ['head'];
  }

  /**
   * A stage that `fill` writes, into zeros, once the steps before it are done; `prepare` plans steps that it needs. `axes` names the
   * last axes of the shape; those before them are batch and head, as far as there are any.
   */
  add(
    name: string,
    formula: string,
    shape: Shape,
    axes: readonly TraceAxis[],
    fill: (target: Float32Array) => void,
    prepare?: () => void,
  ): Stage {
    const leading = this.#leading.slice(0, shape.length - axes.length);
    const stage: Stage = { name, formula, shape: [...shape], axes: [...leading, ...axes], data: new Float32Array(0) };
    this.#stages.push(stage);
    if (sizeOf(shape) === 0) return stage;
    prepare?.();
    const run = (): void => fill((stage.data = new Float32Array(sizeOf(shape))));
    this.#arena.steps.push({ operation: null, run });
    return stage;
  }

  /** A stage that is in wasm memory, `first` floats behind `ptr`; it has the shape `shown` of as many numbers. */
  addArray(
    name: string,
    formula: string,
    axes: readonly TraceAxis[],
    ptr: Ptr,
    shape: Shape,
    strides: Shape,
    shown: Shape = shape,
    first = 0,
  ): Stage {
    return this.add(name, formula, shown, axes, (target) =>
      gather(this.#arena.heap, ptr.address + 4 * first, shape, strides, target),
    );
  }

  /** A `memory` error, before anything is computed, where the stages are too large together; `remedy` ends its message. */
  checkSize(remedy = ''): void {
    const bytes = this.#stages.reduce((sum, { shape }) => sum + 4 * sizeOf(shape), 0);
    if (bytes > MAX_BYTES)
      fail('memory', this.#arena.fn, `the trace would hold ${bytes} bytes, more than ${MAX_BYTES} (256 MiB)${remedy}`);
  }

  finish(): TraceStage[] {
    return this.#stages;
  }
}
