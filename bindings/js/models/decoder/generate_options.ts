/** The options of a generation, read. */
import { describe, fail } from '../../errors/errors.ts';
import type { HostSignal } from '../../errors/host_types.ts';
import { checkChoice, checkFinite, checkInteger, isFunction, isList, readOptions } from '../../errors/options.ts';
import { readSampling, SAMPLE_OPTIONS, type Sampling } from '../../ops/sample.ts';
import { readAttentionLayers } from '../attention_layers.ts';
import type { GenerateOptions } from '../types/index.ts';

/** Tokens that are generated unless told. */
const DEFAULT_TOKENS = 512;

const OPTIONS = [
  ...SAMPLE_OPTIONS,
  ...(['maxTokens', 'repetitionPenalty', 'stop', 'logits', 'attentions', 'cacheDtype', 'signal'] as const),
] satisfies readonly (keyof GenerateOptions)[];

export interface ReadGenerateOptions {
  readonly maxTokens: number;
  readonly repetitionPenalty: number;
  readonly stop: readonly string[];
  readonly change: ((logits: Float32Array, ids: readonly number[]) => void) | null;
  readonly sampling: Sampling;
  /** The layers whose attention weights are wanted. */
  readonly layers: readonly number[];
  readonly cacheDtype: GenerateOptions['cacheDtype'];
  readonly signal: HostSignal | undefined;
}

/** `model`: how many layers it has, and whether it takes texts. */
export function readGenerateOptions(
  fn: string,
  options: GenerateOptions | undefined,
  model: { readonly layers: number; readonly hasTokenizer: boolean },
): ReadGenerateOptions {
  const known = readOptions(fn, options, OPTIONS);
  const { maxTokens = DEFAULT_TOKENS, repetitionPenalty = 1, stop = [], logits, attentions, cacheDtype, signal } = known;
  const sampling = readSampling(fn, known);
  checkFinite(fn, 'repetitionPenalty', repetitionPenalty);
  if (repetitionPenalty <= 0) fail('value', fn, `repetitionPenalty must be more than 0, got ${repetitionPenalty}`);
  checkInteger(fn, 'maxTokens', maxTokens, 1, 2 ** 31 - 1);
  if (!isList(stop) || !stop.every((text) => typeof text === 'string' && text !== ''))
    fail('option', fn, `stop must be a list of texts, got ${describe(stop)}`);
  if (stop.length > 0 && !model.hasTokenizer)
    fail('option', fn, 'stop needs the tokenizer, got a model that was loaded with tokenizer: null');
  if (logits !== undefined && !isFunction(logits)) fail('option', fn, `logits must be a function, got ${describe(logits)}`);
  checkChoice(fn, 'cacheDtype', cacheDtype, ['float32', 'float16']);
  const layers = readAttentionLayers(fn, attentions, model.layers);
  return { maxTokens, repetitionPenalty, stop, change: logits ?? null, sampling, layers, cacheDtype, signal };
}
