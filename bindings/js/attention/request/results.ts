/** The results that a call is asked for besides its output, and how they are put together. */
import { LOGIT_STAGE } from '../../../../build/generated/enums/logit_stage.ts';
import { describe, fail } from '../../errors/errors.ts';
import { checkBoolean, checkChoice } from '../../errors/options.ts';
import { planPasses, type AttentionRequest, type SparseOutput } from './attention_request.ts';
import { listsPairs, planSparseWeights } from './sparse_weights.ts';
import { checkSoftmax } from '../options/normalizers.ts';
import type { Ptr } from '../../call/ptr.ts';
import type { Output, Outputs } from '../../call/outputs.ts';
import type { StridedPtr } from '../../call/strided_ptr.ts';
import type { Shape } from '../../tensor/shapes.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { TraceRecorder } from '../../trace/recorder.ts';
import type { AttentionOptions } from '../types/options.ts';
import type { AttentionResult, LogitStage } from '../types/results.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { OutTargets } from '../../call/out_targets.ts';

export type AnyResult = AttentionResult<NDArray | Tensor>;

export interface RequestedOutputs {
  readonly weights: 'dense' | 'sparse' | null;
  readonly lse: boolean;
  readonly logits: LogitStage | null;
}

export const OUTPUT_OPTIONS = [
  'returnWeights',
  'returnLse',
  'returnLogits',
  'trace',
] as const satisfies readonly (keyof AttentionOptions)[];

/** Whether the option `trace` asks for one. */
export function isTraced(trace: unknown): boolean {
  return trace !== undefined && trace !== false;
}

/** An `out` target for weights or lse asks for them; a pattern decides which weights `true` are. */
export function parseOutputOptions(
  fn: string,
  options: AttentionOptions,
  targets: OutTargets,
  { pattern, normalizer }: AttentionSpec,
): RequestedOutputs {
  const { returnWeights, returnLse, returnLogits } = options;
  if (typeof returnWeights !== 'boolean' && !['dense', 'sparse', undefined].includes(returnWeights))
    fail('option', fn, `returnWeights must be true, false, 'dense' or 'sparse', got ${describe(returnWeights)}`);
  const weights = returnWeights === true ? (pattern !== null ? 'sparse' : 'dense') : returnWeights || null;
  if (weights === 'sparse' && targets.weights !== undefined)
    fail('option', fn, "out.weights takes dense weights, got sparse ones: pass returnWeights: 'dense', or no out.weights");
  checkBoolean(fn, 'returnLse', returnLse);
  checkChoice(fn, 'returnLogits', returnLogits, LOGIT_STAGE);
  const lse = targets.lse !== undefined || (returnLse ?? false);
  if (lse) checkSoftmax(fn, 'lse', normalizer);
  return {
    weights: targets.weights !== undefined ? 'dense' : weights,
    lse,
    logits: returnLogits ?? null,
  };
}

/** The results besides the output; null where not asked for. */
export interface PairResults {
  readonly weights: Output | SparseOutput | null;
  readonly lse: Output | null;
  readonly logits: Output | null;
}

/**
 * Reserves the results that were asked for, and plans the passes that write them and the output.
 *
 * @param shape - [B, H, Tq, Tk] less the axes that q lacks
 * @param weightsAt - where dense weights go that are no result themselves
 */
export function planResults(
  request: AttentionRequest,
  outputs: Outputs,
  requested: RequestedOutputs,
  shape: Shape,
  output: StridedPtr,
  weightsAt: Ptr | null = null,
): PairResults {
  const weights = requested.weights === 'dense' && weightsAt === null ? outputs.reserve('weights', shape) : null;
  const lse = requested.lse ? outputs.reserve('lse', shape.slice(0, -1)) : null;
  const logits = requested.logits === null ? null : outputs.fresh(shape);
  const sparseWeights =
    requested.weights === 'sparse' || (request.spec.pattern !== null && listsPairs(request.spec))
      ? planSparseWeights(request, shape)
      : null;
  planPasses(request, {
    output,
    weights: weightsAt ?? weights?.ptr ?? null,
    sparseWeights,
    lse: lse?.ptr ?? null,
    logits: logits === null || requested.logits === null ? null : { ptr: logits.ptr, stage: requested.logits },
  });
  return { weights: requested.weights === 'sparse' ? sparseWeights : weights, lse, logits };
}

/** Hands over what was reserved; a result that was not asked for is absent, not undefined. */
export function resultOf(output: Output, outputs: PairResults, tracer: Pick<TraceRecorder, 'finish'> | null): AnyResult {
  const result: AnyResult = { output: output.finish() };
  if (outputs.weights !== null) result.weights = outputs.weights.finish();
  if (outputs.lse !== null) result.lse = outputs.lse.finish();
  if (outputs.logits !== null) result.logits = outputs.logits.finish();
  if (tracer !== null) result.trace = tracer.finish();
  return result;
}
