/**
 * How the numbers of a stage came about, as its formula tells. A formula leaves open which axes meet and which array a letter
 * stands for: every reading is a candidate, and one is given only after it has reproduced all numbers of the stage.
 */
import type { TraceStage } from 'fovea';
import { constant, elementwise, flatOf, fromPlace, indexOf, leaf, sizeOf, view, type Expr, type Source } from './expr.ts';
import { arraysOf, type Named } from './letters.ts';
import {
  activated,
  applied,
  concatenated,
  delayed,
  fitted,
  hadamard,
  lowerTriangle,
  normalized,
  norms,
  products,
  quotients,
  reduced,
  sums,
  smaller,
  turned,
  windows,
} from './operations.ts';
import { argumentSources, stageSource } from './sources.ts';
import { readFormula, symbolsIn, type Node, type SymbolNode } from './tex.ts';

export interface Run {
  readonly trace: readonly TraceStage[];
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Readings of one part of a formula are no more than this. */
const MOST = 40;
const MOST_UNKNOWN = 3;
/** Of the largest number of a stage: rounding of float32 along a few products and an exponential. */
const TOLERANCE = 3e-5;

/** The letter that each stage's formula defines. */
const letterOf = ({ formula }: TraceStage): string | null => {
  const { left } = readFormula(formula);
  return left && left.name + (/^\d+$/.test(left.sup) ? left.sup : '');
};

/**
 * The expression whose numbers are those of the stage, or null where no reading of its formula gives them.
 *
 * @param other the same mechanism on other numbers, which the reading must reproduce as well
 */
export function derive(run: Run, position: number, other: Run | null = null): Expr | null {
  const stage = run.trace[position];
  if (!stage || stage.data.length === 0) return null;
  const checks = other?.trace[position];
  const againstOthers = other && checks ? candidates(other, position) : null;
  for (const expr of candidates(run, position)) {
    const twin = againstOthers?.next();
    if (!reproduces(expr, stage)) continue;
    if (!checks || !twin) return expr;
    if (!twin.done && String(twin.value.shape) === String(expr.shape) && reproduces(twin.value, checks)) return expr;
  }
  return null;
}

/** All readings in the shape of the stage. Their order follows from names and shapes alone. */
function* candidates(run: Run, position: number): Generator<Expr, undefined> {
  const stage = run.trace[position];
  const { right } = readFormula(stage?.formula ?? '');
  if (!stage || !right) return;
  const readings = new Readings(stage, knownTo(run, position));
  for (const candidate of right.type === 'symbol' ? readings.ofLetter(right) : readings.of(right))
    yield* readings.shown(candidate);
}

/** The arrays that a stage's formula calls by name, as far as it can be read. */
export function namedIn(run: Run, position: number): Source[] {
  const stage = run.trace[position];
  const { right } = readFormula(stage?.formula ?? '');
  if (!stage || !right) return [];
  const known = knownTo(run, position).slice(0, -1);
  return [...new Set(symbolsIn(right).flatMap((symbol) => arraysOf(symbol, known, stage.name).slice(0, 1)))].map(
    ({ source }) => source,
  );
}

/** Arguments and earlier stages, and the stage itself for what it says of its own earlier steps. */
function knownTo({ trace, inputs, params, options }: Run, position: number): Named[] {
  const given = [
    ...argumentSources('options', options),
    ...argumentSources('params', params),
    ...argumentSources('inputs', inputs),
  ].map((source) => ({ source, letter: null }));
  return [...given, ...trace.slice(0, position + 1).map((stage) => ({ source: stageSource(stage), letter: letterOf(stage) }))];
}

export function reproduces(expr: Expr, { shape, data }: TraceStage): boolean {
  const most = data.reduce((largest, x) => (Number.isFinite(x) ? Math.max(largest, Math.abs(x)) : largest), 0);
  const allowed = TOLERANCE * most;
  return data.every((wanted, flat) => {
    const got = expr.at(indexOf(shape, flat));
    return wanted === got || Math.abs(wanted - got) <= allowed;
  });
}

class Readings {
  readonly #stage: TraceStage;
  readonly #known: readonly Named[];
  /** Letters so far that no array is called by. */
  #unknown = 0;

