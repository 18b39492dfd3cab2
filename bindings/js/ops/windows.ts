/** Arrays cut into windows: patches of an image, frames of a signal. */
import { fail } from '../errors/errors.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { checkShape } from '../tensor/operands.ts';
import { formatShape, rowMajor, sizeOf } from '../tensor/shapes.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import { ARITHMETIC } from '../../../build/generated/enums/arithmetic.ts';
import { planCopy } from './copies.ts';
import { computeArray, placeDense, readArray, readOptional } from './operands.ts';
import { placeAxes, shareAxes } from './shared_axes.ts';

export interface PatchesOptions {
  /** The height and width of a patch; it divides those of the image. */
  readonly size: number;
}

export interface FramesOptions {
  /** How many entries a frame has. */
  readonly length: number;
  /** From one frame to the next; default `length`. */
  readonly shift?: number | undefined;
  /** [length]: each frame is multiplied by it, as by a Hann window. */
  readonly window?: ArrayInput | undefined;
}

/**
 * An image as a sequence of square patches, row by row; a patch is flattened as row, column, channel.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param image [..., height, width, channels].
 * @param options `size` of a patch, which divides height and width.
 * @returns [..., (height / size)·(width / size), size²·channels]; a Tensor where the image is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Dosovitskiy et al. 2021 (ViT), arXiv:2010.11929 eq. 1.
 * @example
 * import { patches } from 'fovea/ops';
 * const image = [[[1], [2], [3], [4]], [[5], [6], [7], [8]]];
 * toNested(patches(fovea, image, { size: 2 })); // [[1, 2, 5, 6], [3, 4, 7, 8]]
 */
export function patches<X extends ArrayInput>(fovea: Fovea, image: X, options: PatchesOptions): ResultArray<X> {
  const fn = 'patches';
  const instance = instanceOf(fn, fovea);
  const { size } = readOptions<PatchesOptions>(fn, options, ['size']);
  checkInteger(fn, 'size', size, 1, 2 ** 30);
  const x = readArray(instance, fn, 'image', image);
  if (x.shape.length < 3) fail('shape', fn, `image must be [..., height, width, channels], got ${formatShape(x.shape)}`);
  const [height, width, channels] = x.shape.slice(-3) as [number, number, number];
  if (height % size !== 0 || width % size !== 0)
    fail('shape', fn, `size must divide the image's height and width, got ${size} and ${height} × ${width}`);
  const outer = x.shape.slice(0, -3);
  const [rows, columns] = [height / size, width / size];
  const [down, across, deep] = x.strides.slice(-3) as [number, number, number];
  const shape = [...outer, rows, columns, size, size, channels];
  const fromStrides = [...x.strides.slice(0, -3), size * down, size * across, down, across, deep];
  const result = [...outer, rows * columns, size * size * channels];
  return computeArray(instance, fn, image, result, (arena, y) =>
    planCopy(arena, { from: x, to: y, offset: 0, shape, fromStrides, toStrides: rowMajor(shape) }),
  );
}

/**
 * A signal cut into frames, which may overlap; entries after the last whole frame are left out.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param signal [..., N].
 * @param options `length` of a frame; `shift` from one to the next; `window`, by which each is multiplied.
 * @returns [..., frames, length], frames = 1 + ⌊(N - length) / shift⌋, or 0 where N < length; a Tensor where the signal is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { frames } from 'fovea/ops';
 * toNested(frames(fovea, [1, 2, 3, 4, 5, 6], { length: 3, shift: 2 })); // [[1, 2, 3], [3, 4, 5]]
 */
export function frames<X extends ArrayInput>(fovea: Fovea, signal: X, options: FramesOptions): ResultArray<X> {
  const fn = 'frames';
  const instance = instanceOf(fn, fovea);
  const { length, shift = length, window } = readOptions<FramesOptions>(fn, options, ['length', 'shift', 'window']);
  checkInteger(fn, 'length', length, 1, 2 ** 30);
  checkInteger(fn, 'shift', shift, 1, 2 ** 30);
  const x = readArray(instance, fn, 'signal', signal);
  const factors = readOptional(instance, fn, 'window', window);
  if (x.shape.length === 0) fail('shape', fn, 'signal must be [..., N], got []');
  if (factors !== null) checkShape(fn, factors, [length], '[length]');
  const [outer, entries] = [x.shape.slice(0, -1), x.shape[x.shape.length - 1]!];
  const count = entries < length ? 0 : 1 + Math.floor((entries - length) / shift);
  const shape = [...outer, count, length];
  const step = x.strides[x.strides.length - 1]!;
  const fromStrides = [...x.strides.slice(0, -1), shift * step, step];
  return computeArray(instance, fn, signal, shape, (arena, y) => {
    const toStrides = rowMajor(shape);
    if (factors === null) return planCopy(arena, { from: x, to: y, offset: 0, shape, fromStrides, toStrides });
    const cut = arena.reserveFloats(sizeOf(shape));
    const copy = planCopy(arena, { from: x, to: cut, offset: 0, shape, fromStrides, toStrides });
    const b = placeDense(arena, factors);
    const repeated = shape.map((_, axis) => Number(axis === shape.length - 1));
    const axes = placeAxes(arena, shareAxes(shape, [toStrides, repeated]), 'aStrides', 'bStrides');
    return () => {
      copy();
      const block = { kind: ARITHMETIC.indexOf('multiply'), scale: 1, ...axes() };
      arena.run('arithmetic', ARITHMETIC_BLOCK, { ...block, a: cut.address, b: b.address, y: y.address });
    };
  });
}
