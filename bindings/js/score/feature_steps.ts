/** The steps of `multiDimensionalAttention` in the core, and the formulas of its stages. */
import { ATTENTION_BLOCK } from '../../../build/generated/blocks/attention.ts';
import { MULTI_DIMENSIONAL_BLOCK } from '../../../build/generated/blocks/multi_dimensional.ts';
import { FEATURE_SCORE } from '../../../build/generated/enums/feature_score.ts';
import type { AttentionRequest } from '../attention/request/attention_request.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { contiguousPtr, type StridedPtr } from '../call/strided_ptr.ts';
import type { Features } from './features.ts';
import { planProducts } from './matrices.ts';

/** Formulas of projected queries: without and with q, without and with bias. */
export const QUERY = [
  ['0', 'b_1'],
  ['\\tilde Q = Q W_q', '\\tilde Q = Q W_q + b_1'],
];

export function weightsFormula({ score, bound, b }: Features, hasPattern: boolean): string {
  const sum = '\\tilde Q_{i} + \\tilde K_{j}';
  const logits =
    score === 'bounded'
      ? `${bound} \\tanh\\!\\left(\\frac{${sum}}{${bound}}\\right)`
      : `\\operatorname{${score}}(${sum}) W${b === null ? '' : ' + b'}`;
  const keys = hasPattern ? '{j : (p_i, j) \\in P}' : 'j';
  return `A_{ijd} = \\operatorname{softmax}_${keys} \\left(${logits}\\right)_d`;
}

/** q·Wq + bias; without queries the bias alone, as the one query of every head. */
export function planQueries(
  arena: CallArena,
  q: StridedPtr | null,
  { wq, bias, width }: Features,
  heads: number,
  queries: number,
): StridedPtr {
  if (q !== null && wq !== null) return planProducts(arena, q, { heads, tokens: queries }, wq, bias);
  if (bias !== null) return { ...contiguousPtr(arena.place(bias.operand), 1, 1, 1, width), headStride: bias.headStride };
  const ptr = arena.reserveFloats(width);
  arena.steps.push({ operation: null, run: () => void arena.heap.floats(ptr.address, width).fill(0) });
  return contiguousPtr(ptr, 1, 1, 1, width);
}

/** Where the results go; null: not asked for. */
export interface FeatureResults {
  readonly output: StridedPtr;
  readonly weights: Ptr | null;
  readonly lse: Ptr | null;
}

export function planFeatures(request: AttentionRequest, { score, bound, w, b }: Features, results: FeatureResults): void {
  const { arena, fields } = request;
  const { output, weights, lse } = results;
  const plans = request.plans(true);
  const attention = arena.placeBlock(ATTENTION_BLOCK, () => ({
    ...fields(),
    output: output.ptr.address,
    outputBatch: output.batchStride,
    outputHead: output.headStride,
    outputToken: output.tokenStride,
    weights: (weights ?? NULL_PTR).address,
    lse: (lse ?? NULL_PTR).address,
    plans: plans.address,
  }));
  const [matrix, bias] = [w === null ? NULL_PTR : arena.place(w.operand), arena.place(b)];
  const run = (): void =>
    arena.run('multiDimensionalAttention', MULTI_DIMENSIONAL_BLOCK, {
      attention: attention.address,
      score: FEATURE_SCORE.indexOf(score),
      bound,
      w: matrix.address,
      wRow: w?.row ?? 0,
      wColumn: w?.column ?? 0,
      bias: bias.address,
    });
  arena.steps.push({ operation: null, run });
}
