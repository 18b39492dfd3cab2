/** The weights of recurrent layers: named as in PyTorch, checked against each other. */
import { describe, fail } from '../errors.ts';
import type { Operand } from '../operands.ts';
import { isPlainObject, unknownName } from '../options.ts';
import { formatShape } from '../shapes.ts';
import { readContiguous, type Tools } from './tools.ts';

export type Family = 'rnn' | 'gru' | 'lstm';

export const GATES: Record<Family, number> = { rnn: 1, gru: 3, lstm: 4 };

export const SUFFIXES = ['', '_reverse'] as const;
const ARRAYS = ['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh', 'weight_hr'] as const;

/** One direction of one layer; null where there is no such array. */
export interface Weights {
  readonly backward: boolean;
  readonly weightIh: Operand | null;
  readonly weightHh: Operand;
  readonly biasIh: Operand | null;
  readonly biasHh: Operand | null;
  readonly weightHr: Operand | null;
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
    const array = /^(\w+)_l\d+(_reverse)?$/.exec(name)?.[1];
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
  tools: Tools,
  fn: string,
  family: Family,
  given: Map<string, unknown>,
  width: number | null,
): Layers {
  const count = 1 + Math.max(-1, ...[...given.keys()].map((name) => Number(/_l(\d+)/.exec(name)![1])));
  const suffixes = SUFFIXES.filter((suffix) => given.has(`weight_hh_l0${suffix}`));
  if (suffixes.length === 0) fail('value', fn, 'params must have weight_ih_l0 and weight_hh_l0, got no weight_hh_l0');
  const read = (name: string): Operand | null =>
    given.has(name) ? readContiguous(tools, fn, `params.${name}`, given.get(name)) : null;

  const first = read(`weight_hh_l0${suffixes[0]}`)!;
  const gates = GATES[family];
  const [rows = 0, state = 0] = first.shape;
  const hidden = rows / gates;
  if (first.shape.length !== 2 || !Number.isInteger(hidden) || hidden === 0 || state === 0)
    fail('shape', fn, `${first.name} must be [${gates === 1 ? '' : `${gates}·`}Hd, P], got ${formatShape(first.shape)}`);

  const check = (operand: Operand | null, shape: readonly number[], meaning: string): void => {
    if (operand !== null) tools.checkShape(fn, operand, shape, meaning);
  };
  const whole = gates === 1 ? 'Hd' : `${gates}·Hd`;
  const list = Array.from({ length: count }, (_, layer) => {
    const inner = layer === 0 ? width : suffixes.length * state;
    return suffixes.map((suffix): Weights => {
      const named = (array: (typeof ARRAYS)[number]): string => `${array}_l${layer}${suffix}`;
      const need = (array: 'weight_ih' | 'weight_hh'): Operand =>
        read(named(array)) ?? fail('value', fn, `params must have ${named(array)}, as it has others of its kind`);
      const projects = given.has(named('weight_hr'));
      if (!projects && state !== hidden)
        fail('shape', fn, `${first.name} must be [${whole}, Hd] without weight_hr, got ${formatShape(first.shape)}`);
      const weights = {
        backward: suffix !== '',
        weightIh: inner === null ? read(named('weight_ih')) : need('weight_ih'),
        weightHh: need('weight_hh'),
        biasIh: read(named('bias_ih')),
        biasHh: read(named('bias_hh')),
        weightHr: read(named('weight_hr')),
      };
      if (inner !== null)
        check(weights.weightIh, [rows, inner], `[${whole}, ${layer === 0 ? "x's width" : 'the width below'}]`);
      check(weights.weightHh, [rows, state], `[${whole}, P]`);
      check(weights.biasIh, [rows], `[${whole}]`);
      check(weights.biasHh, [rows], `[${whole}]`);
      check(weights.weightHr, [state, hidden], '[P, Hd]');
      return weights;
    });
  });
  const directions = suffixes.length;
  const expected = list.flat().reduce((sum, weights) => sum + Object.values(weights).filter(isArray).length, 0);
  if (expected !== given.size)
    fail(
      'value',
      fn,
      `every layer must have the directions of the first, ${describe([...suffixes])}, got ${[...given.keys()].join(', ')}`,
    );
  if (new Set(list.flat().map(({ weightHr }) => weightHr === null)).size > 1)
    fail('value', fn, 'weight_hr must be there for every layer and direction, or for none');
  return { list, directions, hidden, state };
}

function isArray(value: Operand | boolean | null): boolean {
  return typeof value === 'object' && value !== null;
}
