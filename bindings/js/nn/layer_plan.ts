/** The steps of one layer of an encoder or a decoder, for calls of one layer and of a whole stack. */
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import { GATE_BLOCK } from '../../../build/generated/blocks/gate.ts';
import { NULL_PTR, type CallArena, type Ptr } from '../call/call_arena.ts';
import { activationFields } from '../ops/activations.ts';
import { planAttention } from './layer_attention_plan.ts';
import type { LayerConfig } from './layer_config.ts';
import { type Weights, type LayerRoom, qkvWidth, type LayerInputs } from './layer_room.ts';
import { planNorm, planProduct, planSum } from './row_steps.ts';

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
  const fields = activationFields(activation);
  const activate = (): void => {
    const { address } = room.between;
    if (gated) arena.run('gate', GATE_BLOCK, { ...fields, x: address, rows, half: between, y: room.gated.address });
    else
      arena.run('activation', ACTIVATION_BLOCK, { ...fields, x: address, xRow: between, rows, columns: between, y: address });
  };
  arena.steps.push({ operation: null, run: activate });
  planProduct(arena, config, weights, 'linear2.', gated ? room.gated : room.between, between, room.normed, dModel, rows);
}
