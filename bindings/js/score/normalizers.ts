/** Normalizers by name: how the logits of attention become its weights. */
import type { NormalizerKind } from '../../../build/generated/enums/normalizer_kind.ts';
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

/** All throw AttentionError `value` or `option` for parameters that make no sense. */
export interface NormalizerBuilders {
  /** exp(s) / Σ exp(s), as without a normalizer. */
  softmax(): BuiltNormalizer;
  /** max(s, 0) / n over the n allowed keys; `scaled: false` does not divide. */
  relu(options?: { readonly scaled?: boolean | undefined }): BuiltNormalizer;
  /** 1 / (1 + exp(-s - bias)); default bias 0. */
  sigmoid(options?: { readonly bias?: number | undefined }): BuiltNormalizer;
  /** 1 for the highest logit, the lowest key on ties. */
  argmax(): BuiltNormalizer;
  /** 1 for one key, drawn with softmax's probability; `seed` from 0 to 2^53 - 1, default 0. */
  sampled(options?: { readonly seed?: number | undefined }): BuiltNormalizer;
  /** Softmax over the k highest logits, the lowest keys on ties. */
  topK(k: number): BuiltNormalizer;
  /** The point of the simplex nearest to the logits. */
  sparsemax(): BuiltNormalizer;
  /** 1.5-entmax, between softmax and sparsemax. */
  entmax15(): BuiltNormalizer;
}

/**
 * How logits become weights; a name alone, as `normalizer: 'relu'`, is short for the builder's defaults.
 *
 * @example
 * import { normalizer } from 'fovea/score';
 * const options = { normalizer: normalizer.topK(1), returnWeights: true };
 * const { weights } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1], [2]], options);
 * toNested(weights); // [[1, 0]]
 */
export const normalizer: NormalizerBuilders = Object.freeze({
  softmax: () => normalizerOf('softmax'),
  relu: (options?: object) => readParameter('relu', options, 'scaled', checkBoolean),
  sigmoid: (options?: object) => readParameter('sigmoid', options, 'bias', checkFinite),
  argmax: () => normalizerOf('argmax'),
  sampled: (options?: object) =>
    readParameter('sampled', options, 'seed', (fn, name, seed) => checkInteger(fn, name, seed, 0, Number.MAX_SAFE_INTEGER)),
  topK: (k: number) => {
    checkInteger('normalizer.topK', 'k', k, 1, Infinity);
    return normalizerOf('topK', { k }, k);
  },
  sparsemax: () => normalizerOf('sparsemax'),
  entmax15: () => normalizerOf('entmax15'),
});
