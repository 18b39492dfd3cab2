/** Random patterns beside what their definitions say of a pair, each leaf written a second time as a rule. */
import fc from 'fast-check';
import { Pattern, pattern as P } from 'fovea/pattern';
import { drawnBlocks } from './philox.ts';
import { TestRandom } from './truth_random.ts';

/** p is the position of the query, j the key, h the query head, b the batch entry. */
export type Rule = (p: number, j: number, h: number, b: number) => boolean;

export interface Ruled {
  readonly pattern: Pattern;
  readonly allows: Rule;
}

const KINDS = [
  'all',
  'causal',
  'window',
  'atrous',
  'block',
  'globalTokens',
  'random',
  'strided',
  'fixed',
  'longformer',
  'bigBird',
  'graph',
  'fromFunction',
  'perHead',
  'axial',
  'neighbors2d',
  'blockDiagonal',
  'fromMask',
  'lists',
] as const;

/** Where it is used. */
export interface Place {
  readonly B: number;
  readonly H: number;
  readonly Tq: number;
  readonly Tk: number;
  readonly offsets: readonly number[];
}

export interface Leaf {
  readonly kind: (typeof KINDS)[number];
  /** All that it depends on besides. */
  readonly seed: number;
}

export type Tree =
  { readonly leaf: Leaf } | { readonly or: readonly Tree[] } | { readonly and: readonly Tree[] } | { readonly not: Tree };

