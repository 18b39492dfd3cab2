/** The steps of one layer of an encoder or a decoder on rows in wasm memory, for calls of one layer and of a whole stack. */
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
import type { LayerConfig, LayerMatrix, RopeConfig } from './layer_config.ts';

/** The weights of a layer by name; null where it has none of that name. */
export type Weights = (name: string) => Operand | null;

/** `batch` sequences of `tokens` tokens each, whose rows follow each other. */
export interface Sequences {
  readonly batch: number;
  readonly tokens: number;
}

/** Memory for what a layer computes on the way; the layers of a stack share it. */
export interface LayerRoom {
  /** Their rows follow each other. */
  readonly sequences: readonly Sequences[];
  readonly rows: number;
  readonly normed: Ptr;
  readonly qkv: Ptr;
  readonly attended: Ptr;
  readonly between: Ptr;
  readonly gated: Ptr;
  /** Lengths and strides of a sum of all rows. */
  readonly sum: Ptr;
}

/** Cosines, then sines, of the angles of one token, which layers with equal angles share. */
export type Turns = ReadonlyMap<RopeConfig['key'], Ptr>;
/** For several tokens of each sequence: the angles of each are computed. */
export const NO_TURNS: Turns = new Map();

const CACHED = { layout: 'bhtd', heads: 1, kvHeads: 1 } as const;

export function reserveRoom(arena: CallArena, config: LayerConfig, sequences: readonly Sequences[]): LayerRoom {
  const { dModel, heads, headDim, between, gated } = config;
  const rows = sequences.reduce((sum, { batch, tokens }) => sum + batch * tokens, 0);
  return {
    sequences,
    rows,
    normed: arena.reserveFloats(rows * dModel),
    qkv: arena.reserveFloats(rows * qkvWidth(config)),
    attended: arena.reserveFloats(rows * heads * headDim),
    between: arena.reserveFloats(rows * between * (gated ? 2 : 1)),
    gated: gated ? arena.reserveFloats(rows * between) : NULL_PTR,
    sum: arena.placeIntegers(Int32Array.of(rows * dModel, 1, 1)),
  };
}

/** For one token of each sequence: the angles of `position`. */
export function planTurns(arena: CallArena, layers: readonly LayerConfig[], position: number): Turns {
  const turns = new Map<string, Ptr>();
  for (const { rope } of layers)
    if (rope !== null && !turns.has(rope.key)) turns.set(rope.key, planAngles(arena, rope, position));
  return turns;
}

/** The rows of the parts of a joined weight of a layer: queries, keys and values; up and gate. */
export function partRows({ heads, kvHeads, headDim, between }: LayerConfig, name: string): readonly number[] {
  return /in_proj_\w+$/.test(name) ? [heads * headDim, kvHeads * headDim, kvHeads * headDim] : [between, between];
}

export function qkvWidth({ heads, kvHeads, headDim }: LayerConfig): number {
  return (heads + 2 * kvHeads) * headDim;
}

/** What a layer is given beside its weights. */
export interface LayerInputs {
  readonly cache: PlannedAppend | null;
  readonly turns: Turns;
  /** Where the weights of each sequence go, [batch, H, T, keys]; null where they are not asked for. */
  readonly weightsAt: readonly Ptr[] | null;
}

/** y <- the layer's output for x, rows of all sequences; y may be x. */
export function planLayer(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  room: LayerRoom,
  x: Ptr,
  y: Ptr,
  inputs: LayerInputs,
): void {
  const { dModel, heads, headDim, normPlace } = config;
  const { normed, rows } = room;
  const isBehindSum = normPlace === 'behindSum';
  const norm = (name: string, of: Ptr, to: Ptr, residual: Ptr = NULL_PTR): Ptr => {
    if (weights(`${name}.weight`) === null) return of;
    planNorm(arena, config, weights, name, { x: of, rows, rowStride: dModel, residual }, to);
    return to;
  };
  /** to <- from + `normed`, in which a half of the layer has left its output. */
  const join = (n: 1 | 2, from: Ptr, to: Ptr): void => {
    if (isBehindSum) return void norm(`norm${n}`, from, to, normed);
    if (normPlace === 'around') norm(`post_norm${n}`, normed, normed);
    planSum(arena, room, from, to);
  };
  const attentionInput = isBehindSum ? x : norm('norm1', x, normed);
  planProduct(arena, config, weights, 'self_attn.in_proj_', attentionInput, dModel, room.qkv, qkvWidth(config), rows);
  planAttention(arena, config, weights, room, inputs);
  planProduct(arena, config, weights, 'self_attn.out_proj.', room.attended, heads * headDim, normed, dModel, rows);
  join(1, x, y);
  planFeedForward(arena, config, weights, room, isBehindSum ? y : norm('norm2', y, normed));
  join(2, y, y);
}

/** `normed` <- the feed-forward of x. */
function planFeedForward(arena: CallArena, config: LayerConfig, weights: Weights, room: LayerRoom, x: Ptr): void {
  const { dModel, between, gated, activation } = config;
  const { rows } = room;
  const wide = gated ? 2 * between : between;
  planProduct(arena, config, weights, 'linear1.', x, dModel, room.between, wide, rows);
  const fields = { activation: ACTIVATION.indexOf(activation), parameter: DEFAULT_PARAMETERS[activation] ?? 0 };
  const activate = (): void => {
    const { address } = room.between;
    if (gated) arena.run('gate', GATE_BLOCK, { ...fields, x: address, rows, half: between, y: room.gated.address });
    else
      arena.run('activation', ACTIVATION_BLOCK, { ...fields, x: address, xRow: between, rows, columns: between, y: address });
  };
  arena.steps.push({ operation: null, run: activate });
  planProduct(arena, config, weights, 'linear2.', gated ? room.gated : room.between, between, room.normed, dModel, rows);
}

