/** The results that a call is asked for besides its output, and how they are put together. */
import { describe, fail } from '../../errors/errors.ts';
import { checkBoolean, checkChoice } from '../../errors/options.ts';
import { LOGIT_STAGES, type SparseOutput } from './attention_request.ts';
import { checkSoftmax } from '../options/normalizers.ts';
import type { Output } from '../../call/outputs.ts';
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
  checkChoice(fn, 'returnLogits', returnLogits, LOGIT_STAGES);
  const lse = targets.lse !== undefined || (returnLse ?? false);
  if (lse) checkSoftmax(fn, 'lse', normalizer);
  return {
    weights: targets.weights !== undefined ? 'dense' : weights,
    lse,
    logits: returnLogits ?? null,
  };
}

/** Hands over what was reserved; a result that was not asked for is absent, not undefined. */
export function resultOf(
  outputs: { output: Output; weights: Output | SparseOutput | null; lse: Output | null; logits: Output | null },
  tracer: Pick<TraceRecorder, 'finish'> | null,
): AnyResult {
  const result: AnyResult = { output: outputs.output.finish() };
  if (outputs.weights !== null) result.weights = outputs.weights.finish();
  if (outputs.lse !== null) result.lse = outputs.lse.finish();
  if (outputs.logits !== null) result.logits = outputs.logits.finish();
  if (tracer !== null) result.trace = tracer.finish();
  return result;
}