  constructor(stage: TraceStage, known: readonly Named[]) {
    this.#stage = stage;
    this.#known = known;
  }

  of(node: Node): Expr[] {
    return this.#each(node).slice(0, MOST);
  }

  #each(node: Node): Expr[] {
    if (node.type === 'number') return [constant(node.value)];
    if (node.type === 'symbol') return this.#symbol(node);
    if (node.type === 'turned') return this.of(node.of).map(turned);
    if (node.type === 'power') return this.of(node.of).map((x) => elementwise('power', [x], ([v = NaN]) => v ** node.exponent));
    if (node.type === 'over') return this.#pairs(node.top, node.bottom, quotients);
    if (node.type === 'concat') return this.#concat(node.parts);
    if (node.type === 'times') return this.#times(node);
    if (node.type === 'add') return this.#add(node);
    return this.#call(node);
  }

  #pairs(a: Node, b: Node, join: (x: Expr, y: Expr) => readonly Expr[]): Expr[] {
    const right = this.of(b);
    return this.of(a).flatMap((x) => right.flatMap((y) => [...join(x, y)]));
  }

  /** A formula that is one letter: the array itself, or a sum or a product of two that are there. */
  ofLetter(symbol: SymbolNode): Expr[] {
    const given = this.#known.slice(0, -1).map(({ source }) => leaf(source));
    const arrays = given.filter(({ shape }) => sizeOf(shape) > 1);
    const pairs = arrays.flatMap((x, i) => arrays.slice(i + 1).map((y) => [x, y] as const));
    const alike = pairs.filter(([x, y]) => String(x.shape) === String(y.shape));
    return [
      ...this.of(symbol),
      ...arrays,
      ...alike.flatMap(([x, y]) => sums(x, y, 1, false)),
      ...pairs.flatMap(([x, y]) => [...products(x, y), ...products(y, x)]),
    ];
  }

  /** As the stage shows it: in its shape, and −∞ where it has left pairs out. */
  shown(candidate: Expr): Expr[] {
    const { shape, data } = this.#stage;
    const whole = fitted(candidate, shape);
    return data.includes(-Infinity) && candidate.operation !== 'mask' ? [...whole, ...this.#masked(candidate)] : whole;
  }

  #symbol(symbol: SymbolNode): Expr[] {
    const stage = this.#stage;
    const own = this.#known.at(-1);
    const isPast = /[-<]/.test(symbol.sub);
    if (symbol.sub.startsWith('clip')) return this.#clipped();
    const named = arraysOf(symbol, this.#known, stage.name).filter((named) => isPast || named !== own);
    if (named.length === 0) return this.#unnamed(symbol);
    return named.slice(0, 6).flatMap(({ source }) => {
      const expr = leaf(source);
      if (source === own?.source) return [delayed(expr)];
      if (symbol.sub.includes("'<t")) return [delayed(expr)];
      return isPast ? [delayed(expr), expr, ...lastRow(expr, symbol.sub)] : [expr];
    });
  }

  /** Letters that the catalog has no array of: how many there are, any input, or what a mechanism may leave out. */
  #unnamed({ name, sup }: SymbolNode): Expr[] {
    if (/^[nSdFL]$/.test(name)) {
      const sizes = new Set([...this.#known.flatMap(({ source }) => [...source.shape]), ...this.#stage.shape]);
      return [...sizes].map(constant);
    }
    if (/^[bP]$/.test(name)) return [constant(0)];
    if (/^(?:W|gamma|s)$/.test(name)) return [constant(1)];
    if (++this.#unknown > MOST_UNKNOWN || sup.includes('W')) return [];
    return this.#known
      .slice(0, -1)
      .filter(({ source }) => source.kind === 'inputs' || source.kind === 'stage')
      .reverse()
      .map(({ source }) => leaf(source));
  }

  /** A table's rows by distance: [queries, keys, width]. */
  #clipped(): Expr[] {
    const { shape } = this.#stage;
    const queries = shape.at(-2) ?? 0;
    const tables = this.#known.filter(({ source }) => source.kind === 'params' && source.shape.length === 2);
    return tables.map(({ source }) => {
      const [rows = 1, width = 1] = source.shape;
      const most = (rows - 1) / 2;
      const near = (distance: number): number => Math.max(-most, Math.min(most, distance)) + most;
      return view(leaf(source), [queries, queries, width], ([i = 0, j = 0, d = 0]) => [near(j - i), d]);
    });
  }

  #times({ factors, elementwise: each }: Node & { type: 'times' }): Expr[] {
    const [first, ...others] = factors.map((factor) => this.of(factor));
    const join = each ? hadamard : products;
    return others.reduce((left, right) => cut(left.flatMap((x) => right.flatMap((y) => join(x, y)))), first ?? []);
  }

  #add({ terms }: Node & { type: 'add' }): Expr[] {
    const indices = terms.map(({ node }) => indicesOf(node));
    const [first, ...others] = terms;
    if (!first) return [];
    const start = this.of(first.node).map((x) => (first.sign === 1 ? x : elementwise('scale', [x], ([v = NaN]) => -v)));
    return others.reduce((left, { sign, node }, n) => {
      const pairs = indices[0] !== indices[n + 1];
      return cut(left.flatMap((x) => this.of(node).flatMap((y) => sums(x, y, sign, pairs))));
    }, start);
  }

  #concat(parts: readonly Node[]): Expr[] {
    const [start, end] = parts;
    const spread = start?.type === 'symbol' && end?.type === 'symbol' && start.name === end.name && start.sub !== end.sub;
    if (spread && end.sub.includes('+')) return this.of(end).flatMap((x) => windows(x, this.#stage.shape.at(-1) ?? 0));
    const [first, ...others] = parts.map((part) => this.of(part));
    const lists = others.reduce<Expr[][]>(
      (left, right) => cut(left.flatMap((list) => right.map((x) => [...list, x]))),
      (first ?? []).map((x) => [x]),
    );
    return lists.flatMap((list) => concatenated(list));
  }

  #call({ name, sub, args }: Node & { type: 'call' }): Expr[] {
    const [arg] = args;
    if (!arg) return [];
    if (name === 'sum') return this.#sum(arg);
    if (name === 'max') return this.of(arg).flatMap((x) => reduced('max', x));
    if (name === 'cases') return this.of(arg).flatMap((x) => this.#masked(x));
    if (name === 'phi')
      return this.#symbol({ type: 'symbol', name: `phi ${arg.type === 'symbol' ? arg.name : ''}`, sub, sup: '' });
    if (name === 'Concat' || name === 'Phi') return this.of(arg);
    if (/^[FGH]$/.test(name)) return this.#feedForward(name, arg);
    if (name === 'score') return this.#score(args);
    if (name === 'min') return args[1] ? this.#pairs(arg, args[1], smaller) : [];
    if (name === 'align') return this.#symbol({ type: 'symbol', name: 'alignment', sub: '', sup: '' });
    if (name === 'tril') return this.of(arg).map(lowerTriangle);
    if (name === 'act') return this.of(arg).flatMap(activated);
    if (name === 'norm') return this.of(arg).flatMap((x) => norms(x).map(sub === 'F' ? (n) => n : keptAxis));
    if (name === 'absolute' && isDistance(arg)) return this.#distances();
    if (/^(?:softmax|sparsemax|entmax|argmax|top)$/.test(name))
      return this.#biased(arg).flatMap((x) => [...normalized(name, x, sub), ...this.#maskedSoftmax(name, x)]);
    return this.#biased(arg).flatMap((x) => applied(name, x));
  }

  /** Under a function a formula may leave the bias out. */
  #biased(arg: Node): Expr[] {
    const inner = this.of(arg);
    const biases = this.#known.filter(({ source }) => source.kind === 'params' && /(?:^|\.)b[a-z]*\d?$/.test(source.name));
    return [
      ...inner,
      ...inner
        .slice(0, 6)
        .flatMap((x) =>
          biases.flatMap(({ source }) => (source.shape[0] === x.shape.at(-1) ? sums(x, leaf(source), 1, false) : [])),
        ),
    ];
  }

  /** Over what the stage's own zeros leave. */
  #maskedSoftmax(name: string, x: Expr): Expr[] {
    const { shape, data } = this.#stage;
    if (name !== 'softmax' || !data.includes(0)) return [];
    return fitted(x, shape).flatMap((whole) => {
      const isOut = (index: readonly number[]): boolean => data[flatOf(shape, index)] === 0;
      return normalized(name, leftOut(whole, isOut), '');
    });
  }

  /** max(0, x W₁ + b₁) of the params of a net's letter. */
  #feedForward(name: string, arg: Node): Expr[] {
    const of = (part: string): Expr[] =>
      this.#known.filter(({ source }) => source.name === `${name}.${part}`).map(({ source }) => leaf(source));
    const [W] = of('W1');
    if (!W) return [];
    return this.of(arg).flatMap((x) => {
      const linear = products(x, W).slice(0, 1);
      return [...linear, ...linear.flatMap((y) => of('b1').flatMap((b) => sums(y, b, 1, false)))].flatMap(activated);
    });
  }

  /** A score that the formula names only: h · s, or h W · s. */
  #score([a, b]: readonly Node[]): Expr[] {
    if (!a || !b) return [];
    const between = this.#known.filter(({ source }) => /^Wa$/.test(source.name)).map(({ source }) => leaf(source));
    return this.#pairs(a, b, (x, y) => [
      ...between.flatMap((W) => products(x, W).flatMap((z) => products(z, y))),
      ...products(x, y),
    ]);
  }

  /** A sum over products: every pair of axes that can meet; else over an axis of what is there. */
  #sum(arg: Node): Expr[] {
    const inner = this.of(arg);
    const met = arg.type === 'times' || arg.type === 'over' ? inner : [];
    return [...met, ...inner.flatMap((x) => [...reduced('sum', x)])];
  }

  /** The stage's own −∞ tell which pairs are left out. */
  #masked(x: Expr): Expr[] {
    const { shape, data } = this.#stage;
    const isOut = (index: readonly number[]): boolean => data[flatOf(shape, index)] === -Infinity;
    return fitted(x, shape).map((whole) => leftOut(whole, isOut));
  }

  /** How far a query and a key are apart. */
  #distances(): Expr[] {
    const [queries = 0, keys = 0] = this.#stage.shape.slice(-2);
    return [fromPlace([queries, keys], ([i = 0, j = 0]) => Math.abs(i + keys - queries - j))];
  }
}

