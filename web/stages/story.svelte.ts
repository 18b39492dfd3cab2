import { run as runMechanism } from 'fovea/catalog';
import type { Link } from '../figures/figure.ts';
import type { Json } from '../shell/kept.svelte.ts';
import { namedIn, search, type Run } from './arithmetic/derive.ts';
import { cellsBehind, explain, type Cell, type Step } from './arithmetic/explain.ts';
import type { Expr, Index, Source } from './arithmetic/expr.ts';
import { withOtherNumbers } from './arithmetic/other_numbers.ts';
import { argumentSources, stageSource } from './arithmetic/sources.ts';
import type { Mechanism } from './mechanism.svelte.ts';
import { cellOf, FIRST, keyOf, pictureOfArgument, pictureOfStage, type Picture, type Slice } from './pictures.ts';

/** One and the same list, so that pictures without links are not drawn again. */
const NONE: readonly Link[] = [];
/** Milliseconds of one task. */
const LONGEST_SEARCH = 8;

export interface Selection {
  readonly key: string;
  readonly index: Index;
}

/** A chosen number of a link; undefined where it is none. */
export function readSelection(json: Json): Selection | null | undefined {
  if (json === null) return null;
  const { key, index } = (typeof json === 'object' ? json : {}) as Partial<Selection>;
  const isCell = (n: unknown): boolean => Number.isSafeInteger(n) && Number(n) >= 0;
  return typeof key === 'string' && Array.isArray(index) && index.every(isCell) ? { key, index } : undefined;
}

/** The stages of a mechanism's run as a visitor goes through them: what is shown of each, and the chosen number. */
export class Story {
  readonly mechanism: Mechanism;
  selection: Selection | null = $state.raw(null);
  #slices: Readonly<Record<string, Slice>> = $state.raw({});

  readonly #run = $derived.by((): Run => {
    const { trace, inputs, params, options } = this.mechanism;
    return { trace, inputs, params, options };
  });
  readonly #other = $derived(
    withOtherNumbers(this.#run, (inputs, params) => {
      const { fovea, entry, options } = this.mechanism;
      return runMechanism(fovea, entry.id, inputs, params, options).trace;
    }),
  );
  /** How stages of a run are computed, as far as it was asked for. */
  #found: { readonly run: Run | null; readonly exprs: ReadonlyMap<number, Expr | null> } = $state.raw({
    run: null,
    exprs: new Map(),
  });

  readonly stages: readonly Picture[] = $derived(
    this.#run.trace.map((stage) => pictureOfStage(stage, stageSource(stage), this.mechanism.sample.labels)),
  );
  readonly given: readonly Picture[] = $derived(
    (['inputs', 'params', 'options'] as const).flatMap((kind) =>
      argumentSources(kind, this.#run[kind]).map((source) => pictureOfArgument(source, this.mechanism.sample.labels)),
    ),
  );
  readonly chosen: Picture | undefined = $derived(this.picture(this.selection?.key));
  readonly #position = $derived(this.stages.findIndex(({ key }) => key === this.selection?.key));
  /** Undefined while it is searched for, null where no reading of the stage's formula holds. */
  readonly expr: Expr | null | undefined = $derived(
    this.#position < 0 ? null : this.#found.run === this.#run ? this.#found.exprs.get(this.#position) : undefined,
  );
  readonly steps: readonly Step[] = $derived(this.selection && this.expr ? explain(this.expr, this.selection.index) : []);
  /** The arrays that the chosen stage's formula calls by a letter or a name. */
  readonly named: readonly Source[] = $derived(namedIn(this.#run, this.#position));
  readonly #cells: readonly Cell[] = $derived(this.selection && this.expr ? cellsBehind(this.expr, this.selection.index) : []);

  constructor(mechanism: Mechanism) {
    this.mechanism = mechanism;
  }

  picture(key: string | undefined): Picture | undefined {
    return [...this.stages, ...this.given].find((picture) => picture.key === key);
  }

  slice(key: string): Slice {
    return this.#slices[key] ?? FIRST;
  }

  show(key: string, slice: Slice): void {
    this.#slices = { ...this.#slices, [key]: slice };
  }

  choose(selection: Selection | null): void {
    this.selection = selection;
  }

  /** Looks for what the chosen stage is computed by, a few readings at a time; ends it for another stage or run. Returns what ends it. */
  find(): () => void {
    const [run, position] = [this.#run, this.#position];
    if (position < 0 || this.expr !== undefined) return () => {};
    const other = this.#other;
    const readings = search(run, position, other);
    let timer: ReturnType<typeof setTimeout>;
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
    timer = setTimeout(next, 0);
    return () => clearTimeout(timer);
  }

  /** Turns the pictures of what took part in the chosen number to it, where they show another head or part. */
  turnToSources(): void {
    for (const key of new Set(this.#cells.map(({ source }) => keyOf(source)))) {
      const [picture, slice] = [this.picture(key), this.slice(key)];
      const taking = this.#cells.filter(({ source }) => keyOf(source) === key);
      const [first] = taking;
      if (picture && first && !taking.some(({ index }) => cellOf(picture, slice, index))) this.reveal(key, first.index);
    }
  }

  /** Turns a picture to the slice and the part that have a cell. */
  reveal(key: string, index: Index): void {
    this.show(key, { leading: index.slice(0, -2), row: index.at(-2) ?? 0, col: index.at(-1) ?? 0 });
  }

  /** What took part in the chosen number, as rows, columns and cells of a picture's slice. */
  links(picture: Picture): readonly Link[] {
    const taking = this.#cells.filter(({ source }) => keyOf(source) === picture.key);
    if (taking.length === 0) return NONE;
    const slice = this.slice(picture.key);
    const cells = taking.map(({ index }) => cellOf(picture, slice, index)).filter((cell) => cell !== null);
    const [rows, cols] = [picture.axes.at(-2)?.size ?? 1, picture.axes.at(-1)?.size ?? 1];
    const whole = (axis: 'row' | 'col', i: number, count: number): boolean =>
      count > 1 && cells.filter((cell) => cell[axis] === i).length === count;
    const fullRows = [...new Set(cells.map(({ row }) => row))].filter((row) => whole('row', row, cols));
    const fullCols = [...new Set(cells.map(({ col }) => col))].filter((col) => whole('col', col, rows));
    if (fullRows.length > 0 && fullRows.length * cols === cells.length) return fullRows.map((row) => ({ row }));
    if (fullCols.length > 0 && fullCols.length * rows === cells.length) return fullCols.map((col) => ({ col }));
    return cells;
  }
}
