/** The steps of an encoder's layers, one after another. */
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import type { EncoderLayer } from './encoder_layer.ts';
import type { LayerConfig } from './layer_config.ts';
import { planLayer } from './layer_plan.ts';
import type { LayerRoom } from './layer_room.ts';
import { weightsOf } from './layer_weights.ts';
import type { Module } from './module.ts';
import { NO_TURNS } from './rope_plan.ts';
import { planNorm } from './row_steps.ts';

/** The rows of a call in wasm memory, and what the layers are given beside them. */
export interface EncoderRows {
  readonly room: LayerRoom;
  /** The input of the first layer, then the output of each; some may be in one place. */
  readonly states: readonly Ptr[];
  /** Options of attention that stand in place of the layers' own. */
  readonly attention: LayerConfig['attention'];
  /** By layer, where the weights of each sequence go: [batch, H, T, T]. */
  readonly weightsAt: ReadonlyMap<number, readonly Ptr[]>;
  /** The module whose `norm` stands behind the last layer, and where its output goes; null where there is none. */
  readonly finalNorm: { readonly module: Module; readonly y: Ptr } | null;
}

export function planEncoder(
  arena: CallArena,
  layers: readonly EncoderLayer[],
  { room, states, attention, weightsAt, finalNorm }: EncoderRows,
): void {
  const { fn } = arena;
  const { dModel } = layers[0]!.config;
  let x = states[0]!;
  layers.forEach((layer, n) => {
    const place = states[n + 1]!;
    const isOverwritten = states.includes(place, n + 2) || finalNorm?.y === place;
    const y = isOverwritten ? arena.reuse(place, room.rows * dModel) : place;
    const config = { ...layer.config, attention: { ...layer.config.attention, ...attention } };
    const inputs = { cache: null, turns: NO_TURNS, weightsAt: weightsAt.get(n) ?? null };
    planLayer(arena, config, weightsOf(layer, fn), room, x, y, inputs);
    x = y;
  });
  if (finalNorm === null) return;
  const { config } = layers[0]!;
  const rows = { x, rows: room.rows, rowStride: config.dModel, residual: NULL_PTR };
  planNorm(arena, config, weightsOf(finalNorm.module, fn), 'norm', rows, finalNorm.y);
}
