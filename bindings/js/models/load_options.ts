/** The options of loading a model, read. */
import { describe, fail } from '../errors/errors.ts';
import { isFunction, isPlainObject, readOptions } from '../errors/options.ts';
import { readWeightForm, type WeightForm } from '../ops/weight_form.ts';
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
] as const satisfies readonly (keyof LoadModelOptions)[];

/** Passes on the result of loading. Where it fails after an abort, it rejects with the signal's reason, whatever the abort has broken. */
export async function orReason<R>(signal: LoadModelOptions['signal'], loading: Promise<R>): Promise<R> {
  try {
    return await loading;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

export function readLoadOptions(fn: string, options: LoadModelOptions | undefined): ReadLoadOptions {
  const known = readOptions(fn, options, NAMES);
  const { dtype, inputs, config, onProgress, signal, fetch } = known;
  const form = readWeightForm(fn, dtype, inputs);
  if (config !== undefined && !isPlainObject(config)) fail('option', fn, `config must be an object, got ${describe(config)}`);
  for (const [name, given] of Object.entries({ onProgress, fetch }))
    if (given !== undefined && !isFunction(given)) fail('option', fn, `${name} must be a function, got ${describe(given)}`);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    fail('option', fn, `signal must be an AbortSignal, got ${describe(signal)}`);
  return { ...known, form };
}
