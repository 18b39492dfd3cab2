/** Normalizers by name: how the logits of attention become its weights. */
import { checkBoolean, checkFinite, checkInteger, readOptions } from '../errors/options.ts';
import type { NormalizerSource, NormalizerSpec } from '../attention/options/normalizers.ts';
import type { AttentionNormalizer } from '../attention/types/entries.ts';
import { setInternals } from '../runtime/internals.ts';

/** A normalizer with the parameters that it was made with: for the option `normalizer` of the attention functions. */
export interface BuiltNormalizer extends AttentionNormalizer {
  readonly kind: NormalizerKind;
  readonly scaled?: boolean | undefined;
  readonly bias?: number | undefined;
  readonly seed?: number | undefined;
  readonly k?: number | undefined;
}

type NormalizerKind = 'softmax' | 'relu' | 'sigmoid' | 'argmax' | 'sampled' | 'topK' | 'sparsemax' | 'entmax15';

type Parameters = Partial<Pick<NormalizerSpec, 'scaled' | 'bias' | 'seed' | 'k'>>;

function normalizerOf(kind: NormalizerKind, given: Parameters = {}, ...args: readonly unknown[]): BuiltNormalizer {
  const made = { kind, ...given };
  const spec = { scaled: true, bias: 0, k: 1, seed: 0, ...made };
  setInternals(made, 'normalizer', { kind, args, spec } satisfies NormalizerSource);
  return Object.freeze(made) as unknown as BuiltNormalizer;
}

/** The parameter `name` of the options, if it is given and `check` lets it pass. */
function readParameter(
  kind: NormalizerKind,
  options: object | undefined,
  name: keyof Parameters,
  check: (fn: string, name: string, value: unknown) => void,
): BuiltNormalizer {
  const fn = `normalizer.${kind}`;
  const known = readOptions<Parameters>(fn, options, [name]);
  if (known[name] !== undefined) check(fn, name, known[name]);
  return normalizerOf(kind, known, { ...known });
}

/**
 * How logits become weights; a name alone, as `normalizer: 'relu'`, is short for the builder's defaults. The builders throw
 * AttentionError `value` or `option` for parameters that make no sense.
 *
 * @example
 * import { normalizer } from 'fovea/score';
 * const options = { normalizer: normalizer.topK(1), returnWeights: true };
 * const { weights } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1], [2]], options);
 * toNested(weights); // [[1, 0]]
 */
export const normalizer = {
  /** exp(s) / Σ exp(s), as without a normalizer. */
  softmax: (): BuiltNormalizer => normalizerOf('softmax'),
  /** max(s, 0) / n over the n allowed keys; `scaled: false` does not divide. */
  relu: (options?: { readonly scaled?: boolean | undefined }): BuiltNormalizer =>
    readParameter('relu', options, 'scaled', checkBoolean),
  /** 1 / (1 + exp(-s - bias)); default bias 0. */
  sigmoid: (options?: { readonly bias?: number | undefined }): BuiltNormalizer =>
    readParameter('sigmoid', options, 'bias', checkFinite),
  /** 1 for the highest logit, the lowest key on ties. */
  argmax: (): BuiltNormalizer => normalizerOf('argmax'),
  /** 1 for one key, drawn with softmax's probability; `seed` from 0 to 2^53 - 1, default 0. */
  sampled: (options?: { readonly seed?: number | undefined }): BuiltNormalizer =>
    readParameter('sampled', options, 'seed', (fn, name, seed) => checkInteger(fn, name, seed, 0, Number.MAX_SAFE_INTEGER)),
  /** Softmax over the k highest logits, the lowest keys on ties. */
  topK: (k: number): BuiltNormalizer => {
    checkInteger('normalizer.topK', 'k', k, 1, Infinity);
    return normalizerOf('topK', { k }, k);
  },
  /** The point of the simplex nearest to the logits. */
  sparsemax: (): BuiltNormalizer => normalizerOf('sparsemax'),
  /** 1.5-entmax, between softmax and sparsemax. */
  entmax15: (): BuiltNormalizer => normalizerOf('entmax15'),
} as const;
