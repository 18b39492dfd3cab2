/** What the functions of `fovea/ops` work with: an instance's tools, calls of one crossing, and where operands are. */
import { BLOCKS } from './abi.ts';
import { describe, fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import type { Operand } from '../operands.ts';
import { checkInteger } from '../options.ts';
import { knownAs, type Tools } from '../programs.ts';
import { isContiguous, sizeOf, type Shape } from '../shapes.ts';
import type { ArrayInput, ResultArray } from '../types.ts';

export type { Tools } from '../programs.ts';

/** No place at all: a null pointer. */
export const NOWHERE: Span = { address: 0 };

/** Those whose module is known to read the blocks that are written here. */
const matching = new WeakSet<Tools>();

export function toolsFor(fn: string, fovea: unknown): Tools {
  const tools = knownAs(fovea)?.tools;
  if (tools === undefined)
    return fail('value', fn, `fovea must be what load() returned, on this thread, got ${describe(fovea)}`);
  const core = tools.instance.engine.check(fn);
  if (!matching.has(tools)) {
    if (core.opsAbiHash() >>> 0 !== tools.abiHash(BLOCKS))
      fail('load', fn, 'the .wasm file is of another version than fovea/ops; take both from one package');
    matching.add(tools);
  }
  return tools;
}

export function readArray(tools: Tools, fn: string, name: string, input: unknown): Operand {
  return tools.readOperand(tools.instance, fn, name, input);
}

/** An array that may be absent. */
export function readOptional(tools: Tools, fn: string, name: string, input: unknown): Operand | null {
  return input === undefined ? null : readArray(tools, fn, name, input);
}

/**
 * A call with one result: a Tensor if `input` is one. `prepare` places the operands, what it returns computes the result; it is
 * not called where there is nothing to compute.
 */
export function compute<X extends ArrayInput>(
  tools: Tools,
  fn: string,
  input: X,
  shape: Shape,
  prepare: (frame: Frame, y: Span) => () => void,
): ResultArray<X> {
  const call = tools.plan(tools.instance, fn, (frame) => {
    const y = new tools.Outputs(frame, {}, tools.isTensor(input), []).fresh(shape);
    if (sizeOf(shape) > 0) {
      const run = prepare(frame, y.span);
      frame.steps.push({ operation: null, run });
    }
    return () => y.finish();
  });
  return tools.finish(call) as ResultArray<X>;
}

/** Where the operand is row-major: its own place, or for a Tensor's slice a copy, made before what is pushed after it. */
export function placeDense(frame: Frame, tools: Tools, operand: Operand): Span {
  const { address, shape, strides } = operand;
  if (address === null || isContiguous(shape, strides)) return frame.place(operand);
  const size = sizeOf(shape);
  const span = frame.reserveFloats(size);
  const run = (): void => tools.gather(frame.heap, address, shape, strides, frame.heap.floats(span.address, size));
  frame.steps.push({ operation: null, run });
  return span;
}

export function placeOptional(frame: Frame, tools: Tools, operand: Operand | null): Span {
  return operand === null ? NOWHERE : placeDense(frame, tools, operand);
}

/** The operand as rows along its last axis, the same number of floats apart: in place where that is so, else a copy. */
export function placeRows(frame: Frame, tools: Tools, operand: Operand): { span: Span; rowStride: number } {
  const { shape, strides } = operand;
  const width = shape[shape.length - 1] ?? 1;
  let rowStride: number | null = null;
  let next = 0;
  let even = true;
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    rowStride ??= next = strides[axis]!;
    even &&= strides[axis] === next;
    next *= shape[axis]!;
  }
  if (even) return { span: frame.place(operand), rowStride: rowStride ?? width };
  return { span: placeDense(frame, tools, operand), rowStride: width };
}

/** The shape around one axis. */
export interface AxisPlace {
  readonly place: number;
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

export function readAxis(fn: string, { name, shape }: Operand, axis: number): AxisPlace {
  const rank = shape.length;
  if (rank === 0) fail('shape', fn, `${name} must have an axis, got the shape []`);
  checkInteger(fn, 'axis', axis, -rank, rank - 1);
  const place = axis < 0 ? axis + rank : axis;
  return {
    place,
    outer: sizeOf(shape.slice(0, place)),
    length: shape[place]!,
    inner: sizeOf(shape.slice(place + 1)),
  };
}
