import type { TraceStage } from 'fovea';
import type { Arguments, Defaults, Provenance } from 'fovea/catalog';
import type { Expr, Index, Source } from './arithmetic/expr.ts';
import type { Picture } from './pictures.ts';

export interface Selection {
  readonly key: string;
  readonly index: Index;
}

type Trace = readonly TraceStage[];

/** A run that is told stage by stage: a mechanism of the catalog, or what a page has computed of several calls of the package. */
export interface Told {
  /** The mechanism whose words its stages have. */
  readonly id: string;
  readonly trace: Trace;
  readonly inputs: Arguments;
  readonly params: Arguments;
  readonly options: Arguments;
  readonly labels: Defaults['labels'];
  readonly provenance: Provenance;
  /** The trace of a run on other numbers, which a reading of a formula must reproduce as well. */
  traceOf(inputs: Arguments, params: Arguments): Trace;
  /** How a stage came about that the page has added to the trace. */
  exprOf?(stage: string): Expr | undefined;
  /** An array's picture with what the catalog has no names for. */
  pictureOf?(picture: Picture): Picture;
  /** An array in words, where the page has added it to the trace. */
  nameOf?(source: Source): string | undefined;
  /** The text below a stage's name. */
  bodyOf?(stage: string): string | undefined;
  /** The number that is looked at until one is chosen. */
  first?(): Selection | null;
  /** Paints pairs of an array; absent where it is not painted. */
  paintOf?(source: Source): ((pairs: readonly { row: number; col: number }[], kept: boolean) => void) | undefined;
  /** A number that is written as a word. */
  writtenAs?(x: number, source: Source): string | undefined;
  /** The note on a cell: beside its arithmetic, or in place of it. */
  noteOf?(picture: Picture, index: Index): Note | undefined;
  /** Puts a number in place of one of the arguments; absent where the run cannot take it. */
  editOf?(source: Source, index: Index): ((value: number) => void) | undefined;
}

export interface Note {
  readonly text: string;
  readonly inPlace: boolean;
  /** The kind of the note, by name. */
  readonly kind: string;
}
