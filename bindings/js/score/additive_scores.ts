/** The additive scores: w · f of what is projected out of a query and a key, and f of a sum of two numbers. */
import { ACTIVATION } from '../../../build/generated/enums/activation.ts';
import { SCORE } from '../../../build/generated/enums/score.ts';
import type { Operand } from '../tensor/operands.ts';
import { describe, fail } from '../errors/errors.ts';
import { checkChoice, checkFinite, ownProperties, readOptions } from '../errors/options.ts';
import type { ReadParameter, ReadScore, ScoreInput } from '../attention/options/scores.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { planProducts, readMatrix, readVector, type Matrix, type Vector } from './matrices.ts';
import { readWeightLayout, type ScoreReader } from './score.ts';
import type { AdditiveOptions, PairSumOptions, ProjectedKeys } from './types.ts';

const ADDITIVE = SCORE.indexOf('additive');

type Kept<Names extends string, Optional extends string = 'bias'> = Readonly<Record<Names, ArrayInput>> & {
  readonly [name in Optional]?: ArrayInput;
};

/** f, as the core has it and in LaTeX. */
interface Activation {
  readonly fields: { readonly scoreActivation: number; readonly scoreSlope: number };
  readonly formula: string;
}

/** The two sides of a pair before they are added. */
interface Sides {
  readonly wq: Matrix;
  /** Null where keys are projected already. */
  readonly wk: Matrix | null;
  readonly bias: Vector | null;
  readonly formulas: { readonly q: string; readonly k: string };
}

type WithKeys<Options> = Options & Partial<ProjectedKeys>;

/** The options of an additive score. */
export interface AdditiveForm {
  /** The options that were given. */
  readonly options: object;
  readonly layout: WeightLayout;
  readonly activation: Activation;
  readonly hasProjectedKeys: boolean;
}

/** @internal */
export function readAdditiveForm(
  fn: string,
  options: WithKeys<AdditiveOptions> | undefined,
  names: readonly (keyof WithKeys<AdditiveOptions>)[],
): AdditiveForm {
  const own = readOptions(fn, options, names);
  const { weightLayout, keys, ...rest } = own;
  checkChoice(fn, 'keys', keys, ['projected']);
  return {
    options: own,
    layout: readWeightLayout(fn, weightLayout === undefined ? undefined : { weightLayout }),
    activation: readActivation(fn, ownProperties(rest), ['tanh', 'relu', 'leakyRelu']),
    hasProjectedKeys: keys !== undefined,
  };
}

/** @internal */
export function readPairSumForm(fn: string, options: WithKeys<PairSumOptions> | undefined): Omit<AdditiveForm, 'layout'> {
  const own = readOptions(fn, options, ['activation', 'slope', 'keys']);
  const { keys, ...rest } = own;
  checkChoice(fn, 'keys', keys, ['projected']);
  const activation = readActivation(fn, ownProperties(rest), ['leakyRelu', 'relu', 'tanh', 'none']);
  return { options: own, activation, hasProjectedKeys: keys !== undefined };
}

/** Without the option the first of the names. */
function readActivation(
  fn: string,
  { activation, slope }: PairSumOptions,
  names: readonly [NonNullable<PairSumOptions['activation']>, ...NonNullable<PairSumOptions['activation']>[]],
): Activation {
  checkChoice(fn, 'activation', activation, names);
  const name = activation ?? names[0];
  if (slope !== undefined && name !== 'leakyRelu')
    fail('option', fn, `slope is that of activation 'leakyRelu', got slope ${describe(slope)} with activation '${name}'`);
  if (slope !== undefined) checkFinite(fn, 'slope', slope);
  const scoreSlope = slope ?? 0.2;
  const formula = {
    tanh: '\\tanh',
    relu: '\\operatorname{ReLU}',
    leakyRelu: `\\operatorname{LeakyReLU}_{${scoreSlope}}`,
    none: '',
  }[name];
  return { fields: { scoreActivation: ACTIVATION.indexOf(name), scoreSlope }, formula };
}

/** w · f(Wq q + Wk k + b); without Wk keys are projected already. */
export function additiveSource(params: Kept<'Wq' | 'w', 'Wk' | 'bias'>, { layout, activation }: AdditiveForm): ScoreReader {
  return {
    read(fn, q, k, parameter) {
      const wq = readMatrix(fn, parameter('score.Wq', params.Wq), layout, {
        inner: ['Dq', q.width],
        outer: ['A', null],
        heads: ['H', q.heads],
      });
      const wk =
        params.Wk === undefined
          ? null
          : readMatrix(fn, parameter('score.Wk', params.Wk), layout, {
              inner: ['Dk', k.width],
              outer: ['A', wq.outer],
              heads: ['Hkv', k.heads],
            });
      const formulas = { q: '\\tilde Q = Q W_q', k: '\\tilde K = K W_k' };
      return additive(fn, q, k, activation, ...withVectors(fn, q, parameter, params, { wq, wk, formulas }));
    },
  };
}