/** −∞ in place of some numbers. */
function leftOut(x: Expr, isOut: (index: readonly number[]) => boolean): Expr {
  const kept = view(x, x.shape, (index) => (isOut(index) ? null : index));
  const mask = fromPlace(x.shape, (index) => (isOut(index) ? -Infinity : 0));
  return elementwise('mask', [kept, mask], ([a = NaN, b = NaN]) => a + b);
}

const cut = <T>(list: readonly T[]): T[] => list.slice(0, 6 * MOST);

const isDistance = (node: Node): boolean =>
  node.type === 'add' && node.terms.every(({ node }) => node.type === 'symbol' && /^[ijpts]$/.test(node.name));

/** The index letters of a term: Q_i and K_j meet in pairs. */
function indicesOf(node: Node): string {
  if (node.type === 'symbol') return node.sub;
  if (node.type === 'times') return node.factors.map(indicesOf).find((sub) => sub !== '') ?? '';
  return '';
}

const keptAxis = (x: Expr): Expr => view(x, [...x.shape, 1], (index) => index.slice(0, -1));

/** H_{n−1}, the last of its rows. */
function lastRow(x: Expr, sub: string): Expr[] {
  const [rows = 0, ...rest] = x.shape;
  return sub === '' || !/^n-1$/.test(sub) || sizeOf(x.shape) === 0 ? [] : [view(x, rest, (index) => [rows - 1, ...index])];
}
