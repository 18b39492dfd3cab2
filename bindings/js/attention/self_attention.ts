/** `fovea.selfAttention`: queries, keys and values are projections of one sequence. */
import type { Call } from '../call/call.ts';
import type { Instance } from '../runtime/instance.ts';
import { checkHeads } from './options/layout.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkChoice, readOptions } from '../errors/options.ts';
import { readSequence, SELF_PARAMS } from './projected/params.ts';
import { projectedAttention } from './projected/projected.ts';
import { OUTPUT_OPTIONS, type AnyResult } from './request/results.ts';
import { SPEC_OPTIONS } from './options/attention_spec.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { SelfAttentionOptions } from './types/projected.ts';

export const PROJECTED_OPTIONS = [
  ...SPEC_OPTIONS,
  ...OUTPUT_OPTIONS,
  'heads',
  'kvHeads',
  'weightLayout',
] as const satisfies readonly (keyof SelfAttentionOptions)[];

export function selfAttention(
  instance: Instance,
  input: unknown,
  params: unknown,
  options?: SelfAttentionOptions,
): Call<AnyResult> {
  const fn = 'selfAttention';
  instance.engine.check(fn);
  const known = readOptions(fn, options, PROJECTED_OPTIONS, translate);
  checkProjected(fn, known);
  const x = readSequence(instance, fn, 'X', input);
  return projectedAttention(instance, {
    fn,
    inputs: { query: x, key: x, value: x },
    params,
    paramNames: SELF_PARAMS,
    options: known,
    asTensor: isTensor(input),
  });
}

/** The options that have to do with projections. */
export function checkProjected(fn: string, { heads, kvHeads, weightLayout }: SelfAttentionOptions): void {
  checkChoice(fn, 'weightLayout', weightLayout, ['inOut', 'outIn']);
  checkHeads(fn, heads, kvHeads);
}
