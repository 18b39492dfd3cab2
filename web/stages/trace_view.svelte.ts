import { untrack } from 'svelte';
import type { Link } from '../figures/figure.ts';
import { full, short, weight } from '../figures/format.ts';
import type { Json } from '../shell/kept.svelte.ts';
import { local } from '../shell/settings.svelte.ts';
import { letterOf, namedIn, search, type Run } from './arithmetic/derive.ts';
import { cellBefore, cellsBehind, explain, type Cell, type Step } from './arithmetic/explain.ts';
import type { Expr, Index, Source } from './arithmetic/expr.ts';
import { factorsOf, type Factor } from './arithmetic/factors.ts';
import { withOtherNumbers } from './arithmetic/other_numbers.ts';
import { argumentSources, stageSource } from './arithmetic/sources.ts';
import { cellOf, FIRST, keyOf, pictureOfArgument, pictureOfStage, type Picture, type Slice } from './pictures.ts';
import { sourceName } from './source_name.ts';
import type { Note, Selection, Told } from './told.ts';

/** One and the same list, so that pictures without links are not drawn again. */
const NONE: readonly Link[] = [];
/** Milliseconds of one task. */
const LONGEST_SEARCH = 8;
/** Stages that are told one after the other, from the one with the sums to the chosen one. */
const MOST_STAGES = 5;

/** The part of the arithmetic that one stage has on the way to the chosen number. */
export interface Chapter {
  readonly picture: Picture;
  readonly index: Index;
  /** Undefined while it is searched for, null where no reading of the stage's formula holds. */
  readonly expr: Expr | null | undefined;
  readonly steps: readonly Step[];
  readonly note: Note | undefined;
}

/** A chosen number of a link; undefined where it is none. */
export function readSelection(json: Json): Selection | null | undefined {
  if (json === null) return null;
  const { key, index } = (typeof json === 'object' ? json : {}) as Partial<Selection>;
  const isCell = (n: unknown): boolean => Number.isSafeInteger(n) && Number(n) >= 0;
  return typeof key === 'string' && Array.isArray(index) && index.every(isCell) ? { key, index } : undefined;
}

/** The view of a run's trace: which slice of each stage is shown, and which number is chosen. */
export class TraceView {
  readonly told: Told;
  #chosen: Selection | null = $state.raw(null);
  /** The number under the pointer. */
  #pointed: Selection | null = $state.raw(null);
  /** The cells of the term of the arithmetic that is under the pointer: no others are outlined. */
  term: readonly Cell[] | null = $state.raw(null);
  /** Whether numbers are written with every digit. */
  allDigits = $state(false);
  /** Whether a stage's picture stands in a line with those that its formula makes it of. */
  inLines = $state(false);
  /** Whether a picture has the focus. */
  gazing = $state(false);
  #slices: Readonly<Record<string, Slice>> = $state.raw({});

