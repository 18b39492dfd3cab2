/**
 * One call: its arguments checked and its steps planned, nothing computed yet. `finish` does all of it at once, as the plain
 * API does; `inSlices` (worker/slices.ts) stops between parts of it.
 */
import { ATTENTION_FIELDS, MATMUL_FIELDS } from './abi.ts';
import type { AttentionFields, MatmulFields } from './blocks.ts';
import { Frame } from './frame.ts';
import type { Instance } from './instance.ts';

export type AttentionOperation = 'attention' | 'attentionLogits';

/** The fields of a block are asked for when the step is done: they hold addresses, known once the frame is committed. */
export type Step =
  | { readonly operation: AttentionOperation; readonly fields: () => AttentionFields }
  | { readonly operation: 'matmul'; readonly fields: () => MatmulFields }
  | { readonly operation: null; readonly run: () => void };

export interface Call<R> {
  /** With the steps, in order. */
  readonly frame: Frame;
  /** Hands over the results, once every step is done. */
  readonly result: () => R;
}

/** Plans a call; what `body` returns hands over the results. No memory is held until the call starts. */
export function plan<R>(instance: Instance, fn: string, body: (frame: Frame) => () => R): Call<R> {
  const frame = new Frame(instance, fn);
  return { frame, result: body(frame) };
}

/** Does the whole call, every step in one piece. */
export function finish<R>({ frame, result }: Call<R>): R {
  try {
    frame.commit();
    for (const step of frame.steps) runWhole(frame, step);
    return frame.succeed(result());
  } finally {
    frame.release();
  }
}

export function runWhole(frame: Frame, step: Step): void {
  if (step.operation === null) step.run();
  else if (step.operation === 'matmul') frame.run('matmul', MATMUL_FIELDS, step.fields());
  else frame.run(step.operation, ATTENTION_FIELDS, step.fields());
}
