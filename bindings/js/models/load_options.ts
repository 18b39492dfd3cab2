/** The options of loading a model, read. */
import { describe, fail } from '../errors/errors.ts';
import { checkChoice, isFunction, isPlainObject, readOptions } from '../errors/options.ts';
import { readWeightForm, type WeightForm } from '../ops/weight_form.ts';
import { readIntegrity } from './folder/integrity.ts';
import type { LoadModelOptions } from './types/index.ts';

export interface ReadLoadOptions extends LoadModelOptions {
  readonly form: WeightForm;
}

const NAMES = [
  'dtype',
  'inputs',
  'config',
  'tokenizer',
  'onProgress',
  'signal',
  'fetch',
  'cache',
  'integrity',
] as const satisfies readonly (keyof LoadModelOptions)[];

/**
 * The result of loading, which is given a signal of its own: it follows the caller's, and ends what is still under way where loading fails. After an abort
 * that is with the reason of the caller's signal, whatever the abort has broken.
 */
export async function withOwnSignal<R>(
  signal: LoadModelOptions['signal'],
  load: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const own = new AbortController();
  const follow = (): void => own.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', follow);
  try {
    return await load(own.signal);
  } catch (error) {
    own.abort();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', follow);
  }
}

export function readLoadOptions(fn: string, options: LoadModelOptions | undefined): ReadLoadOptions {
  const known = readOptions(fn, options, NAMES);
  const { dtype, inputs, config, tokenizer, onProgress, signal, fetch, cache = 'auto', integrity } = known;
  const form = readWeightForm(fn, dtype, inputs);
  checkChoice(fn, 'cache', cache, ['auto', 'none']);
  if (config !== undefined && !isPlainObject(config)) fail('option', fn, `config must be an object, got ${describe(config)}`);
  for (const [name, given] of Object.entries({ onProgress, fetch }))
    if (given !== undefined && !isFunction(given)) fail('option', fn, `${name} must be a function, got ${describe(given)}`);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    fail('option', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  readIntegrity(fn, integrity);
  return { dtype, inputs, form, config, tokenizer, onProgress, signal, fetch, cache, integrity };
}
