/** The scores that are dot products once queries or keys have been changed. */
import { planUnitRows } from '../call/unit_rows.ts';
import { fail } from '../errors/errors.ts';
import type { ReadScore, ScoreInput } from '../attention/options/scores.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { planProducts, readMatrix } from './matrices.ts';
import type { ScoreReader } from './score.ts';

/** q · k; `scale` as in ReadScore. */
export function dotSource(scale: 1 | null): ScoreReader {
  return {
    read(fn, q, k) {
      checkWidths(fn, q, k);
      return { ...plainRows(q, k), scale };
    },
  };
}

/** Each row divided by its length. */
export function cosineSource(): ScoreReader {
  return {
    read(fn, q, k) {
      checkWidths(fn, q, k);
      return {
        ...plainRows(q, k),
        formula: 'S = \\hat Q \\hat K^{\\top}',
        keepsKeys: false,
        project: (arena, query, key, { heads, kvHeads, queries, keys }) => ({
          q: {
            placed: planUnitRows(arena, query, heads, queries, q.width),
            formula: '\\hat Q_i = Q_i / \\lVert Q_i \\rVert',
          },
          k: { placed: planUnitRows(arena, key, kvHeads, keys, k.width), formula: '\\hat K_j = K_j / \\lVert K_j \\rVert' },
        }),
      };
    },
  };
}

/** qᵀ W k: the queries are taken through W. */
export function bilinearSource(W: ArrayInput, layout: WeightLayout): ScoreReader {
  return {
    read(fn, q, k, parameter) {
      const matrix = readMatrix(fn, parameter('score.W', W), layout, {
        inner: ['Dq', q.width],
        outer: ['Dk', k.width],
        heads: ['H', q.heads],
      });
      return {
        ...plainRows(q, k),
        width: k.width,
        operands: [matrix.operand],
        formula: 'S = \\tilde Q K^{\\top}',
        project: (arena, query, _key, { heads, queries }) => ({
          q: { placed: planProducts(arena, query, { heads, tokens: queries }, matrix), formula: '\\tilde Q = Q W' },
          k: null,
        }),
      };
    },
  };
}

/** W q: the rows of W, one for each position, stand for the keys. */
export function locationSource(W: ArrayInput): ScoreReader {
  return {
    read(fn, q, k, parameter) {
      const operand = parameter('score.W', W);
      const { shape, strides } = operand;
      const rank = shape.length;
      const perHead = rank === 3 && shape[0] === k.heads;
      if (!(rank === 2 || perHead) || shape[rank - 1] !== q.width || shape[rank - 2]! < k.tokens) {
        const axes = `positions ≥ ${k.tokens}, Dq = ${q.width}`;
        fail('shape', fn, `score.W must be [${axes}] or [Hkv = ${k.heads}, ${axes}], got ${formatShape(shape)}`);
      }
      return {
        ...plainRows(q, k),
        operands: [operand],
        formula: 'S = Q W^{\\top}',
        keepsKeys: false,
        project: (arena) => ({
          q: null,
          k: {
            placed: {
              ptr: arena.place(operand),
              batch: 1,
              batchStride: 0,
              headStride: perHead && k.heads > 1 ? strides[0]! : 0,
              tokenStride: strides[rank - 2]!,
            },
            formula: 'W',
          },
        }),
      };
    },
  };
}

function plainRows(q: ScoreInput, k: ScoreInput): ReadScore {
  return {
    width: q.width,
    widths: [q.width, k.width],
    scale: 1,
    operands: [],
    formula: 'S = Q K^{\\top}',
    keepsKeys: true,
    variantPart: null,
    project: null,
  };
}

function checkWidths(fn: string, q: ScoreInput, k: ScoreInput): void {
  if (q.width !== k.width) fail('shape', fn, `q and k must share their width for this score, got ${q.width} and ${k.width}`);
}
