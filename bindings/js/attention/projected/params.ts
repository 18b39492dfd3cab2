/** The projections of selfAttention and multiHeadAttention: reading their parameters and matching their sizes. */
import { describe, fail } from '../../errors/errors.ts';
import type { Instance } from '../../runtime/instance.ts';
import { isEmptyList, matchSizes, type SideSizes, type Sizes } from '../options/layout.ts';
import { readLinear, type Linear } from './linear.ts';
import { checkShape, readOperand, type Operand } from '../../tensor/operands.ts';
import { translate } from '../../errors/foreign_names.ts';
import { isPlainObject, ownProperties, unknownName } from '../../errors/options.ts';
import type { ReadScore, ScoreInput } from '../options/scores.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { readWeight, type WeightLayout } from '../../tensor/weights.ts';
import type { MultiHeadParams } from '../types/projected.ts';

const REQUIRED = ['Wq', 'Wk', 'Wv'] as const;
const PROJECTION_PARAMS = [...REQUIRED, 'Wo', 'bq', 'bk', 'bv', 'bo'] as const;
export const SELF_PARAMS: readonly (keyof MultiHeadParams)[] = PROJECTION_PARAMS;
export const MULTI_HEAD_PARAMS: readonly (keyof MultiHeadParams)[] = [...PROJECTION_PARAMS, 'biasK', 'biasV'];

export interface Projections {
  readonly q: Linear;
  readonly k: Linear;
  readonly v: Linear;
  readonly o: Linear | null;
  /** The learned key and value that are appended; both or none. */
  readonly biasK: Operand | null;
  readonly biasV: Operand | null;
}

export interface Sequences {
  readonly query: Operand;
  readonly key: Operand;
  readonly value: Operand;
}

export function readProjections(
  instance: Instance,
  fn: string,
  given: unknown,
  names: readonly string[],
  layout: WeightLayout,
  inputs: Sequences,
): Projections {
  if (!isPlainObject(given)) fail('value', fn, `params must be an object with Wq, Wk and Wv, got ${describe(given)}`);
  const params = ownProperties(given);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && !names.includes(name)) unknownName(fn, 'parameter', name, names, translate);
  }
  for (const name of REQUIRED) if (params[name] === undefined) fail('value', fn, `params.${name} must be given`);
  for (const [bias, needs] of [
    ['bo', 'Wo'],
    ['biasK', 'biasV'],
    ['biasV', 'biasK'],
  ] as const) {
    if (params[bias] !== undefined && params[needs] === undefined)
      fail('value', fn, `params.${bias} must go with params.${needs}, got ${bias} alone`);
  }
  const read = (name: string): Operand | null =>
    params[name] === undefined ? null : readWeight(instance, fn, name, params[name], layout);
  const linear = (weight: string, bias: string, from: Operand): Linear =>
    readLinear(fn, read(weight)!, read(bias), layout, from);
  return {
    q: linear('Wq', 'bq', inputs.query),
    k: linear('Wk', 'bk', inputs.key),
    v: linear('Wv', 'bv', inputs.value),
    o: readOutputProjection(fn, read('Wo'), read('bo'), layout),
    biasK: read('biasK'),
    biasV: read('biasV'),
  };
}

/** The sizes of the attention between the projections; `Tk` counts the keys before any is appended. */
export function projectedSizes(
  fn: string,
  inputs: Sequences,
  { q, k, v, o, biasK, biasV }: Projections,
  heads: number,
  kvHeads: number,
  readScore: (query: ScoreInput, key: ScoreInput) => ReadScore | null,
): { readonly sizes: Sizes; readonly score: ReadScore | null } {
  const queryWidth = perHead(fn, q, heads, 'heads');
  const keyWidth = perHead(fn, k, kvHeads, 'kvHeads');
  const score = readScore(
    { heads, tokens: tokens(inputs.query.shape), width: queryWidth },
    { heads: kvHeads, tokens: tokens(inputs.key.shape), width: keyWidth },
  );
  const width = score?.width ?? queryWidth;
  const valueWidth = perHead(fn, v, kvHeads, 'kvHeads');
  const weights = `Wq ${formatShape(q.weight.shape)}, Wk ${formatShape(k.weight.shape)}`;
  if (score === null && width !== keyWidth)
    fail('shape', fn, `Wq and Wk must give heads of one width, got ${width} and ${keyWidth} from ${weights}`);
  if (width === 0) fail('shape', fn, `the width of a head must be at least 1, got ${weights}`);
  if (o !== null && o.inner !== heads * valueWidth) {
    fail(
      'shape',
      fn,
      `Wo's input must be the width of the concatenated heads, ${heads}·${valueWidth}, got Wo ${formatShape(o.weight.shape)}`,
    );
  }
  if (biasK !== null) checkShape(fn, biasK, [k.outer], '[H·D]');
  if (biasV !== null) checkShape(fn, biasV, [v.outer], '[H·Dv]');
  const side = ({ shape }: Operand, heads: number, width: number): SideSizes => {
    return { batch: shape.length === 3 ? shape[0]! : 1, heads, tokens: tokens(shape), width };
  };
  const { query, key, value } = inputs;
  const [ofQuery, ofKey] = [side(query, heads, width), side(key, kvHeads, width)];
  const hasBatch = query.shape.length === 3;
  const sizes = matchSizes(fn, { q: query, k: key, v: value }, ofQuery, ofKey, side(value, kvHeads, valueWidth), hasBatch);
  return { score, sizes };
}

/** [T, width] or [B, T, width], or an empty list of tokens. */
export function readSequence(instance: Instance, fn: string, name: string, input: unknown): Operand {
  const operand = readOperand(instance, fn, name, input);
  if (operand.shape.length !== 2 && operand.shape.length !== 3 && !isEmptyList(operand.shape))
    fail('shape', fn, `${name} must be [T, D] or [B, T, D], got ${formatShape(operand.shape)}`);
  return operand;
}

/** The inputs, each empty list of tokens as wide as what projects it. */
export function withWidths({ query, key, value }: Sequences, { q, k, v }: Projections): Sequences {
  const wide = (input: Operand, { inner }: Linear): Operand =>
    isEmptyList(input.shape) ? { ...input, shape: [0, inner], strides: [inner, 1] } : input;
  const wideQuery = wide(query, q);
  return {
    query: wideQuery,
    key: key === query ? wideQuery : wide(key, k),
    value: value === query ? wideQuery : wide(value, v),
  };
}

function readOutputProjection(fn: string, weight: Operand | null, bias: Operand | null, layout: WeightLayout): Linear | null {
  if (weight === null) return null;
  const inner = weight.shape[layout === 'inOut' ? 0 : 1] ?? 0;
  return readLinear(fn, weight, bias, layout, { ...weight, name: 'the heads', shape: [inner] });
}

function perHead(fn: string, { weight, outer }: Linear, heads: number, option: string): number {
  if (outer % heads !== 0)
    fail(
      'shape',
      fn,
      `${weight.name}'s output width must be a multiple of ${option} ${heads}, got ${weight.name} ${formatShape(weight.shape)}`,
    );
  return outer / heads;
}

function tokens(shape: readonly number[]): number {
  return shape[shape.length - 2]!;
}
