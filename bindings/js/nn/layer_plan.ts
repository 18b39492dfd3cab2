/** The steps of one layer of an encoder or a decoder, for calls of one layer and of a whole stack. */
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import { GATE_BLOCK } from '../../../build/generated/blocks/gate.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { activationFields } from '../ops/activations.ts';
import { planAttention } from './layer_attention_plan.ts';
import type { LayerConfig } from './layer_config.ts';
import { qkvWidth, reserveRoom, type LayerInputs, type LayerRoom, type Weights } from './layer_room.ts';
import { planNorm, planProduct, planSum } from './row_steps.ts';

/** y <- the layer's output for x, rows of all sequences; y may be x. */
export function planLayer(
  arena: CallArena,
  config: LayerConfig,
  weights: Weights,
  shared: LayerRoom,
  x: Ptr,
  y: Ptr,
  inputs: LayerInputs,
): void {
  const { dModel, heads, headDim, normPlace } = config;
  const room = arena.recorder !== null ? reserveRoom(arena, config, shared.sequences) : shared;
  const { rows } = room;
  const reuse = (ptr: Ptr): Ptr => arena.reuse(ptr, rows * dModel);
  const isBehindSum = normPlace === 'behindSum';
  const norm = (name: string, of: Ptr, to: Ptr, residual: Ptr = NULL_PTR): Ptr => {
    if (weights(`${name}.weight`) === null) return of;
    planNorm(arena, config, weights, name, { x: of, rows, rowStride: dModel, residual }, to);
    return to;
  };
  /** to <- from + the output of a half of the layer. */
  const join = (n: 1 | 2, from: Ptr, half: Ptr, to: Ptr): void => {
    if (isBehindSum) return void norm(`norm${n}`, from, to, half);
    const added = normPlace === 'around' ? norm(`post_norm${n}`, half, reuse(half)) : half;
    planSum(arena, room, from, added, to);
  };
  const attentionInput = isBehindSum ? x : norm('norm1', x, room.normed);
  planProduct(arena, config, weights, 'self_attn.in_proj_', attentionInput, dModel, room.qkv, qkvWidth(config), rows);
  planAttention(arena, config, weights, room, inputs);
  const projected = reuse(room.normed);
  planProduct(arena, config, weights, 'self_attn.out_proj.', room.attended, heads * headDim, projected, dModel, rows);
  const between = reuse(y);
  join(1, x, projected, between);
  const fed = reuse(room.normed);
  planFeedForward(arena, config, weights, room, isBehindSum ? between : norm('norm2', between, reuse(room.normed)), fed);
  join(2, between, fed, y);
}

/** y <- the feed-forward of x. */
function planFeedForward(arena: CallArena, config: LayerConfig, weights: Weights, room: LayerRoom, x: Ptr, y: Ptr): void {
  const { dModel, between, gated, activation } = config;
  const { rows } = room;
  const wide = gated ? 2 * between : between;
  planProduct(arena, config, weights, 'linear1.', x, dModel, room.between, wide, rows);
  const fields = activationFields(activation);
  const activated = gated ? room.gated : arena.reuse(room.between, rows * between);
  const activate = (): void => {
    const [{ address: from }, { address: to }] = [room.between, activated];
    if (gated) arena.run('gate', GATE_BLOCK, { ...fields, x: from, rows, half: between, y: to });
    else arena.run('activation', ACTIVATION_BLOCK, { ...fields, x: from, xRow: between, rows, columns: between, y: to });
  };
  arena.steps.push({ operation: null, run: activate });
  planProduct(arena, config, weights, 'linear2.', activated, between, y, dModel, rows);
}
