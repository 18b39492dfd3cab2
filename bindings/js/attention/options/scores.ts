/** The interface of a score that fovea/score makes, for the attention functions. */
import type { StridedPtr } from '../../call/strided_ptr.ts';
import { describe, fail } from '../../errors/errors.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { HeadsShape, Sizes } from './layout.ts';
import { internalsOf } from '../../runtime/internals.ts';
import { readOperand, type Operand } from '../../tensor/operands.ts';

import type { VariantPart } from './variant_part.ts';

/** A query or key side of a call, before its score. */
export type ScoreInput = Pick<HeadsShape, 'heads' | 'tokens' | 'width'>;

/** A score whose parameters fit the call. */
export interface ReadScore {
  /** The width of the rows that are compared. */
  readonly width: number;
  /** The widths of q's and k's own rows. */
  readonly widths: readonly [query: number, key: number];
  /** The default; null = 1/√width. */
  readonly scale: number | null;
  /** The parameters, which results must not overlap. */
  readonly operands: readonly Operand[];
  /** LaTeX of the stage `scores`. */
  readonly formula: string;
  /** The fields of a score that is no dot product. */
  readonly variantPart: VariantPart | null;
  /** Whether queries are compared with the rows of k themselves, which may be a cache's. */
  readonly keepsKeys: boolean;
  /** Plans the rows that are compared; null where q and k are those themselves. */
  readonly project: ((arena: CallArena, q: StridedPtr, k: StridedPtr, sizes: Sizes) => ProjectedRows) | null;
}

/** A side that is null is as it was. */
export interface ProjectedRows {
  readonly q: ProjectedSide | null;
  readonly k: ProjectedSide | null;
}

export interface ProjectedSide {
  readonly placed: StridedPtr;
  /** LaTeX of its stage. */
  readonly formula: string;
}

/** Reads parameter `name` of a call, a plain array or a Tensor. */
export type ReadParameter = (name: string, value: unknown) => Operand;

export interface ScoreSource {
  /** The name of its builder. */
  readonly kind: string;
  /** Its builder's arguments: a worker makes it anew of them. */
  readonly args: readonly unknown[];
  /** Its parameters as a call with such q and k reads them; throws where they do not fit. */
  read(fn: string, q: ScoreInput, k: ScoreInput, parameter: ReadParameter): ReadScore;
}

/** The option `score` of a call. */
export function readScore(instance: Instance, fn: string, score: unknown, q: ScoreInput, k: ScoreInput): ReadScore {
  const source = internalsOf<ScoreSource>(fn, score, 'score');
  if (source === undefined) return fail('value', fn, `score must be a Score that fovea/score has made, got ${describe(score)}`);
  return source.read(fn, q, k, (name, value) => readOperand(instance, fn, name, value));
}
