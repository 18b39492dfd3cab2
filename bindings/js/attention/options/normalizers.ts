/** The options `normalizer` and `temperature`: how logits become weights. */
import { NORMALIZER_KIND } from '../../../../build/generated/enums.ts';
import { describe, fail } from '../../errors/errors.ts';
import {
  checkBoolean,
  checkChoice,
  checkFinite,
  checkInteger,
  isPlainObject,
  ownProperties,
  readNames,
} from '../../errors/options.ts';
import { readNumbers } from '../../tensor/number_lists.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import type { Tables } from './tables.ts';
import { checkSeed } from '../../errors/seeds.ts';

/** By their numbers in the core. */
const NORMALIZERS = NORMALIZER_KIND;

/** A normalizer with its parameters, those of other kinds at their defaults. */
export interface NormalizerSpec {
  readonly kind: (typeof NORMALIZERS)[number];
  readonly scaled: boolean;
  readonly bias: number;
  readonly k: number;
  readonly seed: number;
  /** Divides the finished logits. */
  readonly temperature: number;
}

export const SOFTMAX: NormalizerSpec = { kind: 'softmax', scaled: true, bias: 0, k: 1, seed: 0, temperature: 1 };

/** The parameter of each kind of normalizer that has one. */
const PARAMETERS: Partial<Record<NormalizerSpec['kind'], string>> = {
  relu: 'scaled',
  sigmoid: 'bias',
  sampled: 'seed',
  topK: 'k',
};

function readKind(fn: string, normalizer: unknown): Omit<NormalizerSpec, 'temperature'> {
  const isObject = isPlainObject(normalizer);
  const given: Record<string, unknown> = isObject ? ownProperties(normalizer) : { kind: normalizer };
  const kind = given.kind as NormalizerSpec['kind'];
  checkChoice(fn, isObject ? 'normalizer.kind' : 'normalizer', kind, NORMALIZERS);
  if (kind === undefined) fail('option', fn, `normalizer must be a name or have a kind, got ${describe(normalizer)}`);
  const known = readNames(fn, `option of normalizer '${kind}'`, given, ['kind', PARAMETERS[kind] ?? 'kind']);
  const { scaled = true, bias = 0, k, seed = 0 } = known;
  checkBoolean(fn, 'normalizer.scaled', scaled);
  checkFinite(fn, 'normalizer.bias', bias);
  checkSeed(fn, seed);
  if (kind === 'topK') {
    if (k === undefined) fail('option', fn, "normalizer 'topK' must have its k: pass { kind: 'topK', k }");
    checkInteger(fn, 'normalizer.k', k, 1, Infinity);
  }
  return { kind, scaled: scaled as boolean, bias, k: (k as number | undefined) ?? 1, seed };
}

/** Reads both options, and adds the fields that they set. */
export function readNormalizer({ fn, parts }: Tables, given: unknown, temperature: unknown): NormalizerSpec {
  const spec = { ...(given === undefined ? SOFTMAX : readKind(fn, given)), temperature: readTemperature(fn, temperature) };
  const fields = {
    temperature: spec.temperature,
    normalizer: NORMALIZERS.indexOf(spec.kind),
    normalizerScaled: Number(spec.scaled),
    normalizerBias: spec.bias,
    normalizerK: Math.min(spec.k, 2 ** 31 - 1),
    seed: spec.seed,
  };
  // The core takes softmax at temperature 1 for granted.
  if (spec.kind !== 'softmax' || spec.temperature !== 1) parts.push(() => () => fields);
  return spec;
}

/** Above 0, as a float32. */
function readTemperature(fn: string, temperature: unknown): number {
  if (temperature === undefined) return 1;
  checkFinite(fn, 'temperature', temperature);
  if (Math.fround(temperature) <= 0) fail('value', fn, `temperature must be above 0 (in float32), got ${temperature}`);
  return temperature;
}

/** One finite number for every query head; null where there is no row that they would count in. */
export function readSinks(
  fn: string,
  sinks: unknown,
  heads: number,
  hasRows: boolean,
  normalizer: NormalizerSpec = SOFTMAX,
): Float32Array | null {
  checkSoftmax(fn, 'sinks', normalizer);
  if (typeof sinks !== 'number') return Float32Array.from(readNumbers(fn, 'sinks', sinks, heads));
  checkFinite(fn, 'sinks', sinks);
  return hasRows ? zeros(fn, 'Float32Array', heads).fill(sinks) : null;
}

/** Refuses `what`, which is defined for softmax alone, with another normalizer. */
export function checkSoftmax(fn: string, what: string, { kind }: NormalizerSpec): void {
  if (kind !== 'softmax') fail('option', fn, `${what} must go with normalizer 'softmax', got '${kind}'`);
}
