/** The one recorder of traces: named stages of a computation, filled by steps behind those of the call itself. */
import type { TraceStage } from './stages.ts';
import type { CallArena, Ptr } from '../call/call_arena.ts';
import { fail } from '../errors/errors.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import { gather } from '../tensor/strided.ts';

const MAX_BYTES = 256 * 2 ** 20;

/** A stage whose numbers are still to come. */
export type Stage = TraceStage & { data: Float32Array };

export class TraceRecorder {
  readonly #arena: CallArena;
  readonly #stages: Stage[] = [];

  constructor(arena: CallArena) {
    this.#arena = arena;
  }

  /** A stage that `fill` writes, into zeros, once the steps before it are done; `prepare` plans steps that it needs. */
  add(name: string, formula: string, shape: Shape, fill: (target: Float32Array) => void, prepare?: () => void): Stage {
    const stage: Stage = { name, formula, shape: [...shape], data: new Float32Array(0) };
    this.#stages.push(stage);
    if (sizeOf(shape) === 0) return stage;
    prepare?.();
    const run = (): void => fill((stage.data = new Float32Array(sizeOf(shape))));
    this.#arena.steps.push({ operation: null, run });
    return stage;
  }

  /** A stage that is in wasm memory, `first` floats behind `span`; it has the shape `shown` of as many numbers. */
  addArray(name: string, formula: string, span: Ptr, shape: Shape, strides: Shape, shown: Shape = shape, first = 0): Stage {
    return this.add(name, formula, shown, (target) =>
      gather(this.#arena.heap, span.address + 4 * first, shape, strides, target),
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