/** w · f(W [q; k] + b) is the additive score with W cut in two. */
export function concatSource(params: Kept<'W' | 'w'>, { layout, activation }: AdditiveForm): ScoreReader {
  return {
    read(fn, q, k, parameter) {
      const whole = readMatrix(fn, parameter('score.W', params.W), layout, {
        inner: ['Dq + Dk', q.width + k.width],
        outer: ['A', null],
        heads: ['H', q.heads],
      });
      if (whole.headStride !== 0 && k.heads !== q.heads)
        fail(
          'shape',
          fn,
          `score.W of each head wants as many heads in k as in q, ${q.heads}, got ${k.heads} for W ${formatShape(whole.operand.shape)}`,
        );
      const wq = { ...whole, inner: q.width };
      const wk = { ...whole, inner: k.width, offset: q.width * whole.innerStride };
      const formulas = { q: '\\tilde Q = Q W_{[1:D_q]}', k: '\\tilde K = K W_{[D_q+1:]}' };
      return additive(fn, q, k, activation, ...withVectors(fn, q, parameter, params, { wq, wk, formulas }));
    },
  };
}

/** f(wq · q + wk · k): the additive score of width 1 with w = 1; without wk keys are numbers already. */
export function pairSumSource(params: Kept<'wq', 'wk'>, activation: Activation): ScoreReader {
  return {
    read(fn, q, k, parameter) {
      const column = (
        name: string,
        value: ArrayInput,
        letters: readonly [string, string],
        { width, heads }: ScoreInput,
      ): Matrix => {
        const vector = readVector(fn, parameter(`score.${name}`, value), letters, width, heads);
        const innerStride = vector.operand.strides.at(-1)!;
        return { ...vector, offset: 0, inner: width, outer: 1, innerStride, outerStride: 1 };
      };
      const wq = column('wq', params.wq, ['H', 'Dq'], q);
      const wk = params.wk === undefined ? null : column('wk', params.wk, ['Hkv', 'Dk'], k);
      const formulas = { q: '\\tilde q = Q w_q', k: '\\tilde k = K w_k' };
      return additive(fn, q, k, activation, null, { wq, wk, bias: null, formulas });
    },
  };
}

/** w and the bias of the width that the matrices have. */
function withVectors(
  fn: string,
  { heads }: ScoreInput,
  parameter: ReadParameter,
  params: { readonly w: ArrayInput; readonly bias?: ArrayInput },
  sides: Omit<Sides, 'bias'>,
): [w: Vector, sides: Sides] {
  const read = (name: string, value: ArrayInput): Vector =>
    readVector(fn, parameter(`score.${name}`, value), ['H', 'A'], sides.wq.outer, heads);
  const w = read('w', params.w);
  return [w, { ...sides, bias: params.bias === undefined ? null : read('bias', params.bias) }];
}

/** Without w the width is 1, and w, too. */
function additive(
  fn: string,
  q: ScoreInput,
  k: ScoreInput,
  { fields, formula }: Activation,
  w: Vector | null,
  { wq, wk, bias, formulas }: Sides,
): ReadScore {
  if (wk === null && k.width !== wq.outer)
    fail('shape', fn, `k must have the width ${wq.outer} of projected queries with keys 'projected', got ${k.width}`);
  const operands: Operand[] = [wq, wk, w, bias].flatMap((one) => (one === null ? [] : [one.operand]));
  const key = w === null ? 'k_j' : 'K_j';
  const sum = `${w === null ? '\\tilde q_i' : '\\tilde Q_i'} + ${wk === null ? key : `\\tilde ${key}`}`;
  const value = formula === '' ? sum : `${formula}(${sum})`;
  return {
    width: wq.outer,
    widths: [q.width, k.width],
    scale: 1,
    operands,
    formula: `S_{ij} = ${w === null ? '' : 'w \\cdot '}${value}`,
    keepsKeys: wk === null,
    variantPart: (arena) => {
      const ptr = w === null ? arena.placeFloats(Float32Array.of(1)) : arena.place(w.operand);
      const scoreWeightsHead = w?.headStride ?? 0;
      return () => ({ score: ADDITIVE, scoreWeights: ptr.address, scoreWeightsHead, ...fields });
    },
    project: (arena, query, key, { heads, kvHeads, queries, keys }) => ({
      q: {
        placed: planProducts(arena, query, { heads, tokens: queries }, wq, bias),
        formula: bias === null ? formulas.q : `${formulas.q} + b`,
      },
      k: wk === null ? null : { placed: planProducts(arena, key, { heads: kvHeads, tokens: keys }, wk), formula: formulas.k },
    }),
  };
}
