/** The additive scores: w · tanh of what is projected out of a query and a key. */
import { SCORE } from '../../../build/generated/enums.ts';
import type { Operand } from '../tensor/operands.ts';
import { fail } from '../errors/errors.ts';
import type { ScoreSource, ReadScore, ScoreInput } from '../attention/options/scores.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { planProducts, readMatrix, readVector, type Matrix } from './matrices.ts';

const ADDITIVE = SCORE.indexOf('additive');

type Kept<Names extends string> = Readonly<Record<Names, ArrayInput>> & { readonly bias?: ArrayInput };

/** w · tanh(Wq q + Wk k + b). */
export function additiveSource(params: Kept<'Wq' | 'Wk' | 'w'>, layout: WeightLayout): ScoreSource {
  return {
    read(fn, q, k, parameter) {
      const wq = readMatrix(fn, parameter('score.Wq', params.Wq), layout, {
        inner: ['Dq', q.width],
        outer: ['A', null],
        heads: ['H', q.heads],
      });
      const wk = readMatrix(fn, parameter('score.Wk', params.Wk), layout, {
        inner: ['Dk', k.width],
        outer: ['A', wq.outer],
        heads: ['Hkv', k.heads],
      });
      const formulas = { q: '\\tilde Q = Q W_q', k: '\\tilde K = K W_k' };
      return additive(fn, q, k, wq, wk, parameter('score.w', params.w), optional(parameter, params.bias), formulas);
    },
  };
}

/** w · tanh(W [q; k] + b) is the additive score with W cut in two. */
export function concatSource(params: Kept<'W' | 'w'>, layout: WeightLayout): ScoreSource {
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
      return additive(fn, q, k, wq, wk, parameter('score.w', params.w), optional(parameter, params.bias), formulas);
    },
  };
}

function additive(
  fn: string,
  q: ScoreInput,
  k: ScoreInput,
  wq: Matrix,
  wk: Matrix,
  w: Operand,
  b: Operand | null,
  formulas: { readonly q: string; readonly k: string },
): ReadScore {
  const weights = readVector(fn, w, wq.outer, q.heads);
  const bias = b === null ? null : readVector(fn, b, wq.outer, q.heads);
  return {
    width: wq.outer,
    widths: [q.width, k.width],
    scale: 1,
    operands: [wq.operand, wk.operand, w, ...(b === null ? [] : [b])],
    formula: 'S_{ij} = w \\cdot \\tanh(\\tilde Q_i + \\tilde K_j)',
    axis: (arena) => {
      const span = arena.place(w);
      return () => ({ score: ADDITIVE, scoreWeights: span.address, scoreWeightsHead: weights.headStride });
    },
    project: (arena, query, key, { heads, kvHeads, queries, keys }) => ({
      q: {
        placed: planProducts(arena, query, { heads, tokens: queries }, wq, bias),
        formula: bias === null ? formulas.q : `${formulas.q} + b`,
      },
      k: { placed: planProducts(arena, key, { heads: kvHeads, tokens: keys }, wk), formula: formulas.k },
    }),
  };
}

function optional(parameter: (name: string, value: unknown) => Operand, bias: ArrayInput | undefined): Operand | null {
  return bias === undefined ? null : parameter('score.bias', bias);
}
