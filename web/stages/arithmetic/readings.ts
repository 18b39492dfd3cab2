/** All that a formula may mean for the arrays that are there, the likeliest reading first. */
import type { TraceStage } from 'fovea';
import { constant, elementwise, flatOf, fromPlace, leaf, sizeOf, view, type Expr, type Index } from './expr.ts';
import type { Named } from './letters.ts';
import { leftOut, normalized, norms, reduced, sumsBefore, sumsById } from './lines.ts';
import type { Node, SymbolNode } from './nodes.ts';
import {
  activated,
  applied,
  concatenated,
  fitted,
  hadamard,
  lowerTriangle,
  products,
  quotients,
  smaller,
  sums,
  turned,
  windows,
} from './operations.ts';
import { Symbols } from './symbols.ts';

/** Readings of one part of a formula are no more than this. */
const MOST = 40;
const NORMALIZER = /^(?:softmax|sparsemax|entmax|argmax|top)$/;

export class Readings {
  readonly #stage: TraceStage;
  readonly #known: readonly Named[];
  readonly #symbols: Symbols;

  constructor(stage: TraceStage, known: readonly Named[], isNext: boolean) {
    this.#stage = stage;
    this.#known = known;
    this.#symbols = new Symbols(stage, known, isNext);
  }

  of(node: Node, most = MOST): Expr[] {
    return this.#each(node).slice(0, most);
  }

