/** The arrays that a letter of a stage's formula may stand for, and views of them that its indices may ask for. */
import type { TraceStage } from 'fovea';
import { constant, fromPlace, leaf, view, type Expr } from './expr.ts';
import { arraysOf, nearness, type Named } from './letters.ts';
import type { SymbolNode } from './nodes.ts';
import { delayed, rowOf, rowsOf } from './operations.ts';

const MOST_ARRAYS = 6;
/** Letters of a formula that no array is called by, before it is given up. */
const MOST_UNKNOWN = 3;

export class Symbols {
  readonly #stage: TraceStage;
  readonly #known: readonly Named[];
  readonly #own: Named | undefined;
  /** The formula defines step t + 1 by step t: its letters stand one place earlier. */
  readonly #next: boolean;
  #unknown = 0;

  constructor(stage: TraceStage, known: readonly Named[], isNext: boolean) {
    this.#stage = stage;
    this.#known = known;
    this.#own = known.find(({ source }) => source.kind === 'stage' && source.name === stage.name);
    this.#next = isNext;
  }

  of(symbol: SymbolNode): Expr[] {
    const { sub, name } = symbol;
    if (sub.includes('clip(')) return this.#clipped();
    if (name === 'I') return this.#identities();
    if (name === 'sigma') return this.#deviations();
    const isPast = /[-<]/.test(sub) || this.#next;
    const matches = arraysOf(symbol, this.#known, this.#stage.name).filter(({ named }) => isPast || named !== this.#own);
    const exprs = matches.slice(0, MOST_ARRAYS).flatMap(({ named }) => this.#views(named, symbol));
    const sure = matches.some(({ sure }) => sure) && !/^[sdb]$/.test(name);
    return sure ? exprs : [...exprs, ...this.#unnamed(symbol)];
  }

  #views(named: Named, { sub, sup }: SymbolNode): Expr[] {
    const expr = leaf(named.source);
    const [rows = 0] = expr.shape;
    const stageRows = this.#stage.shape[0] ?? 0;
    if (this.#next) return [delayed(expr, stageRows)];
    if (named === this.#own) return [delayed(expr)];
    if (sub.startsWith('n-1')) return [rowOf(expr, rows - 1)];
    if (sub.startsWith('[1:')) return parts(rows).map((split) => rowsOf(expr, 0, split));
    if (sub.startsWith('[')) return parts(rows).map((split) => rowsOf(expr, split, rows));
    if (/[-<]/.test(sub)) return [...this.#starts(named, expr).map((start) => delayed(expr, rows, start)), delayed(expr), expr];
    if (named.source.kind === 'stage' && rows === stageRows + 1)
      return [rowsOf(expr, 0, stageRows), rowOf(expr, rows - 1), expr];
    if (sub.includes('+1') || /\+1/.test(sup)) return [rowOf(expr, rows - 1), expr];
    if (sup === 'k' && expr.shape.length > 1) return [expr, ...parts(rows + 1).map((n) => rowOf(expr, n - 1))];
    return [expr];
  }

  /** States that a recurrence may start from. */
  #starts(named: Named, expr: Expr): Expr[] {
    return this.#known
      .filter(
        ({ source }) => /^initialState\./.test(source.name) && String(source.shape) === String(named.source.shape.slice(1)),
      )
      .map(({ source }) => leaf(source))
      .filter(() => expr.shape.length > 1);
  }

  /** Letters that the catalog has no array of: how many there are, an index, any input, or what a mechanism may leave out. */
  #unnamed({ name, sub, sup }: SymbolNode): Expr[] {
    const sizes = new Set([...this.#known.flatMap(({ source }) => [...source.shape]), ...this.#stage.shape]);
    const counts = /^[nSdFL]$/.test(name) ? [...sizes].map(constant) : [];
    if (/^[nSdL]$/.test(name)) return counts;
    if (/^[bP]$/.test(name)) return [constant(0)];
    const optional = /^(?:W|gamma|s)$/.test(name) ? [constant(1)] : [];
    const index = name === 's' && sub === '' ? [fromPlace([this.#stage.shape.at(-1) ?? 0], ([i = 0]) => i)] : [];
    if (name === 'W' || name === 'gamma' || ++this.#unknown > MOST_UNKNOWN || sup.includes('W')) return optional;
    const { name: near } = this.#stage;
    const others = this.#known
      .filter((one) => one !== this.#own && !one.later && (one.source.kind === 'inputs' || one.source.kind === 'stage'))
      .reverse()
      .sort((a, b) => nearness(b.source.name, near) - nearness(a.source.name, near))
      .map(({ source }) => leaf(source));
    const thirds = /^[kvpY]$/.test(name) ? this.#thirds('kvp'.indexOf(name === 'Y' ? 'k' : name)) : [];
    const params = /^[B-Z]$/.test(name) ? this.#matrices() : [];
    return [...optional, ...index, ...thirds, ...others, ...counts, ...params];
  }

  #matrices(): Expr[] {
    const params = this.#known.filter(({ source }) => source.kind === 'params' && source.shape.length === 2);
    return params.slice(0, MOST_ARRAYS).map(({ source }) => leaf(source));
  }

  /** h = [k; v; p]. */
  #thirds(place: number): Expr[] {
    return this.#known.flatMap(({ source }) => {
      const [tokens = 0, width = 0] = source.shape;
      if (source.name !== 'hidden' || width % 3 !== 0) return [];
      return [view(leaf(source), [tokens, width / 3], ([t = 0, d = 0]) => [t, (place * width) / 3 + d])];
    });
  }

  /** A table's rows by distance: [queries, keys, width]. */
  #clipped(): Expr[] {
    const queries = this.#stage.shape.at(-2) ?? 0;
    const tables = this.#known.filter(({ source }) => source.kind === 'params' && source.shape.length === 2);
    return tables.map(({ source }) => {
      const [rows = 1, width = 1] = source.shape;
      const most = (rows - 1) / 2;
      const near = (distance: number): number => Math.max(-most, Math.min(most, distance)) + most;
      return view(leaf(source), [queries, queries, width], ([i = 0, j = 0, d = 0]) => [near(j - i), d]);
    });
  }

  #identities(): Expr[] {
    const sizes = new Set(this.#known.flatMap(({ source }) => source.shape));
    return [...sizes].map((n) => fromPlace([n, n], ([i, j]) => Number(i === j)));
  }

  /** Half the window of local attention. */
  #deviations(): Expr[] {
    return this.#known.filter(({ source }) => source.name === 'D').map(({ source }) => constant((source.data[0] ?? 0) / 2));
  }
}

const parts = (size: number): number[] => Array.from({ length: Math.max(0, size - 1) }, (_, n) => n + 1);
