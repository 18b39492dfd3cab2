import type { Matrix } from '../figures/matrix.ts';
import { zeros } from '../figures/matrix.ts';
import { POSITION_WIDTH, positionVector, rotation } from './positions.ts';
import type { Axis } from './vectors.ts';
import { axisRange } from './vectors.ts';
import type { Feature } from './words.ts';

/** The parts from which a lesson writes exact projection matrices [axes, width] over the readable vectors. */

/** The meaning of a component of q, k or v: the axis it is taken from. */
export interface Projection {
  readonly matrix: Matrix;
  readonly components: readonly Axis[];
}

/** One component per chosen axis, times `gain`. */
export function select(axes: readonly Axis[], chosen: (axis: Axis) => boolean, gain = 1): Projection {
  const components = axes.filter(chosen);
  const matrix = zeros(axes.length, components.length);
  components.forEach((axis, c) => (matrix.data[axes.indexOf(axis) * components.length + c] = gain));
  return { matrix, components };
}

/** The position axes, turned by `steps` places and multiplied by `gain`: the word at t asks for place t + steps. */
export function turnedPosition(axes: readonly Axis[], steps: number, gain: number): Projection {
  const [from] = axisRange(axes, 'position');
  const turn = rotation(steps);
  const matrix = zeros(axes.length, POSITION_WIDTH);
  turn.forEach((line, a) => line.forEach((x, b) => (matrix.data[(from + a) * POSITION_WIDTH + b] = gain * x)));
  return { matrix, components: positionAxes(axes) };
}

/** The constant axis carries the vector of one place: every word asks for the same place. */
export function fixedPlace(axes: readonly Axis[], place: number, gain: number): Projection {
  const [from] = axisRange(axes, 'constant');
  const matrix = zeros(axes.length, POSITION_WIDTH);
  positionVector(place).forEach((x, b) => (matrix.data[from * POSITION_WIDTH + b] = gain * x));
  return { matrix, components: positionAxes(axes) };
}

/** `from` in the word's vector is written into every one of the components named `to`. */
export function ask(axes: readonly Axis[], from: Feature, to: readonly Feature[], gain: number): Projection {
  const components = to.map((feature): Axis => ({ kind: 'feature', feature }));
  const matrix = zeros(axes.length, components.length);
  const source = axes.findIndex((axis) => axis.kind === 'feature' && axis.feature === from);
  components.forEach((_, c) => (matrix.data[source * components.length + c] = gain));
  return { matrix, components };
}

function positionAxes(axes: readonly Axis[]): Axis[] {
  return axes.filter((axis) => axis.kind === 'position');
}