/** Rows in wasm memory, and what is added to them where it is not null, contiguous. */
export interface NormRows {
  readonly x: Ptr;
  readonly rows: number;
  readonly rowStride: number;
  readonly residual: Ptr;
}

export function planNorm(
  arena: CallArena,
  { norm, eps, dModel }: Pick<LayerConfig, 'norm' | 'eps' | 'dModel'>,
  weights: Weights,
  name: string,
  { x, rows, rowStride, residual }: NormRows,
  y: Ptr,
): void {
  const weight = arena.place(weights(`${name}.weight`)!);
  const given = weights(`${name}.bias`);
  const bias = given === null ? NULL_PTR : arena.place(given);
  const kind = ROW_NORM.indexOf(norm);
  const run = (): void =>
    arena.run('rowNorm', ROW_NORM_BLOCK, {
      ...{ kind, outer: rows, length: dModel, inner: 1, x: x.address, xOuter: rowStride, eps, y: y.address },
      ...{ residual: residual.address, weight: weight.address, bias: bias.address },
    });
  arena.steps.push({ operation: null, run });
}

/** `name` ends where 'weight' and 'bias' begin. */
function planProduct(
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

/** Norms, rotates and keeps queries and keys, and attends: the sequences one after another. */
function planAttention(arena: CallArena, config: LayerConfig, weights: Weights, room: LayerRoom, inputs: LayerInputs): void {
  let first = 0;
  room.sequences.forEach((sequences, n) => {
    planSequences(arena, config, weights, room, sequences, first, inputs.weightsAt?.[n] ?? null, inputs);
    first += sequences.batch * sequences.tokens;
  });
}

/** Attention of sequences of one length, whose rows begin with row `first`. */
function planSequences(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  room: LayerRoom,
  { batch, tokens }: Sequences,
  first: number,
  weightsAt: Ptr | null,
  { cache, turns }: LayerInputs,
): void {
  const { heads, kvHeads, headDim, rope } = config;
  const width = qkvWidth(config);
  const shapeOf = (count: number): HeadsShape => ({
    ...{ batch, heads: count, tokens, width: headDim },
    ...{ batchStride: tokens * width, headStride: headDim, tokenStride: width },
  });
  const own = shapeOf(kvHeads);
  const queries = new OffsetPtr(room.qkv, first * width);
  const keys = new OffsetPtr(queries, heads * headDim);
  const values = new OffsetPtr(queries, (heads + kvHeads) * headDim);
  if (config.qkNorm) planHeadNorms(arena, config, weights, batch * tokens, queries);
  if (rope !== null)
    planRope(arena, rope, turns.get(rope.key) ?? null, shapeOf(heads + kvHeads), queries, cache?.position ?? 0);
  // One query sees every key that its cache has: it needs no mask for those behind it.
  const causal = config.attention.causal === true && tokens > 1;
  const options = ownProperties<AttentionOptions>({ ...config.attention, causal });
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
  const request = prepareAttention(
    arena,
    sizes,
    stridedPtr(queries, shapeOf(heads)),
    k!,
    v!,
    cached?.spec(spec, sizes) ?? spec,
  );
  const row = heads * headDim;
  const ptr = new OffsetPtr(room.attended, first * row);
  const output = { ptr, batch, batchStride: tokens * row, headStride: headDim, tokenStride: row };
  planPasses(request, { output, weights: weightsAt, sparseWeights: null, lse: null, logits: null });
}

/** The RMS norms of the queries and of the keys of each head, in place; the heads of a token are rows one after another. */
function planHeadNorms(arena: CallArena, config: LayerConfig, weights: Weights, rows: number, qkv: Ptr): void {
  const { heads, kvHeads, headDim, eps } = config;
  const kind = { norm: 'rms', eps, dModel: headDim } as const;
  const rowsOf = { rowStride: headDim, residual: NULL_PTR };
  for (let row = 0; row < rows; row++) {
    const q = new OffsetPtr(qkv, row * qkvWidth(config));
    const k = new OffsetPtr(q, heads * headDim);
    planNorm(arena, kind, weights, 'self_attn.q_norm', { ...rowsOf, x: q, rows: heads }, q);
    planNorm(arena, kind, weights, 'self_attn.k_norm', { ...rowsOf, x: k, rows: kvHeads }, k);
  }
}

/** Queries and keys lie side by side: one call rotates both, in place. */
function planRope(arena: CallArena, rope: RopeConfig, turns: Ptr | null, heads: HeadsShape, at: Ptr, position: number): void {
  const { rotaryWidth, interleaved } = rope;
  const own = turns === null ? { start: position, cos: NULL_PTR, sin: NULL_PTR } : { start: 0, ...pairOf(turns, rotaryWidth) };
  planRotary(arena, rope, { interleaved, heads, rotary: rotaryWidth, x: at, output: at, ...own });
}

/** The angles of a position: rotating a row of ones, then zeros, gives their cosines, then their sines. */
function planAngles(arena: CallArena, rope: RopeConfig, position: number): Ptr {
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
