/** Calls of `linearAttention`, as entries of the catalog make them. */
import type { Fovea } from '../../fovea/fovea.ts';
import { linearAttention, type LinearOptions } from '../../linear_attention/index.ts';
import type { QueriesKeysValues } from './attention_call.ts';

/** Linear attention with a rule of its own, unless the options have another. */
export function linearWith(rule: LinearOptions) {
  return (fovea: Fovea, { q, k, v }: QueriesKeysValues, _params: object, options: LinearOptions): object =>
    linearAttention(fovea, q, k, v, { ...rule, ...options });
}

/** A word as one axis of features: elu(0) + 1 is 1, and elu(−100) + 1 underflows to 0. */
export function oneAxis(count: number, axis: number): number[] {
  return Array.from({ length: count }, (_, n) => (n === axis ? 0 : -100));
}

/** Work of the state: T tokens, D features and values Dv wide. */
export const linearWork = {
  letters: ['T', 'D', 'Dv'],
  pairs: (): number => 0,
  multiplyAdds: ({ T, D, Dv }: Readonly<Record<string, number>>): number => 2 * T! * D! * Dv! + T! * D!,
} as const;
