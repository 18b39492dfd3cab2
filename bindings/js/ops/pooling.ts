/** Pooling over windows of one axis, or over all of it. */
import { POOLING, type Pooling } from '../../../build/generated/enums/pooling.ts';
import { instanceOf } from '../runtime/instances.ts';
import { POOLING_BLOCK } from '../../../build/generated/blocks/pooling.ts';
import { describe, fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { countWindows, readPadding, readPositive, type Padding } from './padding.ts';
import { computeArray, placeDense, readArray, readAxis } from './operands.ts';

export interface MaxPoolOptions {
  /** Default -2, the tokens of [..., T, D]; of a vector -1. */
  readonly axis?: number | undefined;
  /** Entries of a window; left out: one window over the whole axis, which is left out of the result. */
  readonly kernel?: number | undefined;
  /** From one window to the next; default: `kernel`. */
  readonly stride?: number | undefined;
  /** Less than `kernel`; default 0. Padding is never the maximum, and adds nothing to a sum. */
  readonly padding?: Padding | undefined;
}

export interface MeanPoolOptions extends MaxPoolOptions {
  /** Whether padding counts as zeros (default true, as in PyTorch) or is left out of the mean. */
  readonly countPadding?: boolean | undefined;
}

/**
 * The maximum over windows of one axis, or over all of it; NaN where a window holds one.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x with ⌊(T + padding - kernel) / stride⌋ + 1 in place of the axis's T; without `kernel` the shape of x
 *   without the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { maxPool } from 'fovea/ops';
 * const tokens = [[1, 5], [4, 2], [3, 3]];
 * toNested(maxPool(fovea, tokens)); // [4, 5]
 * toNested(maxPool(fovea, tokens, { kernel: 2, stride: 1 })); // [[4, 5], [4, 3]]
 */
export function maxPool<X extends ArrayInput>(fovea: Fovea, x: X, options?: MaxPoolOptions): ResultArray<X> {
  return pool(fovea, 'max', x, readOptions('maxPool', options, ['axis', 'kernel', 'stride', 'padding']));
}

/**
 * The mean over windows of one axis, or over all of it.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns as maxPool.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { meanPool } from 'fovea/ops';
 * const tokens = [[1, 5], [4, 2], [4, 2]];
 * toNested(meanPool(fovea, tokens)); // [3, 3]
 * toNested(meanPool(fovea, tokens, { kernel: 2, padding: [1, 0] })); // [[0.5, 2.5], [4, 2]]
 */
export function meanPool<X extends ArrayInput>(fovea: Fovea, x: X, options?: MeanPoolOptions): ResultArray<X> {
  const known = readOptions('meanPool', options, ['axis', 'kernel', 'stride', 'padding', 'countPadding']);
  return pool(fovea, 'mean', x, known);
}

/**
 * The sum over windows of one axis, or over all of it; padding counts as zeros.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns as maxPool.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { sumPool } from 'fovea/ops';
 * const tokens = [[1, 5], [4, 2], [4, 2]];
 * toNested(sumPool(fovea, tokens)); // [9, 9]
 * toNested(sumPool(fovea, tokens, { kernel: 2, stride: 1 })); // [[5, 7], [8, 4]]
 */
export function sumPool<X extends ArrayInput>(fovea: Fovea, x: X, options?: MaxPoolOptions): ResultArray<X> {
  return pool(fovea, 'sum', x, readOptions('sumPool', options, ['axis', 'kernel', 'stride', 'padding']));
}

function pool<X extends ArrayInput>(fovea: Fovea, kind: Pooling, input: X, options: MeanPoolOptions): ResultArray<X> {
  const fn = `${kind}Pool`;
  const instance = instanceOf(fn, fovea);
  const x = readArray(instance, fn, 'x', input);
  const { axis = x.shape.length === 1 ? -1 : -2, padding = 0, countPadding = true } = options;
  const { place, outer, length, inner } = readAxis(fn, x, axis);
  checkBoolean(fn, 'countPadding', countPadding);
  const whole = options.kernel === undefined;
  if (whole) {
    for (const name of ['stride', 'padding', 'countPadding'] as const)
      if (options[name] !== undefined) fail('option', fn, `${name} goes with kernel, got ${describe(options[name])} alone`);
  }
  if (length === 0) fail('shape', fn, `axis ${axis} must have at least one entry, got x ${formatShape(x.shape)}`);
  const kernel = readPositive(fn, 'kernel', options.kernel, length);
  const stride = readPositive(fn, 'stride', options.stride, kernel);
  const [before, after] = readPadding(fn, padding, kernel - 1);
  const outLength = countWindows(fn, before + length + after, kernel, stride);
  const shape = x.shape.map((own, at) => (at === place ? outLength : own));
  if (whole) shape.splice(place, 1);
  return computeArray(instance, fn, input, shape, (arena, y) => {
    const ptr = placeDense(arena, x);
    return () =>
      arena.run('pooling', POOLING_BLOCK, {
        kind: POOLING.indexOf(kind),
        outer,
        length,
        outLength,
        inner,
        kernel,
        stride,
        padding: before,
        countPadding: Number(countPadding),
        x: ptr.address,
        y: y.address,
      });
  });
}
