/** The weights of recurrent layers: named as in PyTorch, checked against each other. */
import { describe, fail } from '../../errors/errors.ts';
import { checkShape, type Operand } from '../../tensor/operands.ts';
import { isPlainObject, unknownName } from '../../errors/options.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { readContiguous } from './tools.ts';
import type { Instance } from '../../runtime/instance.ts';

export type Family = 'rnn' | 'gru' | 'lstm';

export const GATES: Record<Family, number> = { rnn: 1, gru: 3, lstm: 4 };

export const SUFFIXES = ['', '_reverse'] as const;
/** In the order of the core's block. */
const ARRAYS = ['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh', 'weight_hr'] as const;

/** One direction of one layer: its arrays in the order of the core's block, null where there is none. */
export interface Weights {
  readonly backward: boolean;
  readonly arrays: readonly (Operand | null)[];
}

export interface Layers {
  /** Layer by layer, each with its directions, forward first. */
  readonly list: readonly (readonly Weights[])[];
  readonly directions: number;
  /** Hd and P. */
  readonly hidden: number;
  readonly state: number;
}

/** The arrays that are present by name; an `option` error for a name that is none of a layer's. */
export function readNames(fn: string, family: Family, params: unknown): Map<string, unknown> {
  if (!isPlainObject(params)) fail('value', fn, `params must be an object of arrays by name, got ${describe(params)}`);
  const given = new Map(Object.entries(params).filter(([, value]) => value !== undefined));
  const names = ARRAYS.filter((name) => name !== 'weight_hr' || family === 'lstm');
  for (const name of given.keys()) {
    const array = /^(\w+)_l(?:0|[1-9]\d*)(_reverse)?$/.exec(name)?.[1];
    if (!(names as readonly string[]).includes(array ?? ''))
      unknownName(fn, 'parameter', name, [
        ...names.map((known) => `${known}_l0`),
        ...names.map((known) => `${known}_l0_reverse`),
      ]);
  }
  return given;
}

/** `width` is that of x; null where there is no input, and then no weight_ih is asked for. */
export function readLayers(
  instance: Instance,
  fn: string,
  family: Family,
  given: Map<string, unknown>,
  width: number | null,
): Layers {
  const count = 1 + Math.max(-1, ...[...given.keys()].map((name) => Number(/_l(\d+)/.exec(name)![1])));
  const suffixes = SUFFIXES.filter((suffix) => given.has(`weight_hh_l0${suffix}`));
  if (suffixes.length === 0) fail('value', fn, 'params must have weight_ih_l0 and weight_hh_l0, got no weight_hh_l0');
  for (const name of given.keys()) {
    const suffix = SUFFIXES[Number(name.endsWith('_reverse'))]!;
    if (!suffixes.includes(suffix)) fail('value', fn, `params must have weight_hh_l0${suffix}, as they have ${name}`);
  }
  const read = (name: string): Operand | null =>
    given.has(name) ? readContiguous(instance, fn, `params.${name}`, given.get(name)) : null;

  const first = read(`weight_hh_l0${suffixes[0]}`)!;
  const gates = GATES[family];
  const [rows = 0, state = 0] = first.shape;
  const hidden = rows / gates;
  if (first.shape.length !== 2 || !Number.isInteger(hidden) || hidden === 0 || state === 0)
    fail('shape', fn, `${first.name} must be [${gates === 1 ? '' : `${gates}·`}Hd, P], got ${formatShape(first.shape)}`);

  const whole = gates === 1 ? 'Hd' : `${gates}·Hd`;
  const projects = given.has(`weight_hr_l0${suffixes[0]}`);
  if (!projects && state !== hidden)
    fail('shape', fn, `${first.name} must be [${whole}, Hd] without weight_hr, got ${formatShape(first.shape)}`);
  const list = Array.from({ length: count }, (_, layer) => {
    const inner = layer === 0 ? width : suffixes.length * state;
    const columns = [inner, state, null, null, hidden];
    const meanings = [layer === 0 ? "x's width" : 'the width below', 'P', '', '', 'Hd'];
    const needed = [inner !== null, true, false, false, projects];
    return suffixes.map((suffix): Weights => ({
      backward: suffix !== '',
      arrays: ARRAYS.map((array, n) => {
        const name = `${array}_l${layer}${suffix}`;
        const operand = read(name);
        if (operand === null && needed[n]) fail('value', fn, `params must have ${name}, as they have others of its kind`);
        const isProjection = array === 'weight_hr';
        if (operand !== null && isProjection && !projects)
          fail('value', fn, `params must have weight_hr_l0${suffixes[0]}, as they have ${name}`);
        const shape = [isProjection ? state : rows, ...(columns[n] === null ? [] : [columns[n]!])];
        const letters = [isProjection ? 'P' : whole, ...(columns[n] === null ? [] : [meanings[n]])];
        if (operand !== null && (inner !== null || n > 0)) checkShape(fn, operand, shape, `[${letters.join(', ')}]`);
        return operand;
      }),
    }));
  });
  return { list, directions: suffixes.length, hidden, state };
}
