/** What a call of `fovea.attention` needs in the catalog. */
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

/** Work of Tq queries and Tk keys, H heads, keys D and values Dv wide. */
export const attentionWork = {
  letters: ['H', 'Tq', 'Tk', 'D', 'Dv'],
  pairs: ({ H, Tq, Tk }: Readonly<Record<string, number>>): number => H! * Tq! * Tk!,
  multiplyAdds: ({ H, Tq, Tk, D, Dv }: Readonly<Record<string, number>>): number => H! * Tq! * Tk! * (D! + Dv!),
} as const;
