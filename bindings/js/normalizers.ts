/** The options `normalize` and `temperature`: how logits become weights. */
import { describe, fail } from './errors.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger, isPlainObject, unknownName } from './options.ts';
import type { AxisPart } from './rules.ts';
import { checkSeed, seedWords } from './seeds.ts';

/** By their numbers in the core. */
const NORMALIZERS = ['softmax', 'relu', 'sigmoid', 'hard', 'sampled', 'topK', 'sparsemax', 'entmax15'] as const;

/** A normalizer with its parameters, those of other kinds at their defaults. */
export interface Normalizer {
  readonly kind: (typeof NORMALIZERS)[number];
  readonly scaled: boolean;
  readonly bias: number;
  readonly k: number;
  readonly seed: number;
}

export const SOFTMAX: Normalizer = { kind: 'softmax', scaled: true, bias: 0, k: 1, seed: 0 };

/** What else than its kind a normalizer takes. */
const PARAMETERS: Partial<Record<Normalizer['kind'], string>> = { relu: 'scaled', sigmoid: 'bias', sampled: 'seed', topK: 'k' };

export function readNormalizer(fn: string, normalize: unknown): Normalizer {
  if (normalize === undefined) return SOFTMAX;
  const isObject = isPlainObject(normalize);
  const given = present(isObject ? normalize : { kind: normalize });
  const { kind, scaled, bias, k, seed }: Record<string, unknown> = { ...SOFTMAX, k: undefined, ...given };
  checkChoice(fn, isObject ? 'normalize.kind' : 'normalize', given.kind as Normalizer['kind'], NORMALIZERS);
  if (given.kind === undefined) fail('option', fn, `normalize must be a name or have a kind, got ${describe(normalize)}`);
  const names = ['kind', PARAMETERS[kind as Normalizer['kind']] ?? 'kind'];
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) unknownName(fn, `option of normalize '${String(kind)}'`, name, names);
  }
  checkBoolean(fn, 'normalize.scaled', scaled);
  checkFinite(fn, 'normalize.bias', bias);
  checkSeed(fn, seed);
  if (kind === 'topK') {
    if (k === undefined) fail('option', fn, "normalize 'topK' must have its k: pass { kind: 'topK', k }");
    checkInteger(fn, 'normalize.k', k, 1, Infinity);
  }
  return { kind, scaled, bias, k: k ?? 1, seed } as Normalizer;
}

/** Above 0, as a float32. */
export function readTemperature(fn: string, temperature: unknown): number {
  if (temperature === undefined) return 1;
  checkFinite(fn, 'temperature', temperature);
  if (Math.fround(temperature) <= 0) fail('value', fn, `temperature must be above 0 (in float32), got ${temperature}`);
  return temperature;
}

/** None for softmax at temperature 1, which the core takes for granted. */
export function normalizerAxes({ kind, scaled, bias, k, seed }: Normalizer, temperature: number): AxisPart[] {
  if (kind === 'softmax' && temperature === 1) return [];
  const [seedLow, seedHigh] = seedWords(seed);
  const fields = {
    temperature,
    normalizer: NORMALIZERS.indexOf(kind),
    normalizerScaled: Number(scaled),
    normalizerBias: bias,
    normalizerK: Math.min(k, 2 ** 31 - 1),
    seedLow,
    seedHigh,
  };
  return [() => () => fields];
}

/** What is defined for softmax alone. */
export function checkSoftmax(fn: string, what: string, { kind }: Normalizer): void {
  if (kind !== 'softmax') fail('option', fn, `${what} must go with normalize 'softmax', got '${kind}'`);
}

function present(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