export const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ leaf: fc.record({ kind: fc.constantFrom(...KINDS), seed: fc.nat(1e6) }) }),
    fc.record({ or: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ and: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree;

export function plant(tree: Tree, place: Place): Ruled {
  if ('leaf' in tree) return leafOf(tree.leaf, place);
  if ('not' in tree) {
    const { pattern, allows } = plant(tree.not, place);
    return { pattern: pattern.not(), allows: (...pair) => !allows(...pair) };
  }
  const isOr = 'or' in tree;
  const parts = (isOr ? tree.or : tree.and).map((part) => plant(part, place));
  const [first, ...others] = parts.map(({ pattern }) => pattern) as [Pattern, ...Pattern[]];
  return isOr
    ? { pattern: first.or(...others), allows: (...pair) => parts.some(({ allows }) => allows(...pair)) }
    : { pattern: first.and(...others), allows: (...pair) => parts.every(({ allows }) => allows(...pair)) };
}

const within = (p: number, j: number, left: number, right: number): boolean =>
  (left < 0 || j >= p - left) && (right < 0 || j <= p + right);
const block = (x: number, size: number): number => Math.floor(x / size);
const divides = (k: number, x: number): boolean => ((x % k) + k) % k === 0;

function leafOf({ kind, seed }: Leaf, place: Place): Ruled {
  const { B, H, Tq, Tk, offsets } = place;
  const random = new TestRandom(seed);
  const any = (from: number, to: number): number => random.integer(from, to);
  const [first, last] = [Math.min(...offsets), Math.max(...offsets) + Tq - 1];
  const isSized = first >= 0 && last < Tk;
  switch (kind) {
    case 'all':
      return { pattern: P.all(), allows: () => true };
    case 'causal':
      return { pattern: P.causal(), allows: (p, j) => j <= p };
    case 'window': {
      const [left, right] = [any(-1, 70), any(-1, 5)];
      return { pattern: P.window(left, right), allows: (p, j) => within(p, j, left, right) };
    }
    case 'atrous': {
      const k = any(1, 9);
      return { pattern: P.atrous(k), allows: (p, j) => divides(k, p - j) };
    }
    case 'block': {
      const size = any(1, 40);
      return { pattern: P.block(size), allows: (p, j) => block(p, size) === block(j, size) };
    }
    case 'globalTokens': {
      const indices = Array.from({ length: any(0, 5) }, () => any(0, 140));
      return { pattern: P.globalTokens(indices), allows: (p, j) => indices.includes(p) || indices.includes(j) };
    }
    case 'random': {
      const options = { perQuery: any(1, 6), block: any(1, 10), seed: any(0, 1e9) * 4096 };
      const allows: Rule = (p, j, h) => drawnBlocks(options, block(p, options.block), h, Tk).has(block(j, options.block));
      return { pattern: P.random(options), allows };
    }
    case 'strided': {
      const l = any(1, 12);
      return { pattern: P.strided(l), allows: (p, j) => j <= p && (p - j <= l || divides(l, p - j)) };
    }
    case 'fixed': {
      const l = any(1, 12);
      const c = any(1, l);
      return { pattern: P.fixed(l, c), allows: (p, j) => j <= p && (block(j, l) === block(p, l) || j % l >= l - c) };
    }
    case 'longformer': {
      const [side, dilation, tokens] = [any(0, 8), any(1, 3), Array.from({ length: any(0, 2) }, () => any(0, 20))];
      const allows: Rule = (p, j) =>
        (Math.abs(p - j) <= side * dilation && divides(dilation, p - j)) || tokens.includes(p) || tokens.includes(j);
      return { pattern: P.longformer({ window: 2 * side, dilation, globalTokens: tokens }), allows };
    }
    case 'bigBird': {
      const options = { block: any(1, 9), window: 2 * any(0, 2) + 1, global: any(0, 2), random: any(0, 3), seed: any(0, 99) };
      const isGlobal = (x: number): boolean => x >= 0 && x < options.global * options.block;
      const drawn = { ...options, perQuery: options.random };
      const allows: Rule = (p, j, h) => {
        const [from, to] = [block(p, options.block), block(j, options.block)];
        if (Math.abs(from - to) <= (options.window - 1) / 2 || isGlobal(p) || isGlobal(j)) return true;
        return options.random > 0 && drawnBlocks(drawn, from, h, Tk).has(to);
      };
      return { pattern: P.bigBird(options), allows };
    }
    case 'graph': {
      const edges = Array.from({ length: any(0, 30) }, () => [any(0, Math.max(0, last)), any(0, Tk - 1)] as const);
      return { pattern: P.graph({ edges }), allows: (p, j) => edges.some(([query, key]) => query === p && key === j) };
    }
    case 'fromFunction': {
      if (first < 0) return leafOf({ kind: 'window', seed }, place);
      const allows: Rule[] = [
        (p, j) => (p * 7 + j * 3) % 5 < 2,
        (p, j, h) => (p * 7 + j * 3 + h) % 5 < 2,
        (p, j, h, b) => (p * 7 + j * 3 + h + 2 * b) % 5 < 2,
      ];
      const rule = allows[seed % 3]!;
      return { pattern: P.fromFunction(rule), allows: rule };
    }
    case 'perHead': {
      const heads = Array.from({ length: H }, (_, h) => leafOf({ kind: 'window', seed: seed + h }, place));
      return { pattern: P.perHead(heads.map(({ pattern }) => pattern)), allows: (p, j, h, b) => heads[h]!.allows(p, j, h, b) };
    }
    case 'fromMask': {
      if (first < 0) return leafOf({ kind: 'atrous', seed }, place);
      const shape = [[], [H], [B, H]][seed % 3]!;
      const mask = random.booleans([...shape, last + 1, Tk], 0.4);
      const [b1, h1] = [shape.length > 1 ? H : 0, shape.length > 0 ? 1 : 0];
      const allows: Rule = (p, j, h, b) => mask.data[((b * b1 + h * h1) * (last + 1) + p) * Tk + j] !== 0;
      return { pattern: P.fromMask(mask), allows };
    }
    case 'lists': {
      if (first < 0) return leafOf({ kind: 'graph', seed }, place);
      const lists = Array.from({ length: last + 1 }, () => Array.from({ length: any(0, 4) }, () => any(0, Tk - 1)));
      const indptr = lists.reduce<number[]>((starts, list) => [...starts, starts.at(-1)! + list.length], [0]);
      return { pattern: P.graph({ indptr, indices: lists.flat() }), allows: (p, j) => lists[p]!.includes(j) };
    }
    case 'axial': {
      if (!isSized) return leafOf({ kind: 'block', seed }, place);
      const columns = [1, 2, 3, 5, 7, 13, Tk].filter((n) => Tk % n === 0)[seed % 2]!;
      const [shape, axis] = [[Tk / columns, columns], (seed >> 1) % 2] as const;
      const along: Rule = (p, j) =>
        axis === 0 ? p % columns === j % columns : Math.floor(p / columns) === Math.floor(j / columns);
      return { pattern: P.axial({ shape: [...shape], axis }), allows: along };
    }
    case 'neighbors2d': {
      if (!isSized) return leafOf({ kind: 'globalTokens', seed }, place);
      const prefixTokens = Tk > 1 ? seed % 2 : 0;
      const places = Tk - prefixTokens;
      const columns = [1, 3, 5, 13, places].filter((n) => places % n === 0).at(seed % 4 < 2 ? -2 : -1) ?? places;
      const [down, across] = [any(0, 3), any(0, 3)];
      const [row, column] = [
        (token: number) => Math.floor((token - prefixTokens) / columns),
        (token: number) => (token - prefixTokens) % columns,
      ];
      const allows: Rule = (p, j) =>
        Math.min(p, j) < prefixTokens || (Math.abs(row(p) - row(j)) <= down && Math.abs(column(p) - column(j)) <= across);
      const shape = [places / columns, columns] as const;
      return { pattern: P.neighbors2d({ shape, radius: [down, across], prefixTokens }), allows };
    }
    case 'blockDiagonal': {
      if (!isSized) return leafOf({ kind: 'random', seed }, place);
      const cuts = [0, ...Array.from({ length: any(0, 4) }, () => any(0, Tk)), Tk].sort((x, y) => x - y);
      const lengths = cuts.slice(1).map((cut, n) => cut - cuts[n]!);
      const segment = (x: number): number => cuts.filter((cut) => cut <= x).length;
      return { pattern: P.blockDiagonal(lengths), allows: (p, j) => segment(p) === segment(j) };
    }
  }
}
