import type { Fovea } from 'fovea';
import type { Pattern } from 'fovea/pattern';
import type { FigurePattern, Provenance } from '../../../../figures/figure.ts';
import type { RoomMessages } from '../messages/en.ts';
import type { Matrix } from '../../../../figures/matrix.ts';
import { row } from '../../../../figures/matrix.ts';
import { paintedCode, paintedPattern, patternCode, patternOf, seedOf } from '../../../../patterns/patterns.ts';
import type { PatternState } from '../state/self_attention_pattern.svelte.ts';

/** A pattern for the tokens of the room. */
export interface SparseModel {
  readonly pattern: Pattern;
  /** The call that makes it. */
  readonly code: string;
  /** [queries, keys], 1 = kept. */
  readonly mask: Matrix;
  /** The same of the chosen parts, which painting may have left. */
  readonly chosenMask: () => Uint8Array;
  readonly kept: number;
  readonly named: FigurePattern;
  readonly provenance: Provenance;
}

export function sparseModel(fovea: Fovea, state: PatternState, tokens: number, t: RoomMessages): SparseModel {
  const { parts, joint } = state;
  const painting = state.way === 'paint' ? state.painting : null;
  const pattern = painting ? paintedPattern(painting, tokens) : patternOf(parts, joint);
  const seed = painting ? undefined : seedOf(parts);
  const maskOf = (one: Pattern): Uint8Array => one.toMask(fovea, { queries: tokens, keys: tokens, heads: 1, batch: 1 }).data;
  const data = maskOf(pattern);
  return {
    pattern,
    code: painting ? paintedCode(painting, tokens) : patternCode(parts, joint),
    mask: { data, rows: tokens, cols: tokens },
    chosenMask: () => maskOf(patternOf(parts, joint)),
    kept: data.reduce((sum, bit) => sum + bit, 0),
    named: {
      text: painting ? t.pattern.painted : pattern.describe(),
      json: pattern.toJSON(),
      ...(seed === undefined ? {} : { seed }),
    },
    provenance: painting ? 'yours' : 'none',
  };
}

/** The queries without a key: all of their masked scores are −∞. */
export function emptyQueries(logits: Matrix): number[] {
  return Array.from({ length: logits.rows }, (_, i) => i).filter((i) => row(logits, i).every((x) => x === -Infinity));
}

export function allPairs(tokens: number): Matrix {
  return { data: new Uint8Array(tokens * tokens).fill(1), rows: tokens, cols: tokens };
}
