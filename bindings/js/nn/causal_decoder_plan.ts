/** The steps of a decoder, from the ids of tokens to logits or to the states of its layers. */
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import { planLinear } from '../attention/projected/linear.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { OffsetPtr } from '../call/strided_ptr.ts';
import type { CausalDecoderLayer } from './causal_decoder_layer.ts';
import { planLayer } from './layer_plan.ts';
import { reserveRoom } from './layer_room.ts';
import { weightsOf } from './layer_weights.ts';
import type { Module } from './module.ts';
import { NO_TURNS, planTurns } from './rope_plan.ts';
import { planNorm, rowsAt } from './row_steps.ts';
import { planScale, planSoftcap } from './scaling_steps.ts';
import { planPositions, planRows } from './table_rows.ts';

/** The sizes and layers of a decoder, and how it scales. */
export interface DecoderParts {
  readonly vocabSize: number;
  /** The rows of learned positions; 0 where there are none. */
  readonly positions: number;
  readonly embeddingScale: number;
  /** Null: none. */
  readonly logitSoftcap: number | null;
  readonly head: 'embedding.weight' | 'head.weight';
  readonly layers: readonly CausalDecoderLayer[];
}

/** The tokens of a call. */
export interface DecoderInputs {
  readonly ids: Ptr;
  readonly batch: number;
  readonly tokens: number;
  readonly appends: readonly PlannedAppend[] | null;
}

/** Where results go: logits, and attention weights by layer; or the states, one more than there are layers. */
export type DecoderOutputs =
  | {
      readonly logits: { readonly ptr: Ptr; readonly lastOnly: boolean };
      readonly weights: ReadonlyMap<number, Ptr> | null;
      readonly states: null;
    }
  | { readonly logits: null; readonly weights: null; readonly states: readonly Ptr[] };

/** The position of the first token of a call. */
export function startOf(appends: readonly PlannedAppend[] | null): number {
  return appends?.[0]?.position ?? 0;
}

export function planDecoder(
  arena: CallArena,
  fn: string,
  module: Module,
  { vocabSize, positions, embeddingScale, logitSoftcap, head, layers }: DecoderParts,
  { ids, batch, tokens, appends }: DecoderInputs,
  { logits, weights: weightsAt, states }: DecoderOutputs,
): void {
  const weights = weightsOf(module, fn);
  const start = startOf(appends);
  const { config } = layers[0]!;
  const { dModel } = config;
  const numbers = batch * tokens * dModel;
  let x = states?.[0] ?? arena.reserveFloats(numbers);
  const room = reserveRoom(arena, config, [{ batch, tokens }]);
  const configs = layers.map((layer) => layer.config);
  const turns = tokens === 1 ? planTurns(arena, configs, start) : NO_TURNS;
  planRows(arena, weights('embedding.weight')!, ids, 0, batch * tokens, x);
  if (embeddingScale !== 1) planScale(arena, x, numbers, embeddingScale);
  if (positions > 0) planPositions(arena, weights('positions.weight')!, room, { batch, tokens }, start, x);
  layers.forEach((layer, n) => {
    const at = weightsAt?.get(n);
    const inputs = { cache: appends?.[n] ?? null, weightsAt: at ? [at] : null, turns };
    const place = states?.[n + 1] ?? x;
    const isOverwritten = states === null || n === layers.length - 1;
    const y = isOverwritten ? arena.reuse(place, numbers) : place;
    planLayer(arena, layer.config, layer.weights(fn), room, x, y, inputs);
    x = y;
  });
  const all = { rows: batch * tokens, rowStride: dModel, residual: NULL_PTR };
  if (states !== null) planNorm(arena, config, weights, 'norm', { ...all, x }, states.at(-1)!);
  if (logits === null) return;
  const rows = logits.lastOnly
    ? { x: new OffsetPtr(x, (tokens - 1) * dModel), rows: batch, rowStride: tokens * dModel, residual: NULL_PTR }
    : { ...all, x };
  const normed = arena.reuse(room.normed, numbers);
  planNorm(arena, config, weights, 'norm', rows, normed);
  const raw = logitSoftcap === null ? logits.ptr : arena.reuse(logits.ptr, rows.rows * vocabSize);
  const linear = { weight: weights(head)!, bias: null, inner: dModel, outer: vocabSize, innerStride: 1, outerStride: dModel };
  planLinear(arena, linear, rowsAt(normed, rows.rows, dModel), rowsAt(raw, rows.rows, vocabSize));
  if (logitSoftcap !== null) planSoftcap(arena, raw, rows.rows, vocabSize, logitSoftcap, logits.ptr);
}
