/** Calls of `fovea.selfAttention` and `fovea.multiHeadAttention`, as entries of the catalog make them. */
import type { MultiHeadOptions, ProjectionParams } from '../../attention/types/index.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';

/** Multi-head attention of a sequence with itself. */
export function multiHeadAttention(
  fovea: Fovea,
  { X }: { readonly X: ArrayInput },
  params: ProjectionParams,
  options: MultiHeadOptions,
): object {
  return fovea.multiHeadAttention(X, X, X, params, { returnWeights: true, ...options });
}

/** Work of T tokens E wide, H heads with keys D and values Dv wide, and an output O wide; O = 0 without Wo. */
export const projectedWork = {
  letters: ['T', 'E', 'H', 'D', 'Dv', 'O'],
  pairs: ({ T, H }: Readonly<Record<string, number>>): number => H! * T! * T!,
  multiplyAdds: ({ T, E, H, D, Dv, O }: Readonly<Record<string, number>>): number =>
    T! * E! * H! * (2 * D! + Dv!) + H! * T! * T! * (D! + Dv!) + T! * H! * Dv! * O!,
} as const;
