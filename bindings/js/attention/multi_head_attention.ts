/** `fovea.multiHeadAttention` (Vaswani et al. 2017, arXiv:1706.03762 §3.2.2), with what torch.nn.MultiheadAttention adds to it. */
import { fail } from '../errors/errors.ts';
import type { Call } from '../call/call.ts';
import type { Instance } from '../runtime/instance.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { MULTI_HEAD_PARAMS, readSequence } from './projected/params.ts';
import { projectedAttention } from './projected/projected.ts';
import type { AnyResult } from './request/results.ts';
import { checkProjected, PROJECTED_OPTIONS } from './self_attention.ts';
import { isTensor } from '../tensor/tensor.ts';
import type { MultiHeadOptions } from './types/projected.ts';

const OPTIONS = [
  ...PROJECTED_OPTIONS,
  'addZeroAttention',
  'averageWeights',
] as const satisfies readonly (keyof MultiHeadOptions)[];

export function multiHeadAttention(
  instance: Instance,
  query: unknown,
  key: unknown,
  value: unknown,
  params: unknown,
  options: MultiHeadOptions,
): Call<AnyResult> {
  const fn = 'multiHeadAttention';
  instance.engine.check(fn);
  const known = readOptions(fn, options, OPTIONS, translate);
  if (known.heads === undefined) fail('option', fn, 'the option heads must be given');
  checkProjected(fn, known);
  checkBoolean(fn, 'addZeroAttention', known.addZeroAttention);
  checkBoolean(fn, 'averageWeights', known.averageWeights);
  const q = readSequence(instance, fn, 'query', query);
  const k = key === query ? q : readSequence(instance, fn, 'key', key);
  const v = value === query ? q : value === key ? k : readSequence(instance, fn, 'value', value);
  return projectedAttention(instance, {
    fn,
    inputs: { query: q, key: k, value: v },
    params,
    paramNames: MULTI_HEAD_PARAMS,
    options: known,
    asTensor: isTensor(query),
  });
}
