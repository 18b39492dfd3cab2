/**
 * One call: its arguments checked and its steps planned, nothing computed yet. `finish` does all of it at once, as the plain
 * API does; `inSlices` (worker/slices.ts) stops between parts of it.
 */
import { ATTENTION_BLOCK } from '../../../build/generated/blocks/attention.ts';
import { MATMUL_BLOCK } from '../../../build/generated/blocks/matmul.ts';
import { CallArena } from './call_arena.ts';
import type { Step } from './step.ts';
import type { Instance } from '../runtime/instance.ts';

export interface Call<R> {
  /** With the steps, in order. */
  readonly arena: CallArena;
  /** Hands over the results, once every step is done. */
  readonly result: () => R;
}

/** Plans a call; what `body` returns hands over the results. No memory is held until the call starts. */
export function plan<R>(instance: Instance, fn: string, body: (arena: CallArena) => () => R): Call<R> {
  const arena = new CallArena(instance, fn);
  return { arena, result: body(arena) };
}

/** A call of one step: `prepare` reserves what it needs, what that returns computes the result. */
export function compute<R>(instance: Instance, fn: string, prepare: (arena: CallArena) => () => R): R {
  let result: R;
  const call = plan(instance, fn, (arena) => {
    const body = prepare(arena);
    arena.steps.push({ operation: null, run: () => void (result = body()) });
    return () => result;
  });
  return finish(call);
}

/** Does the whole call, every step in one piece. */
export function finish<R>({ arena, result }: Call<R>): R {
  try {
    arena.commit();
    for (const step of arena.steps) runWhole(arena, step);
    return arena.succeed(result());
  } finally {
    arena.release();
  }
}

export function runWhole(arena: CallArena, step: Step): void {
  if (step.operation === null) step.run();
  else if (step.operation === 'matmul') arena.run('matmul', MATMUL_BLOCK, step.fields());
  else arena.run(step.operation, ATTENTION_BLOCK, step.fields());
}
