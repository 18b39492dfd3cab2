/** Calls of `fovea.attention` as entries make them. */
import type { AttentionOptions } from '../../attention/types/index.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';

export interface QueriesKeysValues {
  readonly q: ArrayInput;
  readonly k: ArrayInput;
  readonly v: ArrayInput;
}

/** Attention of queries, keys and values with the options given. */
export function attention(fovea: Fovea, { q, k, v }: QueriesKeysValues, _params: object, options: AttentionOptions): object {
  return fovea.attention(q, k, v, { returnWeights: true, ...options });
}

/** Attention with what `choose` makes of the params and the options; options named in `own` are not options of attention. */
export function attentionWith<Params, Own extends object = object>(
  choose: (params: Params, options: Own) => AttentionOptions,
  ...own: readonly (keyof Own & string)[]
) {
  return (fovea: Fovea, inputs: QueriesKeysValues, params: Params, options: Own): object =>
    attention(fovea, inputs, {}, { ...choose(params, options), ...without(options, own) });
}

/** The options but those of some names. */
export function without(options: object, names: readonly string[]): AttentionOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}

/** Work of Tq queries and Tk keys, H heads, keys D and values Dv wide. */
export const attentionWork = {
  letters: ['H', 'Tq', 'Tk', 'D', 'Dv'],
  pairs: ({ H, Tq, Tk }: Readonly<Record<string, number>>): number => H! * Tq! * Tk!,
  multiplyAdds: ({ H, Tq, Tk, D, Dv }: Readonly<Record<string, number>>): number => H! * Tq! * Tk! * (D! + Dv!),
} as const;

/** Work of the additive scores: queries Dq and keys Dk wide, A units. */
export const additiveWork = {
  letters: ['Tq', 'Tk', 'Dq', 'Dk', 'A', 'Dv'],
  pairs: ({ Tq, Tk }: Readonly<Record<string, number>>): number => Tq! * Tk!,
  multiplyAdds: ({ Tq, Tk, Dq, Dk, A, Dv }: Readonly<Record<string, number>>): number =>
    Tq! * Dq! * A! + Tk! * Dk! * A! + Tq! * Tk! * (A! + Dv!),
} as const;
