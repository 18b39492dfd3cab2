/** The options `normalizer` and `temperature`: how logits become weights. */
import { NORMALIZER_KIND, type NormalizerKind } from '../../../../build/generated/enums/normalizer_kind.ts';
import { describe, fail } from '../../errors/errors.ts';
import { checkChoice, checkFinite, isPlainObject } from '../../errors/options.ts';
import { internalsOf } from '../../runtime/internals.ts';
import { isTensor } from '../../tensor/tensor.ts';
import { checkShape, type Operand } from '../../tensor/operands.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import { readTable, type Tables } from './tables.ts';

/** A normalizer with its parameters, those of other kinds at their defaults. */
export interface NormalizerSpec {
  readonly kind: NormalizerKind;
  readonly scaled: boolean;
  readonly bias: number;
  readonly k: number;
  readonly seed: number;
  /** Divides the finished logits. */
  readonly temperature: number;
}

export const SOFTMAX: NormalizerSpec = { kind: 'softmax', scaled: true, bias: 0, k: 1, seed: 0, temperature: 1 };

/** The internals of what a builder of `normalizer` makes. */
export interface NormalizerSource {
  /** The name of its builder. */
  readonly kind: string;
  /** Its builder's arguments: a worker makes it anew of them. */
  readonly args: readonly unknown[];
  readonly spec: Omit<NormalizerSpec, 'temperature'>;
}

function readKind(fn: string, given: unknown): Omit<NormalizerSpec, 'temperature'> {
  const source = internalsOf<NormalizerSource>(fn, given, 'normalizer');
  if (source !== undefined) return source.spec;
  if (isPlainObject(given))
    fail('option', fn, `normalizer must be a name or what fovea/score makes by normalizer.NAME(), got ${describe(given)}`);
  const kind = given as NormalizerKind;
  checkChoice(fn, 'normalizer', kind, NORMALIZER_KIND);
  if (kind === 'topK') fail('option', fn, "normalizer 'topK' must have its k: pass normalizer.topK(k) of fovea/score");
  return { ...SOFTMAX, kind };
}

/** Reads both options, and adds the fields that they set. */
export function readNormalizer({ fn, parts }: Tables, given: unknown, temperature: unknown): NormalizerSpec {
  const spec = { ...(given === undefined ? SOFTMAX : readKind(fn, given)), temperature: readTemperature(fn, temperature) };
  const fields = {
    temperature: spec.temperature,
    normalizer: NORMALIZER_KIND.indexOf(spec.kind),
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
  to: Pick<Tables, 'instance' | 'fn' | 'tables'>,
  sinks: unknown,
  heads: number,
  hasRows: boolean,
  normalizer: NormalizerSpec = SOFTMAX,
): Operand | null {
  const { fn } = to;
  checkSoftmax(fn, 'sinks', normalizer);
  let data = sinks;
  if (typeof sinks === 'number') {
    checkFinite(fn, 'sinks', sinks);
    if (!hasRows) return null;
    data = zeros(fn, 'Float32Array', heads).fill(sinks);
  }
  const table = readTable(to, 'sinks', isTensor(data) ? data : { data, shape: [heads] });
  checkShape(fn, table, [heads], '[H]');
  return table;
}

/** Refuses `what`, which is defined for softmax alone, with another normalizer. */
export function checkSoftmax(fn: string, what: string, { kind }: NormalizerSpec): void {
  if (kind !== 'softmax') fail('option', fn, `${what} must go with normalizer 'softmax', got '${kind}'`);
}