  readonly #run = $derived.by((): Run => {
    const { trace, inputs, params, options } = this.told;
    return { trace, inputs, params, options };
  });
  readonly #other = $derived(withOtherNumbers(this.#run, (inputs, params) => this.told.traceOf(inputs, params)));
  /** How stages of a run are computed, as far as it was asked for. */
  #found: { readonly run: Run | null; readonly exprs: ReadonlyMap<number, Expr | null> } = $state.raw({
    run: null,
    exprs: new Map(),
  });

  readonly stages: readonly Picture[] = $derived(
    this.#run.trace.map((stage) => this.#told(pictureOfStage(stage, stageSource(stage), this.told.labels))),
  );
  readonly given: readonly Picture[] = $derived(
    (['inputs', 'params', 'options'] as const).flatMap((kind) =>
      argumentSources(kind, this.#run[kind]).map((source) => this.#told(pictureOfArgument(source, this.told.labels))),
    ),
  );
  readonly selection: Selection | null = $derived.by(
    () => this.#inside(this.#pointed ?? this.#chosen) ?? this.#inside(this.told.first?.() ?? null),
  );
  readonly chosen: Picture | undefined = $derived(this.picture(this.selection?.key));
  readonly #position = $derived(this.#positionOf(this.selection?.key));
  /** From the stage that the chosen number is a changed form of, to the number itself. */
  readonly chapters: readonly Chapter[] = $derived.by(() => {
    const chapters: Chapter[] = [];
    let at = this.selection;
    while (at && chapters.length < MOST_STAGES) {
      const picture = this.picture(at.key);
      if (!picture) break;
      const { index } = at;
      const expr = this.#exprOf(at.key);
      const note = this.told.noteOf?.(picture, index);
      chapters.unshift({ picture, index, expr, note, steps: expr && !note?.inPlace ? explain(expr, index) : [] });
      const before: Cell | null = expr ? cellBefore(expr, index) : null;
      const key = before?.source.kind === 'stage' ? keyOf(before.source) : undefined;
      const isNew = key !== undefined && chapters.every((chapter) => chapter.picture.key !== key);
      at = before && isNew ? { key, index: before.index } : null;
    }
    return chapters;
  });
  readonly expr: Expr | null | undefined = $derived(this.chapters.at(-1)?.expr);
  /** The arrays that the chosen stage's formula calls by a letter or a name. */
  readonly named: readonly Source[] = $derived(namedIn(this.#run, this.#position));
  readonly cells: readonly Cell[] = $derived.by(() => {
    if (this.term) return this.term;
    const all = this.chapters.flatMap(({ expr, index, note }) => (expr && !note?.inPlace ? cellsBehind(expr, index) : []));
    return [...new Map(all.map((cell) => [`${keyOf(cell.source)} ${cell.index.join()}`, cell])).values()];
  });

  constructor(told: Told) {
    this.told = told;
  }

  #told(picture: Picture): Picture {
    return this.told.pictureOf?.(picture) ?? picture;
  }

  /** The number itself, or the last of an axis that has become shorter; null where the run does not have its array. */
  #inside(selection: Selection | null): Selection | null {
    const picture = this.picture(selection?.key);
    if (!selection || !picture) return null;
    return { key: picture.key, index: picture.axes.map(({ size }, axis) => Math.min(selection.index[axis] ?? 0, size - 1)) };
  }

  /** An array in words. */
  nameOf(source: Source): string {
    return this.told.nameOf?.(source) ?? local(sourceName(source, this.told.id));
  }

  picture(key: string | undefined): Picture | undefined {
    return [...this.stages, ...this.given].find((picture) => picture.key === key);
  }

  /** The factors before a stage's picture in its line; null where its formula is no such line. */
  factors(key: string, columns: boolean): readonly Factor[] | null {
    return factorsOf(this.#run, this.#positionOf(key), columns);
  }

  /** The letter that a stage's formula defines, and that formulas call an argument by. */
  letter({ kind, name }: Source): string {
    const stage = kind === 'stage' ? this.#run.trace.find((one) => one.name === name) : undefined;
    const letter = (stage ? letterOf(stage) : name) ?? name;
    return letter.replace(/^phi (\w+)$/, 'φ($1)');
  }

  slice(key: string): Slice {
    const { leading, row, col } = this.#slices[key] ?? FIRST;
    const axes = this.picture(key)?.axes.slice(0, -2) ?? [];
    return { leading: axes.map(({ size }, axis) => Math.min(leading[axis] ?? 0, size - 1)), row, col };
  }

  show(key: string, slice: Slice): void {
    this.#slices = { ...this.#slices, [key]: slice };
  }

  /** The chosen number, whatever the pointer is on. */
  get selected(): Selection | null {
    return this.#chosen;
  }

  choose(selection: Selection | null): void {
    [this.#pointed, this.term, this.#chosen] = [null, null, selection];
  }

  /** Whether the pointer is on a picture, or the keyboard. */
  get isLookedAt(): boolean {
    return this.gazing || this.#pointed !== null;
  }

  /** Shows a number for as long as the pointer is on it. */
  point(selection: Selection | null): void {
    this.#pointed = selection;
  }

  /** A number as it is written in the arithmetic. */
  number(x: number, of?: Source | null): string {
    const word = of ? this.told.writtenAs?.(x, of) : undefined;
    if (word !== undefined) return word;
    if (this.allDigits) return full(x);
    const isWeight = of && this.picture(keyOf(of))?.isDistribution;
    return isWeight ? weight(x, 4) : short(x, 4);
  }

  #positionOf(key: string | undefined): number {
    return this.stages.findIndex((stage) => stage.key === key);
  }

  #exprOf(key: string): Expr | null | undefined {
    const position = this.#positionOf(key);
    const stage = this.#run.trace[position];
    if (!stage) return null;
    return this.told.exprOf?.(stage.name) ?? (this.#found.run === this.#run ? this.#found.exprs.get(position) : undefined);
  }

  /** Looks for what the stages that are told are computed by, a few readings at a time; ends it for another run. Returns what ends it. */
  find(): () => void {
    // Most stages are found at once: what is told does not flicker while numbers change.
    const run = this.#run;
    const unknown = this.chapters.find(({ expr }) => expr === undefined);
    const position = this.#positionOf(unknown?.picture.key);
    if (position < 0) return () => {};
    const readings = search(run, position, this.#other);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => {
      const end = performance.now() + LONGEST_SEARCH;
      let step = readings.next();
      while (!step.done && performance.now() < end) step = readings.next();
      if (!step.done) {
        timer = setTimeout(next, 0);
        return;
      }
      const before = this.#found.run === run ? this.#found.exprs : [];
      this.#found = { run, exprs: new Map([...before, [position, step.value]]) };
    };
    untrack(next);
    return () => clearTimeout(timer);
  }

  /** Turns the pictures of what took part in the chosen number to it, where they show another head or part. */
  turnToSources(): void {
    if (this.#pointed || this.term) return;
    for (const key of new Set(this.cells.map(({ source }) => keyOf(source)))) {
      const [picture, slice] = [this.picture(key), this.slice(key)];
      const taking = this.cells.filter(({ source }) => keyOf(source) === key);
      const [first] = taking;
      if (picture && first && !taking.some(({ index }) => cellOf(picture, slice, index))) this.reveal(key, first.index);
    }
  }

  /** Turns a picture to the slice and the part that have a cell. */
  reveal(key: string, index: Index): void {
    this.show(key, { leading: index.slice(0, -2), row: index.at(-2) ?? 0, col: index.at(-1) ?? 0 });
  }

  /** The cells that took part in the chosen number, as rows, columns and cells of a picture's slice. */
  links(picture: Picture): readonly Link[] {
    const taking = this.cells.filter(({ source }) => keyOf(source) === picture.key);
    if (taking.length === 0) return NONE;
    const slice = this.slice(picture.key);
    const cells = taking.map(({ index }) => cellOf(picture, slice, index)).filter((cell) => cell !== null);
    return linksOf(cells, picture.axes.at(-2)?.size ?? 1, picture.axes.at(-1)?.size ?? 1);
  }
}

/** Cells as whole rows or whole columns, where that is what they are. */
export function linksOf(
  cells: readonly { readonly row: number; readonly col: number }[],
  rows: number,
  cols: number,
): readonly Link[] {
  const whole = (axis: 'row' | 'col', i: number, count: number): boolean =>
    count > 1 && cells.filter((cell) => cell[axis] === i).length === count;
  const fullRows = [...new Set(cells.map(({ row }) => row))].filter((row) => whole('row', row, cols));
  const fullCols = [...new Set(cells.map(({ col }) => col))].filter((col) => whole('col', col, rows));
  if (fullRows.length > 0 && fullRows.length * cols === cells.length) return fullRows.map((row) => ({ row }));
  if (fullCols.length > 0 && fullCols.length * rows === cells.length) return fullCols.map((col) => ({ col }));
  return cells;
}
