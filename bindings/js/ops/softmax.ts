/** `ops.softmax`, `ops.logSoftmax`, `ops.logSumExp`: along one axis. */
import { SOFTMAX_BLOCK } from '../../../build/generated/abi.ts';
import { describe, fail } from '../errors/errors.ts';
import { plan, type Call } from '../call/call.ts';
import type { CallArena, Ptr } from '../call/call_arena.ts';
import type { Instance } from '../runtime/instance.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import { freshOutput } from '../call/outputs.ts';
import { isContiguous, sizeOf } from '../tensor/shapes.ts';
import { gather } from '../tensor/strided.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { AxisOptions } from './axis_options.ts';
import type { NDArray } from '../tensor/array_types.ts';

/** By their numbers in the core. */
const SOFTMAX_KINDS = ['softmax', 'logSoftmax', 'logSumExp'] as const;
export type SoftmaxKind = (typeof SOFTMAX_KINDS)[number];

export function softmaxLike(
  instance: Instance,
  kind: SoftmaxKind,
  input: unknown,
  options?: AxisOptions,
): Call<NDArray | Tensor> {
  instance.engine.check(kind);
  const { axis = -1 } = readOptions(kind, options, ['axis']);
  const x = readOperand(instance, kind, 'x', input);
  const rank = x.shape.length;
  if (rank === 0) fail('shape', kind, `x must have an axis, got the shape [] of ${describe(input)}`);
  checkInteger(kind, 'axis', axis, -rank, rank - 1);
  const place = axis < 0 ? axis + rank : axis;
  const outer = sizeOf(x.shape.slice(0, place));
  const length = x.shape[place]!;
  const inner = sizeOf(x.shape.slice(place + 1));
  const reduced = kind === 'logSumExp';
  const shape = reduced ? [...x.shape.slice(0, place), ...x.shape.slice(place + 1)] : x.shape;

  return plan(instance, kind, (arena) => {
    const y = freshOutput(arena, shape, isTensor(input));
    const { span, fill } = placeContiguous(arena, x);
    const run = (): void => {
      fill();
      if (outer * inner > 0 && length > 0) {
        arena.run('softmax', SOFTMAX_BLOCK, {
          kind: SOFTMAX_KINDS.indexOf(kind),
          x: span.address,
          y: y.span.address,
          outer,
          length,
          inner,
        });
      } else if (reduced) {
        arena.heap.floats(y.span.address, outer * inner).fill(-Infinity);
      }
    };
    arena.steps.push({ operation: null, run });
    return () => y.finish();
  });
}

/** Where the operand is row-major: its own place, or for a Tensor's slice a copy that `fill` makes after the commit. */
function placeContiguous(arena: CallArena, operand: Operand): { span: Ptr; fill: () => void } {
  const { address, shape, strides } = operand;
  if (address === null || isContiguous(shape, strides)) return { span: arena.place(operand), fill: () => {} };
  const span = arena.reserveFloats(sizeOf(shape));
  return { span, fill: () => gather(arena.heap, address, shape, strides, arena.heap.floats(span.address, sizeOf(shape))) };
}
