import type { Localized } from '../../shell/localized.ts';

/** The query and the map of weights at which a page's claim can be seen. */
interface Beginning {
  /** The query's position, one for each language where their samples differ. */
  readonly query: number | Localized<number>;
  readonly map: number;
}

export const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  self_attention: { query: { en: 6, zh: 5 }, map: 0 },
  multi_head: { query: 6, map: 2 },
  multi_query: { query: 0, map: 0 },
  split_heads: { query: 3, map: 0 },
  two_stage_heads: { query: 3, map: 1 },
  sinusoidal: { query: 4, map: 0 },
  learned_positions: { query: 3, map: 0 },
  recurrent_positions: { query: 0, map: 0 },
  relative_positions: { query: 3, map: 0 },
  rope: { query: 4, map: 0 },
  alibi: { query: 5, map: 0 },
  distance_self_attention: { query: 10, map: 0 },
  disan: { query: 7, map: 0 },
  resa: { query: 1, map: 0 },
  transformer: { query: 6, map: 2 },
  transformer_generate: { query: 0, map: 2 },
};
