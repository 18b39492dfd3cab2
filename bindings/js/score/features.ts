/** The parameters of multi-dimensional attention, read and matched with queries, keys and values. */
import type { FeatureScore } from '../../../build/generated/enums/feature_score.ts';
import { describe, fail } from '../errors/errors.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import { checkShape, type Operand, readOperand } from '../tensor/operands.ts';
import { checkChoice, checkFinite, isPlainObject, ownProperties, unknownName } from '../errors/options.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { readMatrix, readVector, type Matrix, type Vector } from './matrices.ts';
import type { MultiDimensionalOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';

const PARAMS = ['Wq', 'Wk', 'bias', 'W', 'b'] as const;
type Param = (typeof PARAMS)[number];

export interface Features {
  readonly score: FeatureScore;
  /** c; 1 where there is none. */
  readonly bound: number;
  /** The width of projected queries and keys. */
  readonly width: number;
  /** Null where there are no queries. */
  readonly wq: Matrix | null;
  readonly wk: Matrix;
  readonly bias: Vector | null;
  /** W, with strides as [E, D]; null with a bounded score. */
  readonly w: { readonly operand: Operand; readonly row: number; readonly column: number } | null;
  readonly b: Operand | null;
}

export function readFeatures(
  instance: Instance,
  fn: string,
  given: unknown,
  { c, activation, weightLayout }: MultiDimensionalOptions,
  q: HeadsShape | null,
  k: HeadsShape,
  v: HeadsShape,
): Features {
  checkChoice(fn, 'activation', activation, ['tanh', 'elu']);
  checkChoice(fn, 'weightLayout', weightLayout, ['inOut', 'outIn']);
  if (!isPlainObject(given)) fail('value', fn, `params must be an object with Wk, got ${describe(given)}`);
  const params = ownProperties(given);
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && !PARAMS.includes(name as Param)) unknownName(fn, 'parameter', name, PARAMS);
  const read = (name: Param): Operand | null =>
    params[name] === undefined ? null : readOperand(instance, fn, name, params[name]);
  const need = (name: Param): Operand => read(name) ?? fail('value', fn, `params.${name} must be given`);
  const layout: WeightLayout = weightLayout ?? 'inOut';

  const W = read('W');
  if (W === null && activation !== undefined) fail('option', fn, 'activation must go with params.W, got activation alone');
  if (W !== null && c !== undefined) fail('option', fn, 'c bounds a score without params.W, got both');
  if (q === null && params['Wq'] !== undefined) fail('value', fn, 'params.Wq must go with queries, got q null');
  if (W === null && params['b'] !== undefined) fail('value', fn, 'params.b must go with params.W, got b alone');
  const wk = readMatrix(fn, need('Wk'), layout, {
    inner: ['Dk', k.width],
    outer: W === null ? ['Dv', v.width] : ['E', null],
    heads: ['Hkv', k.heads],
  });
  const width = wk.outer;
  const wq =
    q === null
      ? null
      : readMatrix(fn, need('Wq'), layout, {
          inner: ['Dq', q.width],
          outer: [W === null ? 'Dv' : 'E', width],
          heads: ['H', q.heads],
        });
  const biasOperand = read('bias');
  const bias = biasOperand === null ? null : readVector(fn, biasOperand, ['H', 'A'], width, q === null ? k.heads : q.heads);
  const b = read('b');
  if (b !== null) checkShape(fn, b, [v.width], '[Dv]');
  if (W !== null) {
    const inOut = layout === 'inOut';
    checkShape(fn, W, inOut ? [width, v.width] : [v.width, width], inOut ? '[E, Dv]' : '[Dv, E]');
    const [row, column] = inOut ? [W.strides[0]!, 1] : [1, W.strides[0]!];
    return { score: activation ?? 'tanh', bound: 1, width, wq, wk, bias, w: { operand: W, row, column }, b };
  }
  return { score: 'bounded', bound: readBound(fn, c), width, wq, wk, bias, w: null, b };
}

function readBound(fn: string, c: unknown): number {
  if (c === undefined) return 5;
  checkFinite(fn, 'c', c);
  if (!(Math.fround(c) > 0)) fail('value', fn, `c must be above 0, got ${c}`);
  return c;
}
