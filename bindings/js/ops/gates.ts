/** Gated linear units: one half of an axis, multiplied by a function of the other. */
import { instanceOf } from '../runtime/instances.ts';
import { GATE_BLOCK } from '../../../build/generated/blocks/gate.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { checkChoice, readOptions } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AxisOptions } from './axis_options.ts';
import { activationFields, type ActivationName } from './activations.ts';
import { computeArray, placeDense, readArray, readAxis } from './operands.ts';

/**
 * a·sigmoid(b): a and b are the first and the second half of x along `axis`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape whose axis has an even length.
 * @returns the shape of x with half the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Dauphin et al. 2017, arXiv:1612.08083 eq. 1.
 * @example
 * import { glu } from 'fovea/ops';
 * toNested(glu(fovea, [[1, 2, 0, 1]])); // [[0.5, 1.4621]]
 */
export function glu<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  const { axis } = readOptions('glu', options, ['axis']);
  return gate(fovea, 'glu', 'sigmoid', x, axis);
}

/**
 * a·gelu(b): a and b are the first and the second half of x along `axis`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape whose axis has an even length.
 * @returns the shape of x with half the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Shazeer 2020, arXiv:2002.05202 eq. 5, with the halves exchanged, as glu has them.
 * @example
 * import { geglu } from 'fovea/ops';
 * toNested(geglu(fovea, [[1, 2, 0, 1]])); // [[0, 1.6827]]
 */
export function geglu<X extends ArrayInput>(fovea: Fovea, x: X, options?: GegluOptions): ResultArray<X> {
  const { axis, activation = 'gelu' } = readOptions('geglu', options, ['axis', 'activation']);
  checkChoice('geglu', 'activation', activation, ['gelu', 'geluTanh']);
  return gate(fovea, 'geglu', activation, x, axis);
}

export interface GegluOptions extends AxisOptions {
  /** Default 'gelu'; 'geluTanh' is its approximation by tanh. */
  readonly activation?: 'gelu' | 'geluTanh' | undefined;
}

/**
 * a·silu(b): a and b are the first and the second half of x along `axis`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape whose axis has an even length.
 * @returns the shape of x with half the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Shazeer 2020, arXiv:2002.05202 eq. 5, with the halves exchanged, as glu has them.
 * @example
 * import { swiglu } from 'fovea/ops';
 * toNested(swiglu(fovea, [[1, 2, 0, 1]])); // [[0, 1.4621]]
 */
export function swiglu<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  const { axis } = readOptions('swiglu', options, ['axis']);
  return gate(fovea, 'swiglu', 'silu', x, axis);
}

/**
 * a·max(b, 0): a and b are the first and the second half of x along `axis`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape whose axis has an even length.
 * @returns the shape of x with half the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Shazeer 2020, arXiv:2002.05202 eq. 5, with the halves exchanged, as glu has them.
 * @example
 * import { reglu } from 'fovea/ops';
 * toNested(reglu(fovea, [[1, 2, -1, 3]])); // [[0, 6]]
 */
export function reglu<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  const { axis } = readOptions('reglu', options, ['axis']);
  return gate(fovea, 'reglu', 'relu', x, axis);
}

function gate<X extends ArrayInput>(fovea: Fovea, fn: string, name: ActivationName, input: X, axis = -1): ResultArray<X> {
  const instance = instanceOf(fn, fovea);
  const x = readArray(instance, fn, 'x', input);
  const { place, outer, length, inner } = readAxis(fn, x, axis);
  if (length % 2 !== 0) fail('shape', fn, `axis ${axis} must have an even length, got ${length} in x ${formatShape(x.shape)}`);
  const shape = x.shape.map((whole, at) => (at === place ? length / 2 : whole));
  return computeArray(instance, fn, input, shape, (arena, y) => {
    const ptr = placeDense(arena, x);
    return () =>
      arena.run('gate', GATE_BLOCK, {
        ...activationFields(name),
        x: ptr.address,
        rows: outer,
        half: (length / 2) * inner,
        y: y.address,
      });
  });
}
