/** States: their shapes, reading one that a caller passes, and handing one over. */
import { gather } from '../tensor/strided.ts';
import { describe, fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import type { Axes } from '../attention/options/layout.ts';
import { checkShape, type Operand, readOperand } from '../tensor/operands.ts';
import { emptyRecord, isPlainObject, ownProperties, unknownName } from '../errors/options.ts';
import type { Output, Outputs } from '../call/outputs.ts';
import { sizeOf, type Shape } from '../tensor/shapes.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Features } from './features.ts';
import type { StatePtrs } from './run.ts';
import type { LinearAttentionState } from './types.ts';
import type { Instance } from '../runtime/instance.ts';

const PARTS = ['s', 'z', 'm'] as const;
type Part = (typeof PARTS)[number];

/** The sizes that a state depends on. */
export interface StateSizes {
  readonly axes: Axes;
  readonly batch: number;
  readonly kvHeads: number;
  readonly valueWidth: number;
  readonly features: Pick<Features, 'count' | 'stabilized'>;
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
    ...(features.stabilized ? [{ part: 'm' as const, shape: [...leading, features.count] }] : []),
  ];
}

/** The parts as a caller gives them, in the order of stateShapes. */
export function readState(instance: Instance, fn: string, name: string, given: unknown, sizes: StateSizes): Operand[] {
  if (!isPlainObject(given)) fail('value', fn, `${name} must be { s, z, m } as a call returns it, got ${describe(given)}`);
  const state = ownProperties(given);
  const shapes = stateShapes(sizes);
  for (const [part, value] of Object.entries(state)) {
    if (value === undefined) continue;
    if (!(PARTS as readonly string[]).includes(part)) unknownName(fn, 'part of a state', part, PARTS);
    if (!shapes.some((one) => one.part === part))
      fail('value', fn, `${name} has ${part}, which a state of these options has not`);
  }
  return shapes.map(({ part, shape }) => {
    if (state[part] === undefined) fail('value', fn, `${name}.${part} must be given with these options`);
    const operand = readOperand(instance, fn, `${name}.${part}`, state[part]);
    checkShape(fn, operand, shape, MEANINGS[part]);
    return operand;
  });
}

const MEANINGS: Record<Part, string> = {
  s: '[B, Hkv, F, Dv] less the axes that q lacks',
  z: '[B, Hkv, F] less the axes that q lacks',
  m: '[B, Hkv, F] less the axes that q lacks',
};

/** Reserves the state of a call: fresh results where it is returned. Plans that it starts from `initial`, or from nothing. */
export function planState(
  arena: CallArena,
  sizes: StateSizes,
  initial: readonly Operand[] | null,
  outputs: Outputs | null,
): { readonly ptrs: StatePtrs; readonly finish: () => LinearAttentionState<NDArray | Tensor> } {
  if (arena.recorder !== null && initial !== null) fail('option', arena.fn, 'a call that begins with a state has no gradient');
  const ptrs: Record<Part, Ptr> = { s: NULL_PTR, z: NULL_PTR, m: NULL_PTR };
  const results: Partial<Record<Part, Output>> = emptyRecord<Output>();
  stateShapes(sizes).forEach(({ part, shape }, n) => {
    const result = outputs?.fresh(shape);
    if (result !== undefined) results[part] = result;
    const ptr = result?.ptr ?? arena.reserveFloats(sizeOf(shape));
    ptrs[part] = ptr;
    const operand = initial?.[n];
    const source = operand === undefined ? null : arena.place(operand);
    arena.steps.push({ operation: null, run: () => begin(arena, part, ptr, shape, operand, source) });
  });
  const finish = (): LinearAttentionState<NDArray | Tensor> =>
    Object.fromEntries(
      Object.entries(results).map(([part, result]) => [part, result.finish()]),
    ) as unknown as LinearAttentionState<NDArray>;
  return { ptrs, finish };
}

function begin(
  { heap }: CallArena,
  part: Part,
  ptr: Ptr,
  shape: Shape,
  operand: Operand | undefined,
  source: Ptr | null,
): void {
  const target = heap.floats(ptr.address, sizeOf(shape));
  if (operand === undefined || source === null) target.fill(emptyOf(part));
  else gather(heap, source.address, operand.shape, operand.strides, target);
}

/** The value of a part before the first key. */
export function emptyOf(part: Part): number {
  return part === 'm' ? -Infinity : 0;
}