  #each(node: Node): Expr[] {
    if (node.type === 'number') return [constant(node.value)];
    if (node.type === 'symbol') return this.#symbols.of(node);
    if (node.type === 'turned') return this.#turned(node.of);
    if (node.type === 'power') return this.of(node.of).map((x) => elementwise('power', [x], ([v = NaN]) => v ** node.exponent));
    if (node.type === 'over') return this.#pairs(node.top, node.bottom, quotients);
    if (node.type === 'concat') return this.#concat(node.parts);
    if (node.type === 'times') return this.#times(node);
    return node.type === 'add' ? this.#add(node) : this.#call(node);
  }

  /** A formula that is one letter: the array itself, or a sum or a product of two that are there. */
  ofLetter(symbol: SymbolNode): Expr[] {
    const given = this.#known.filter(({ source, later }) => !later && source.name !== this.#stage.name);
    const arrays = given.map(({ source }) => leaf(source)).filter(({ shape }) => sizeOf(shape) > 1);
    const pairs = arrays.flatMap((x, i) => arrays.slice(i + 1).map((y) => [x, y] as const));
    const alike = pairs.filter(([x, y]) => String(x.shape) === String(y.shape));
    return [
      ...this.of(symbol),
      ...arrays,
      ...alike.flatMap(([x, y]) => sums(x, y, 1, false)),
      ...pairs.flatMap(([x, y]) => [...products(x, y), ...products(y, x)]),
    ];
  }

  /** A candidate in the shape of the stage, and with −∞ where it has left pairs out. */
  shown(candidate: Expr): Expr[] {
    return [...fitted(candidate, this.#stage.shape), ...(candidate.operation === 'mask' ? [] : this.#masked(candidate))];
  }

  /** A vector that is turned may be a row of a matrix, which is left as it is. */
  #turned(of: Node): Expr[] {
    const isRow = of.type === 'symbol' && of.sub !== '';
    return this.of(of).flatMap((x) => (isRow ? [turned(x), x] : [turned(x)]));
  }

  #pairs(a: Node, b: Node, join: (x: Expr, y: Expr) => readonly Expr[]): Expr[] {
    return combined(this.of(a), this.of(b), join);
  }

  #times({ factors, elementwise: each }: Node & { type: 'times' }): Expr[] {
    const lists = factors.map((factor) => this.of(factor));
    const join = each ? hadamard : products;
    const [first = [], ...others] = lists;
    const fromLeft = others.reduce((left, right) => combined(left, right, join), first);
    if (fromLeft.length > 0 || lists.length < 3) return fromLeft;
    const last = lists.pop() ?? [];
    return lists.reduceRight((right, left) => combined(left, right, join), last);
  }

  #add({ terms }: Node & { type: 'add' }): Expr[] {
    const indices = terms.map(({ node }) => indicesOf(node));
    const [first, ...others] = terms;
    if (!first) return [];
    const start = this.of(first.node).map((x) => (first.sign === 1 ? x : elementwise('scale', [x], ([v = NaN]) => -v)));
    return others.reduce((left, { sign, node }, n) => {
      const pairs = indices[0] !== indices[n + 1];
      return combined(left, this.of(node), (x, y) => sums(x, y, sign, pairs));
    }, start);
  }

  #concat(parts: readonly Node[]): Expr[] {
    const [start, end] = parts;
    const spread = start?.type === 'symbol' && end?.type === 'symbol' && start.name === end.name && start.sub !== end.sub;
    if (spread && end.sub.includes('+')) return this.of(end).flatMap((x) => windows(x, this.#stage.shape.at(-1) ?? 0));
    const [first, ...others] = parts.map((part) => this.of(part));
    const lists = others.reduce<Expr[][]>(
      (left, right) => combined(left, right, (list, x) => [[...list, x]]),
      (first ?? []).map((x) => [x]),
    );
    return lists.flatMap((list) => concatenated(list));
  }

  #call({ name, sub, args }: Node & { type: 'call' }): Expr[] {
    const [arg] = args;
    if (!arg) return [];
    if (NORMALIZER.test(name)) return this.#normalized(name, arg, sub);
    if (/^[FGH]$/.test(name)) return this.#feedForward(name, arg);
    if (name === 'absolute' && isDistance(arg)) return this.#distances();
    switch (name) {
      case 'sum':
        return this.#sum(arg, sub);
      case 'max':
        if (args[1]?.type === 'number' && args[1].value === 0) return this.of(arg).flatMap((x) => applied('relu', x));
        return this.of(arg).flatMap((x) => reduced('max', x));
      case 'min':
        return args[1] ? this.#pairs(arg, args[1], smaller) : [];
      case 'cases':
        return this.of(arg).flatMap((x) => this.#masked(x));
      case 'phi':
        return this.#symbols.of({ type: 'symbol', name: `phi ${arg.type === 'symbol' ? arg.name : ''}`, sub, sup: '' });
      case 'align':
        return this.#symbols.of({ type: 'symbol', name: 'alignment', sub: '', sup: '' });
      case 'Concat':
      case 'Phi':
        return this.of(arg);
      case 'score':
        return this.#score(args);
      case 'tril':
        return this.of(arg).map(lowerTriangle);
      case 'act':
        return this.#biased(arg).flatMap(activated);
      case 'norm':
        return this.of(arg).flatMap((x) => norms(x).map(sub === 'F' ? (n) => n : keptAxis));
      default:
        return this.#biased(arg).flatMap((x) => applied(name, x));
    }
  }

  /** Under a function a formula may leave the bias and the scale out. */
  #biased(arg: Node): Expr[] {
    const inner = this.of(arg);
    const params = this.#known.filter(({ source }) => source.kind === 'params');
    const biases = params.filter(({ source }) => /(?:^|\.)b[a-z]*\d?$/.test(source.name));
    const added = (x: Expr): Expr[] =>
      biases.flatMap(({ source }) => (source.shape[0] === x.shape.at(-1) ? sums(x, leaf(source), 1, false) : []));
    const likely = inner.slice(0, 6);
    return [...likely, ...likely.flatMap(added), ...inner.slice(6)];
  }

  #normalized(name: string, arg: Node, sub: string): Expr[] {
    const scale = this.#known.filter(({ source }) => source.name === 'scale').map(({ source }) => leaf(source));
    const plain = this.#biased(arg);
    const inner = [...plain, ...scale.flatMap((s) => plain.flatMap((x) => products(s, x)))];
    const byAxis = inner.map((x) => normalized(name, x, sub));
    const masked = name === 'softmax' ? inner.flatMap((x) => this.#maskedSoftmax(x)) : [];
    return [...byAxis.flatMap((list) => list.slice(0, 1)), ...masked, ...byAxis.flatMap((list) => list.slice(1))];
  }

  /** Over what the stage's own zeros leave. */
  #maskedSoftmax(x: Expr): Expr[] {
    const { shape, data } = this.#stage;
    const isOut = (index: Index): boolean => data[flatOf(shape, index)] === 0;
    return fitted(x, shape).flatMap((whole) => normalized('softmax', leftOut(whole, isOut), ''));
  }

  /** The stage's own −∞ tell which pairs are left out. */
  #masked(x: Expr): Expr[] {
    const { shape, data } = this.#stage;
    const isOut = (index: Index): boolean => data[flatOf(shape, index)] === -Infinity;
    return fitted(x, shape).map((whole) => leftOut(whole, isOut));
  }

  /** act(x W₁ + b₁) of the params of a net's letter. */
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
    const between = this.#known.filter(({ source }) => source.name === 'Wa').map(({ source }) => leaf(source));
    return this.#pairs(a, b, (x, y) => [...between.flatMap((W) => usual(x, W).flatMap((z) => usual(z, y))), ...usual(x, y)]);
  }

  /** A sum over products: every pair of axes that can meet; else over an axis of what is there. */
  #sum(arg: Node, sub: string): Expr[] {
    const inner = this.of(arg);
    if (/=w$/.test(sub)) return inner.flatMap((x) => this.#byWord(x));
    if (sub.includes('<')) return inner.map(sumsBefore);
    const met = arg.type === 'times' || arg.type === 'over' ? inner : [];
    return [...met, ...inner.flatMap((x) => reduced('sum', x))];
  }

  #byWord(x: Expr): Expr[] {
    const ids = this.#known.filter(({ source }) => source.kind === 'inputs' && source.shape.length === 1);
    return ids.flatMap(({ source }) => sumsById(x, source.data, this.#stage.shape.at(-1) ?? 0));
  }

  /** How far a query and a key are apart. */
  #distances(): Expr[] {
    const [queries = 0, keys = 0] = this.#stage.shape.slice(-2);
    return [fromPlace([queries, keys], ([i = 0, j = 0]) => Math.abs(i + keys - queries - j))];
  }
}

const usual = (x: Expr, y: Expr): Expr[] => products(x, y).slice(0, 3);

/** Joins each of one list with each of the other, the first of both first; no more than are looked at. */
function combined<A, B, C>(left: readonly A[], right: readonly B[], join: (a: A, b: B) => readonly C[]): C[] {
  const found: C[] = [];
  for (const a of left)
    for (const b of right) {
      found.push(...join(a, b));
      if (found.length >= 6 * MOST) return found.slice(0, 6 * MOST);
    }
  return found;
}

const isDistance = (node: Node): boolean =>
  node.type === 'add' && node.terms.every(({ node }) => node.type === 'symbol' && /^[ijpts]$/.test(node.name));

/** The index letters of a term: Q_i and K_j meet in pairs. */
function indicesOf(node: Node): string {
  if (node.type === 'symbol') return node.sub;
  if (node.type === 'times') return node.factors.map(indicesOf).find((sub) => sub !== '') ?? '';
  return '';
}

const keptAxis = (x: Expr): Expr => view(x, [...x.shape, 1], (index) => index.slice(0, -1));
