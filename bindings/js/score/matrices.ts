/** Matrices and vectors of a score, one for all heads or one for each, and their products with rows that are in wasm memory. */
import type { MatmulBlock } from '../../../build/generated/blocks/matmul.ts';
import { contiguousPtr, type StridedPtr } from '../call/strided_ptr.ts';
import { fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Operand } from '../tensor/operands.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { WeightLayout } from '../attention/types/projected.ts';

/** Strides and `offset` in floats; a head stride of 0 = one for all heads. */
export interface Matrix {
  readonly operand: Operand;
  readonly offset: number;
  readonly inner: number;
  readonly outer: number;
  readonly innerStride: number;
  readonly outerStride: number;
  readonly headStride: number;
}

export interface Vector {
  readonly operand: Operand;
  readonly length: number;
  readonly headStride: number;
}

/** The required shape of a matrix: letters for messages, and lengths; null = any. */
export interface MatrixSizes {
  readonly inner: readonly [letters: string, length: number];
  readonly outer: readonly [letters: string, length: number | null];
  readonly heads: readonly [letters: string, count: number];
}

/** [in, out] or one of these for each head. */
export function readMatrix(fn: string, operand: Operand, layout: WeightLayout, sizes: MatrixSizes): Matrix {
  const { shape, strides, name } = operand;
  const rank = shape.length;
  const [inAxis, outAxis] = layout === 'inOut' ? [rank - 2, rank - 1] : [rank - 1, rank - 2];
  const [inner, outer] = [shape[inAxis], shape[outAxis]];
  const fits =
    (rank === 2 || (rank === 3 && shape[0] === sizes.heads[1])) &&
    inner === sizes.inner[1] &&
    (sizes.outer[1] === null ? outer! >= 1 : outer === sizes.outer[1]);
  if (!fits) {
    const ordered = layout === 'inOut' ? [sizes.inner, sizes.outer] : [sizes.outer, sizes.inner];
    const axes = ordered.map(([letters, length]) => (length === null ? letters : `${letters} = ${length}`)).join(', ');
    const [letters, count] = sizes.heads;
    fail('shape', fn, `${name} must be [${axes}] or [${letters} = ${count}, ${axes}], got ${formatShape(shape)}`);
  }
  const [innerStride, outerStride] = [strides[inAxis]!, strides[outAxis]!];
  return {
    operand,
    offset: 0,
    inner: inner!,
    outer: outer!,
    innerStride,
    outerStride,
    headStride: rank === 3 ? strides[0]! : 0,
  };
}

/** [length] or [heads, length]; `letters` of both, for messages. */
export function readVector(
  fn: string,
  operand: Operand,
  [headLetters, letters]: readonly [heads: string, length: string],
  length: number,
  heads: number,
): Vector {
  const { shape, strides, name } = operand;
  const rank = shape.length;
  if (shape[rank - 1] !== length || !(rank === 1 || (rank === 2 && shape[0] === heads)))
    fail(
      'shape',
      fn,
      `${name} must be [${letters} = ${length}] or [${headLetters} = ${heads}, ${letters} = ${length}], got ${formatShape(shape)}`,
    );
  return { operand, length, headStride: rank === 2 ? strides[0]! : 0 };
}

/** Plans rows · matrix + bias for all batch entries and heads, and returns where the products go: [B, heads, tokens, outer]. */
export function planProducts(
  arena: CallArena,
  rows: StridedPtr,
  { heads, tokens }: { readonly heads: number; readonly tokens: number },
  matrix: Matrix,
  bias: Vector | null = null,
): StridedPtr {
  const { outer, inner } = matrix;
  const weight = arena.place(matrix.operand);
  const added = bias === null ? null : arena.place(bias.operand);
  const ptr = arena.reserveFloats(rows.batch * heads * tokens * outer);
  const target = contiguousPtr(ptr, rows.batch, heads, tokens, outer);
  const multiply = (b: number, h: number, count: number): void => {
    if (count === 0) return;
    const fields = (): MatmulBlock => ({
      rows: count,
      inner,
      columns: outer,
      a: rows.ptr.address + 4 * (b * rows.batchStride + h * rows.headStride),
      aRow: rows.tokenStride,
      aColumn: 1,
      b: weight.address + 4 * (matrix.offset + h * matrix.headStride),
      bRow: matrix.innerStride,
      bColumn: matrix.outerStride,
      bFormat: 0,
      bias: added === null ? 0 : added.address + 4 * h * bias!.headStride,
      c: ptr.address + 4 * (b * heads + h) * tokens * outer,
      cRow: outer,
    });
    arena.steps.push({ operation: 'matmul', fields });
  };
  const shared = matrix.headStride === 0 && (bias === null || bias.headStride === 0);
  const headsJoin = heads === 1 || rows.headStride === tokens * rows.tokenStride;
  const batchesJoin = rows.batch === 1 || rows.batchStride === heads * tokens * rows.tokenStride;
  if (shared && headsJoin && batchesJoin) {
    multiply(0, 0, rows.batch * heads * tokens);
    return target;
  }
  for (let b = 0; b < rows.batch; b++) for (let h = 0; h < heads; h++) multiply(b, h, tokens);
  return target;
}
