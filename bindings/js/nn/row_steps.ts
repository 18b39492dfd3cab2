/** Norms, products and sums of rows in wasm memory, as steps of a planned call. */
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import { ROW_NORM_BLOCK } from '../../../build/generated/blocks/row_norm.ts';
import { ARITHMETIC } from '../../../build/generated/enums/arithmetic.ts';
import { ROW_NORM } from '../../../build/generated/enums/row_norm.ts';
import { planLinear } from '../attention/projected/linear.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import type { LayerConfig, LayerMatrix } from './layer_config.ts';
import type { Weights, LayerRoom } from './layer_room.ts';

/** Rows in wasm memory, and what is added to them where it is not null, contiguous. */
export interface NormRows {
  readonly x: Ptr;
  readonly rows: number;
  readonly rowStride: number;
  readonly residual: Ptr;
}

export function planNorm(arena: CallArena, config: NormConfig, weights: Weights, name: string, rows: NormRows, y: Ptr): void {
  planNormBy(arena, config, placeNorm(arena, weights, name), rows, y);
}

type NormConfig = Pick<LayerConfig, 'norm' | 'eps' | 'dModel'>;

/** The weights of a norm in wasm memory. */
export interface PlacedNorm {
  readonly weight: Ptr;
  readonly bias: Ptr;
}

export function placeNorm(arena: CallArena, weights: Weights, name: string): PlacedNorm {
  const bias = weights(`${name}.bias`);
  return { weight: arena.place(weights(`${name}.weight`)!), bias: arena.place(bias) };
}

/** A norm whose weights are placed, for one that several calls share. */
export function planNormBy(
  arena: CallArena,
  { norm, eps, dModel }: NormConfig,
  { weight, bias }: PlacedNorm,
  { x, rows, rowStride, residual }: NormRows,
  y: Ptr,
): void {
  const kind = ROW_NORM.indexOf(norm);
  const run = (): void =>
    arena.run('rowNorm', ROW_NORM_BLOCK, {
      ...{ kind, outer: rows, length: dModel, inner: 1, x: x.address, xOuter: rowStride, eps, y: y.address },
      ...{ residual: residual.address, weight: weight.address, bias: bias.address },
    });
  arena.steps.push({ operation: null, run });
}

/** `name` ends where 'weight' and 'bias' begin. */
export function planProduct(
  arena: CallArena,
  { inOut }: LayerConfig,
  weights: Weights,
  name: LayerMatrix,
  x: Ptr,
  inner: number,
  y: Ptr,
  outer: number,
  rows: number,
): void {
  const [innerStride, outerStride] = inOut ? [outer, 1] : [1, inner];
  const linear = { weight: weights(`${name}weight`)!, bias: weights(`${name}bias`), inner, outer, innerStride, outerStride };
  planLinear(arena, linear, rowsAt(x, rows, inner), rowsAt(y, rows, outer));
}

/** `rows` rows that follow each other, as a product takes them. */
export function rowsAt(ptr: Ptr, rows: number, width: number): Parameters<typeof planLinear>[2] {
  return { ptr, batch: 1, rows, batchStride: 0, rowStride: width };
}

/** y <- x + added, all rows; y may be x. */
export function planSum(arena: CallArena, { sum }: Pick<LayerRoom, 'sum'>, x: Ptr, added: Ptr, y: Ptr): void {
  const kind = ARITHMETIC.indexOf('add');
  const run = (): void => {
    const lengths = sum.address;
    const strides = { lengths, aStrides: lengths + 4, bStrides: lengths + 8 };
    arena.run('arithmetic', ARITHMETIC_BLOCK, {
      kind,
      scale: 1,
      rank: 1,
      ...strides,
      a: x.address,
      b: added.address,
      y: y.address,
    });
  };
  arena.steps.push({ operation: null, run });
}
