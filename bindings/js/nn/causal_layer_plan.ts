/** The steps of one causal decoder layer on rows in wasm memory, for calls of one layer and of a whole stack. */
import { ACTIVATION } from '../../../build/generated/enums/activation.ts';
import { ARITHMETIC } from '../../../build/generated/enums/arithmetic.ts';
import { ROW_NORM } from '../../../build/generated/enums/row_norm.ts';
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import { GATE_BLOCK } from '../../../build/generated/blocks/gate.ts';
import { ROTARY_BLOCK } from '../../../build/generated/blocks/rotary.ts';
import { ROW_NORM_BLOCK } from '../../../build/generated/blocks/row_norm.ts';
import { readAttentionSpec } from '../attention/options/attention_spec.ts';
import type { PlannedAppend, RowsAt } from '../attention/options/cache_source.ts';
import { readHeads, type HeadsShape, type Sizes } from '../attention/options/layout.ts';
import { planLinear } from '../attention/projected/linear.ts';
import { planPasses, prepareAttention } from '../attention/request/attention_request.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import { ownProperties } from '../errors/options.ts';
import { NULL_PTR, type CallArena, type Ptr } from '../call/call_arena.ts';
import { OffsetPtr, stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import { DEFAULT_PARAMETERS } from '../ops/activations.ts';
import type { Operand } from '../tensor/operands.ts';
import type { LayerConfig, RopeConfig } from './causal_decoder_options.ts';

/** The weights of a layer by name; null where it has none of that name. */
export type Weights = (name: string) => Operand | null;

/** Memory for what a layer computes on the way; the layers of a stack share it. */
export interface LayerRoom {
  readonly batch: number;
  readonly tokens: number;
  readonly normed: Ptr;
  readonly qkv: Ptr;
  readonly attended: Ptr;
  readonly between: Ptr;
  readonly gated: Ptr;
  /** Lengths and strides of a sum of all rows. */
  readonly sum: Ptr;
  /** Cosines, then sines, of the angles of one token, which all layers share; null where layers find those of each token. */
  readonly turns: Ptr | null;
}

const CACHED = { layout: 'bhtd', heads: 1, kvHeads: 1 } as const;

/** `position` is the first token's. */
export function reserveRoom(arena: CallArena, config: LayerConfig, batch: number, tokens: number, position: number): LayerRoom {
  const { dModel, heads, headDim, between, gated, rope } = config;
  const rows = batch * tokens;
  return {
    batch,
    tokens,
    normed: arena.reserveFloats(rows * dModel),
    qkv: arena.reserveFloats(rows * qkvWidth(config)),
    attended: arena.reserveFloats(rows * heads * headDim),
    between: arena.reserveFloats(rows * between * (gated ? 2 : 1)),
    gated: gated ? arena.reserveFloats(rows * between) : NULL_PTR,
    sum: arena.placeIntegers(Int32Array.of(rows * dModel, 1, 1)),
    turns: rope !== null && tokens === 1 ? planTurns(arena, rope, position) : null,
  };
}

export function qkvWidth({ heads, kvHeads, headDim }: LayerConfig): number {
  return (heads + 2 * kvHeads) * headDim;
}

/** y <- h + feedForward(norm2(h)), h = x + attention(norm1(x)); y may be x. */
export function planLayer(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  room: LayerRoom,
  x: Ptr,
  y: Ptr,
  cache: PlannedAppend | null,
): void {
  const { dModel, heads, headDim, between, gated, activation } = config;
  const rows = room.batch * room.tokens;
  const { normed } = room;
  planNorm(arena, config, weights, 'norm1', { x, rows, rowStride: dModel }, normed);
  planProduct(arena, config, weights, 'self_attn.in_proj_', normed, dModel, room.qkv, qkvWidth(config), rows);
  planAttention(arena, config, room, cache);
  planProduct(arena, config, weights, 'self_attn.out_proj.', room.attended, heads * headDim, normed, dModel, rows);
  planSum(arena, room, x, y);
  planNorm(arena, config, weights, 'norm2', { x: y, rows, rowStride: dModel }, normed);
  const wide = gated ? 2 * between : between;
  planProduct(arena, config, weights, 'linear1.', normed, dModel, room.between, wide, rows);
  const fields = { activation: ACTIVATION.indexOf(activation), parameter: DEFAULT_PARAMETERS[activation] ?? 0 };
  const activate = (): void => {
    const { address } = room.between;
    if (gated) arena.run('gate', GATE_BLOCK, { ...fields, x: address, rows, half: between, y: room.gated.address });
    else
      arena.run('activation', ACTIVATION_BLOCK, { ...fields, x: address, xRow: between, rows, columns: between, y: address });
  };
  arena.steps.push({ operation: null, run: activate });
  planProduct(arena, config, weights, 'linear2.', gated ? room.gated : room.between, between, normed, dModel, rows);
  planSum(arena, room, y, y);
}

export function planNorm(
  arena: CallArena,
  { norm, eps, dModel }: LayerConfig,
  weights: Weights,
  name: string,
  { x, rows, rowStride }: { readonly x: Ptr; readonly rows: number; readonly rowStride: number },
  y: Ptr,
): void {
  const weight = arena.place(weights(`${name}.weight`)!);
  const given = weights(`${name}.bias`);
  const bias = given === null ? NULL_PTR : arena.place(given);
  const kind = ROW_NORM.indexOf(norm);
  const run = (): void =>
    arena.run('rowNorm', ROW_NORM_BLOCK, {
      ...{ kind, outer: rows, length: dModel, inner: 1, x: x.address, xOuter: rowStride, eps, y: y.address },
      ...{ residual: 0, weight: weight.address, bias: bias.address },
    });
  arena.steps.push({ operation: null, run });
}

/** `name` ends where 'weight' and 'bias' begin. */
function planProduct(
  arena: CallArena,
  { inOut }: LayerConfig,
  weights: Weights,
  name: string,
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

/** y <- x + the rows in `normed`. */
export function planSum(arena: CallArena, { normed, sum }: Pick<LayerRoom, 'normed' | 'sum'>, x: Ptr, y: Ptr): void {
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
      b: normed.address,
      y: y.address,
    });
  };
  arena.steps.push({ operation: null, run });
}

