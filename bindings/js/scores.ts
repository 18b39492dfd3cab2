/** What the attention functions ask of a score that fovea/score has made, and how they know it. */
import type { Placed } from './dense.ts';
import { describe, fail } from './errors.ts';
import type { Frame } from './frame.ts';
import type { Instance } from './instance.ts';
import type { HeadsShape, Sizes } from './layout.ts';
import { readOperand, type Operand } from './operands.ts';
import { knownAs } from './programs.ts';
import type { AxisPart } from './rules.ts';

/** A query or key side of a call, before its score. */
export type ScoreInput = Pick<HeadsShape, 'heads' | 'tokens' | 'width'>;

/** A score whose parameters fit the call. */
export interface ReadScore {
  /** Of the rows that are compared. */
  readonly width: number;
  /** Of q's and k's own rows. */
  readonly widths: readonly [query: number, key: number];
  /** The default; null = 1/√width. */
  readonly scale: number | null;
  /** The parameters, which results must not overlap. */
  readonly operands: readonly Operand[];
  /** LaTeX of the stage `scores`. */
  readonly formula: string;
  /** The fields of a score that is no dot product. */
  readonly axis: AxisPart | null;
  /** Plans the rows that are compared; absent where q and k are those themselves. */
  readonly project?: (frame: Frame, q: Placed, k: Placed, sizes: Sizes) => ProjectedRows;
}

/** A side that is absent is as it was. */
export interface ProjectedRows {
  readonly q?: ProjectedSide;
  readonly k?: ProjectedSide;
}

export interface ProjectedSide {
  readonly placed: Placed;
  /** LaTeX of its stage. */
  readonly formula: string;
}

/** Reads parameter `name` of a call, a plain array or a Tensor. */
export type ReadParameter = (name: string, value: unknown) => Operand;

/** Null without the option. */
export function readScore(instance: Instance, fn: string, score: unknown, q: ScoreInput, k: ScoreInput): ReadScore | null {
  if (score === undefined) return null;
  const source = knownAs(score)?.score;
  if (source === undefined) return fail('value', fn, `score must be a Score that fovea/score has made, got ${describe(score)}`);
  return source.read(fn, q, k, (name, value) => readOperand(instance, fn, name, value));
}
