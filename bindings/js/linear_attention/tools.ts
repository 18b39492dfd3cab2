/** What the functions of `fovea/linear` work with, and calls of a few steps of their own. */
import { BLOCKS, LOGARITHM_FIELDS } from './abi.ts';
import { describe, fail } from '../errors.ts';
import type { Frame } from '../frame.ts';
import { knownAs, type Tools } from '../programs.ts';
import { sizeOf, type Shape } from '../shapes.ts';

export type { Tools } from '../programs.ts';

/** Those whose module is known to read the blocks that are written here. */
const matching = new WeakSet<Tools>();

export function toolsFor(fn: string, fovea: unknown): Tools {
  const tools = knownAs(fovea)?.tools;
  if (tools === undefined)
    return fail('value', fn, `fovea must be what load() returned, on this thread, got ${describe(fovea)}`);
  const core = tools.instance.engine.check(fn);
  if (!matching.has(tools) && core.linearAbiHash() >>> 0 !== tools.abiHash(BLOCKS))
    fail('load', fn, 'the .wasm file is of another version than fovea/linear; take both from one package');
  matching.add(tools);
  return tools;
}

/** A call of one step: `prepare` reserves what it needs, what that returns computes the result. */
export function compute<R>(tools: Tools, fn: string, prepare: (frame: Frame) => () => R): R {
  let result: R;
  const call = tools.plan(tools.instance, fn, (frame) => {
    const body = prepare(frame);
    frame.steps.push({ operation: null, run: () => void (result = body()) });
    return () => result;
  });
  return tools.finish(call);
}

/** ln x, as the core rounds it. */
export function logarithms(tools: Tools, fn: string, x: Float32Array): Float32Array {
  return compute(tools, fn, (frame) => {
    const span = frame.placeFloats(x);
    return () => {
      frame.run('logarithm', LOGARITHM_FIELDS, { count: x.length, x: span.address, y: span.address });
      return tools.copyOut(frame, frame.heap.floats(span.address, x.length));
    };
  });
}

/** A result that JavaScript owns. */
export function array(shape: Shape): { data: Float32Array; shape: number[] } {
  return { data: new Float32Array(sizeOf(shape)), shape: [...shape] };
}