/** Rotates queries and keys, appends keys and values to the cache, and attends. */
function planAttention(arena: CallArena, config: LayerConfig, room: LayerRoom, cache: PlannedAppend | null): void {
  const { heads, kvHeads, headDim } = config;
  const { batch, tokens, qkv } = room;
  const width = qkvWidth(config);
  const shapeOf = (count: number): HeadsShape => ({
    ...{ batch, heads: count, tokens, width: headDim },
    ...{ batchStride: tokens * width, headStride: headDim, tokenStride: width },
  });
  const own = shapeOf(kvHeads);
  const keys = new OffsetPtr(qkv, heads * headDim);
  const values = new OffsetPtr(qkv, (heads + kvHeads) * headDim);
  planRope(arena, config, room.turns, shapeOf(heads + kvHeads), qkv, cache?.position ?? 0);
  const options = ownProperties<AttentionOptions>(tokens > 1 ? { causal: true } : {});
  const cached = cache?.read(options);
  let [k, v]: StridedPtr[] = [stridedPtr(keys, own), stridedPtr(values, own)];
  if (cache !== null && cached !== undefined) {
    const rows = (ptr: Ptr): RowsAt => ({ ...own, address: ptr.address });
    arena.steps.push({ operation: null, run: () => cache.append(arena, rows(keys), rows(values)) });
    k = stridedPtr(arena.place(cached.k), readHeads(arena.fn, cached.k, CACHED, 1));
    v = stridedPtr(arena.place(cached.v), readHeads(arena.fn, cached.v, CACHED, 1));
  }
  const length = cache === null ? tokens : cache.position + tokens;
  const sizes: Sizes = { batch, heads, kvHeads, queries: tokens, keys: length, width: headDim, valueWidth: headDim };
  const spec = readAttentionSpec(arena.instance, arena.fn, cached?.options ?? options, sizes);
  const request = prepareAttention(arena, sizes, stridedPtr(qkv, shapeOf(heads)), k!, v!, cached?.spec(spec, sizes) ?? spec);
  const row = heads * headDim;
  const output = { ptr: room.attended, batch, batchStride: tokens * row, headStride: headDim, tokenStride: row };
  planPasses(request, { output, weights: null, sparseWeights: null, lse: null, logits: null });
}

/** Queries and keys lie side by side: one call rotates both, in place. */
function planRope(
  arena: CallArena,
  { rope }: LayerConfig,
  turns: Ptr | null,
  heads: HeadsShape,
  at: Ptr,
  position: number,
): void {
  if (rope === null) return;
  const { rotaryWidth, interleaved } = rope;
  const own = turns === null ? { start: position, cos: NULL_PTR, sin: NULL_PTR } : { start: 0, ...pairOf(turns, rotaryWidth) };
  planRotary(arena, rope, { interleaved, heads, rotary: rotaryWidth, x: at, output: at, ...own });
}

/** The angles of a position: rotating a row of ones, then zeros, gives their cosines, then their sines. */
function planTurns(arena: CallArena, rope: RopeConfig, position: number): Ptr {
  const { rotaryWidth } = rope;
  const one = { batch: 1, heads: 1, tokens: 1, width: rotaryWidth, batchStride: 0, headStride: 0, tokenStride: rotaryWidth };
  const x = arena.placeFloats(new Float32Array(rotaryWidth).fill(1, 0, rotaryWidth / 2));
  const output = arena.reserveFloats(rotaryWidth);
  const own = { start: position, cos: NULL_PTR, sin: NULL_PTR };
  planRotary(arena, rope, { interleaved: false, heads: one, rotary: rotaryWidth, x, output, ...own });
  return output;
}

function pairOf(turns: Ptr, rotaryWidth: number): { readonly cos: Ptr; readonly sin: Ptr } {
  return { cos: turns, sin: new OffsetPtr(turns, rotaryWidth / 2) };
}

interface Rotation {
  readonly interleaved: boolean;
  /** The rows of x and of output. */
  readonly heads: HeadsShape;
  readonly rotary: number;
  readonly x: Ptr;
  readonly output: Ptr;
  readonly start: number;
  /** The row of position 0, or null: then they are computed. */
  readonly cos: Ptr;
  readonly sin: Ptr;
}

function planRotary(
  arena: CallArena,
  { frequencies }: RopeConfig,
  { heads, x, output, cos, sin, ...rotation }: Rotation,
): void {
  const { batch, tokens, width, batchStride, headStride, tokenStride } = heads;
  const run = (): void =>
    arena.run('rotary', ROTARY_BLOCK, {
      ...{ interleaved: Number(rotation.interleaved), batch, heads: heads.heads, tokens, width, rotary: rotation.rotary },
      ...{ x: x.address, xBatch: batchStride, xHead: headStride, xToken: tokenStride },
      ...{ output: output.address, outputBatch: batchStride, outputHead: headStride, outputToken: tokenStride },
      ...{ start: rotation.start, positions: 0, positionsBatch: 0, ...frequencies },
      ...{ cos: cos.address, sin: sin.address, tableRows: Number(cos.address !== 0) },
    });
  arena.steps.push({ operation: null, run });
}
