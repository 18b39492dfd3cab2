/** States: their shapes, reading one that a caller passes, and handing one over. */
import { describe, fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import type { Axes } from '../layout.ts';
import type { Operand } from '../operands.ts';
import { isPlainObject, unknownName } from '../options.ts';
import type { Output, Outputs } from '../outputs.ts';
import { sizeOf, type Shape } from '../shapes.ts';
import type { NDArray } from '../types.ts';
import type { Tensor } from '../tensor.ts';
import type { Features } from './features.ts';
import { NOWHERE } from './places.ts';
import type { StateSpans } from './run.ts';
import type { Tools } from './tools.ts';
import type { LinearSums } from './types.ts';

const PARTS = ['s', 'z', 'm'] as const;
type Part = (typeof PARTS)[number];

/** What a state depends on. */
export interface StateSizes {
  readonly axes: Axes;
  readonly batch: number;
  readonly kvHeads: number;
  readonly valueWidth: number;
  readonly features: Pick<Features, 'count' | 'stabilised'>;
  readonly normalize: boolean;
}

/** The shapes of the parts that such a state has. */
export function stateShapes({
  axes,
  batch,
  kvHeads,
  valueWidth,
  features,
  normalize,
}: StateSizes): { part: Part; shape: Shape }[] {
  const leading = [...(axes.batch ? [batch] : []), ...(axes.heads ? [kvHeads] : [])];
  return [
    { part: 's', shape: [...leading, features.count, valueWidth] },
    ...(normalize ? [{ part: 'z' as const, shape: [...leading, features.count] }] : []),
    ...(features.stabilised ? [{ part: 'm' as const, shape: leading }] : []),
  ];
}

/** The parts as a caller gives them, in the order of stateShapes. */
export function readState(tools: Tools, fn: string, name: string, state: unknown, sizes: StateSizes): Operand[] {
  if (!isPlainObject(state)) fail('value', fn, `${name} must be { s, z, m } as a call returns it, got ${describe(state)}`);
  const shapes = stateShapes(sizes);
  for (const [part, value] of Object.entries(state)) {
    if (value === undefined) continue;
    if (!(PARTS as readonly string[]).includes(part)) unknownName(fn, 'part of a state', part, PARTS);
    if (!shapes.some((one) => one.part === part))
      fail('value', fn, `${name} has ${part}, which a state of these options has not`);
  }
  return shapes.map(({ part, shape }) => {
    if (state[part] === undefined) fail('value', fn, `${name}.${part} must be given with these options`);
    // A state without axes has one number as its m.
    const given = shape.length === 0 && typeof state[part] === 'number' ? { data: [state[part]], shape: [] } : state[part];
    const operand = tools.readOperand(tools.instance, fn, `${name}.${part}`, given);
    tools.checkShape(fn, operand, shape, MEANINGS[part]);
    return operand;
  });
}

const MEANINGS: Record<Part, string> = {
  s: '[B, Hkv, F, Dv] less the axes that q lacks',
  z: '[B, Hkv, F] less the axes that q lacks',
  m: '[B, Hkv] less the axes that q lacks',
};

/** Reserves the state of a call: fresh results where it is returned. Plans that it starts from `initial`, or from nothing. */
export function planState(
  frame: Frame,
  tools: Tools,
  sizes: StateSizes,
  initial: readonly Operand[] | null,
  outputs: Outputs | null,
): { readonly spans: StateSpans; readonly finish: () => LinearSums<NDArray | Tensor> } {
  const spans: Record<Part, Span> = { s: NOWHERE, z: NOWHERE, m: NOWHERE };
  const results: Partial<Record<Part, Output>> = {};
  stateShapes(sizes).forEach(({ part, shape }, n) => {
    const result = outputs?.fresh(shape);
    if (result !== undefined) results[part] = result;
    const span = result?.span ?? frame.reserveFloats(sizeOf(shape));
    spans[part] = span;
    const operand = initial?.[n];
    const source = operand === undefined ? null : frame.place(operand);
    frame.steps.push({ operation: null, run: () => begin(frame, tools, part, span, shape, operand, source) });
  });
  const finish = (): LinearSums<NDArray | Tensor> =>
    Object.fromEntries(
      Object.entries(results).map(([part, result]) => [part, result.finish()]),
    ) as unknown as LinearSums<NDArray>;
  return { spans, finish };
}

function begin(
  { heap }: Frame,
  { gather }: Tools,
  part: Part,
  span: Span,
  shape: Shape,
  operand: Operand | undefined,
  source: Span | null,
): void {
  const target = heap.floats(span.address, sizeOf(shape));
  if (operand === undefined || source === null) target.fill(emptyOf(part));
  else gather(heap, source.address, operand.shape, operand.strides, target);
}

/** What a part holds before the first key. */
export function emptyOf(part: Part): number {
  return part === 'm' ? -Infinity : 0;
}
