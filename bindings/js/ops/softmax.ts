/** softmax, logSoftmax and logSumExp along one axis. */
import { SOFTMAX_KIND, type SoftmaxKind } from '../../../build/generated/enums/softmax_kind.ts';
import { SOFTMAX_BLOCK } from '../../../build/generated/blocks/softmax.ts';
import { describe, fail } from '../errors/errors.ts';
import { finish, plan } from '../call/call.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { readOperand } from '../tensor/operands.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import { freshOutput } from '../call/outputs.ts';
import { sizeOf } from '../tensor/shapes.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { AxisOptions } from './axis_options.ts';
import { placeDense } from './operands.ts';

export function softmaxLike<X extends ArrayInput>(
  fovea: Fovea,
  kind: SoftmaxKind,
  input: X,
  options: AxisOptions | undefined,
): ResultArray<X> {
  const instance = instanceOf(kind, fovea);
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

  const call = plan(instance, kind, (arena) => {
    const y = freshOutput(arena, shape, isTensor(input));
    const ptr = placeDense(arena, x);
    const run = (): void => {
      if (outer * inner > 0 && length > 0) {
        arena.run('softmax', SOFTMAX_BLOCK, {
          kind: SOFTMAX_KIND.indexOf(kind),
          x: ptr.address,
          y: y.ptr.address,
          outer,
          length,
          inner,
        });
      } else if (reduced) {
        arena.heap.floats(y.ptr.address, outer * inner).fill(-Infinity);
      }
    };
    arena.steps.push({ operation: null, run });
    return () => y.finish();
  });
  return finish(call) as ResultArray<X>;
}
