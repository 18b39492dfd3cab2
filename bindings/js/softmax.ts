/** `ops.softmax`, `ops.logSoftmax`, `ops.logSumExp`: along one axis. */
import { SOFTMAX_FIELDS, SOFTMAX_KINDS } from './abi.ts';
import { describe, fail } from './errors.ts';
import { plan, type Call } from './call.ts';
import type { Frame, Span } from './frame.ts';
import type { Instance } from './instance.ts';
import { readOperand, type Operand } from './operands.ts';
import { checkInteger, readOptions } from './options.ts';
import { freshOutput } from './outputs.ts';
import { isContiguous, sizeOf } from './shapes.ts';
import { gather } from './strided.ts';
import { isTensor, type Tensor } from './tensor.ts';
import type { AxisOptions, NDArray } from './types.ts';

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

  return plan(instance, kind, (frame) => {
    const y = freshOutput(frame, shape, isTensor(input));
    const { span, fill } = placeContiguous(frame, x);
    const run = (): void => {
      fill();
      if (outer * inner > 0 && length > 0) {
        frame.run('softmax', SOFTMAX_FIELDS, {
          kind: SOFTMAX_KINDS.indexOf(kind),
          x: span.address,
          y: y.span.address,
          outer,
          length,
          inner,
        });
      } else if (reduced) {
        frame.heap.floats(y.span.address, outer * inner).fill(-Infinity);
      }
    };
    frame.steps.push({ operation: null, run });
    return () => y.finish();
  });
}

/** Where the operand is row-major: its own place, or for a Tensor's slice a copy that `fill` makes after the commit. */
function placeContiguous(frame: Frame, operand: Operand): { span: Span; fill: () => void } {
  const { address, shape, strides } = operand;
  if (address === null || isContiguous(shape, strides)) return { span: frame.place(operand), fill: () => {} };
  const span = frame.reserveFloats(sizeOf(shape));
  return { span, fill: () => gather(frame.heap, address, shape, strides, frame.heap.floats(span.address, sizeOf(shape))) };
}
