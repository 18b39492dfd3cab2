/** The wasm call of linear attention: arrays in wasm memory, and the fields of its parameter block. */
import { UPDATE_RULE } from '../../../build/generated/enums/update_rule.ts';
import { LINEAR_BLOCK, type LinearBlock } from '../../../build/generated/blocks/linear.ts';
import type { StridedPtr } from '../call/strided_ptr.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { planProjection } from './features.ts';
import { planUnitRows } from '../call/unit_rows.ts';
import { placeRows } from './rows.ts';
import type { Gate } from './gates.ts';
import type { LinearAttentionCall } from './linear_attention_call.ts';

/** Where the state is, [B, Hkv, ...] each; NULL_PTR = there is none. */
export interface StatePtrs {
  readonly s: Ptr;
  readonly z: Ptr;
  readonly m: Ptr;
}

export const NO_STATE: StatePtrs = { s: NULL_PTR, z: NULL_PTR, m: NULL_PTR };

/** A call with its arrays placed. */
export interface BoundLinearAttention {
  readonly call: LinearAttentionCall;
  readonly q: StridedPtr;
  readonly k: StridedPtr;
  readonly v: StridedPtr;
  readonly projection: Ptr;
  /** A fresh block, without output and state; to be asked for once the arena is committed. */
  readonly fields: () => LinearBlock;
}

/** Reserves what the arguments need; `projection` is one that is in memory already. */
export function bindLinearAttention(arena: CallArena, call: LinearAttentionCall, projection?: Ptr): BoundLinearAttention {
  const { sizes, features } = call;
  const [q, k] = [call.q, call.k].map((input) => {
    const rows = placeRows(arena, input);
    const { heads: count, tokens, width } = input.heads;
    return call.unitRows ? planUnitRows(arena, rows, count, tokens, width) : rows;
  }) as [StridedPtr, StridedPtr];
  const v = placeRows(arena, call.v);
  const w = projection ?? planProjection(arena, features, sizes.width);
  const keyLengths = arena.placeIntegers(call.keyLengths);
  const decay = placeGate(arena, call.decay);
  const beta = placeGate(arena, call.beta);
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  // prettier-ignore
  const fields = (): LinearBlock => ({
    batch, heads, kvHeads, queries, keys, width, valueWidth,
    q: q.ptr.address, qBatch: q.batchStride, qHead: q.headStride, qToken: q.tokenStride,
    k: k.ptr.address, kBatch: k.batchStride, kHead: k.headStride, kToken: k.tokenStride,
    v: v.ptr.address, vBatch: v.batchStride, vHead: v.headStride, vToken: v.tokenStride,
    output: 0, outputBatch: 0, outputHead: 0, outputToken: 0,
    featureMap: features.map, randomFeatures: features.projection === null ? 0 : features.count, projection: w.address,
    rule: UPDATE_RULE.indexOf(call.rule), causal: Number(call.causal), normalize: Number(call.normalize),
    queryScale: call.queryScale, keyScale: call.keyScale, outputScale: call.outputScale, eps: call.eps,
    keyLengths: keyLengths.address,
    decay: decay.ptr.address, decayBatch: decay.batchStride, decayHead: decay.headStride, decayToken: decay.tokenStride,
    decayWidth: decay.width,
    beta: beta.ptr.address, betaBatch: beta.batchStride, betaHead: beta.headStride, betaToken: beta.tokenStride,
    chunk: call.chunk, s: 0, z: 0, m: 0,
  });
  return { call, q, k, v, projection: w, fields };
}

/** Plans the wasm call; `fields` take precedence over those of the call. */
export function planRun(
  arena: CallArena,
  { fields: own }: BoundLinearAttention,
  output: StridedPtr,
  state: StatePtrs,
  fields: () => Partial<LinearBlock> = () => ({}),
): void {
  const run = (): void => {
    const block = {
      ...own(),
      ...outputFields(output),
      s: state.s.address,
      z: state.z.address,
      m: state.m.address,
      ...fields(),
    };
    const { batch, heads, kvHeads, queries, keys, valueWidth } = block;
    // Keys without a query still change the state.
    if (batch * heads * kvHeads * valueWidth === 0 || queries + keys === 0) return;
    arena.run('linearAttention', LINEAR_BLOCK, block);
  };
  arena.steps.push({ operation: null, run });
}

function outputFields({ ptr, batchStride, headStride, tokenStride }: StridedPtr): Partial<LinearBlock> {
  return { output: ptr.address, outputBatch: batchStride, outputHead: headStride, outputToken: tokenStride };
}

function placeGate(arena: CallArena, gate: Gate | null): Omit<Gate, 'operand'> & { readonly ptr: Ptr } {
  if (gate === null) return { ptr: NULL_PTR, batchStride: 0, headStride: 0, tokenStride: 0, width: 0 };
  const { batchStride, headStride, tokenStride, width } = gate;
  return { ptr: arena.place(gate.operand), batchStride, headStride, tokenStride, width };
}
