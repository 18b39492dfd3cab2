/** The builders by name: what `pattern` has as functions, and what JSON names. */
import { describe, fail } from '../errors/errors.ts';
import { isList, readOptions, unknownName } from '../errors/options.ts';
import { bits, fromFunction, fromMask, type BitsOptions } from './bits.ts';
import { graph } from './graph.ts';
import { axial, neighbors2d } from './grids.ts';
import { lsh, meeting, type MeetingOptions } from './lsh.ts';
import { bigBird, fixed, longformer, strided } from './named.ts';
import { byHead, checkDepth, join, negate, type Node } from './nodes.ts';
import { all, atrous, blockDiagonal, blocks, causal, columns, globalTokens, window } from './places.ts';
import { random } from './random.ts';
import type {
  AxialOptions,
  BigBirdOptions,
  EdgesOptions,
  ListsOptions,
  LongformerOptions,
  LshOptions,
  NeighborsOptions,
  PatternJSON,
  RandomOptions,
} from './types.ts';

/** Takes the name for messages, then its arguments, not yet checked. */
type Builder = (fn: string, ...args: never[]) => Node;

const withOptions =
  <T extends object>(names: readonly (keyof T & string)[], build: (fn: string, options: T) => Node): Builder =>
  (fn: string, options: T) =>
    build(fn, readOptions(fn, options, names));

const LEAVES = {
  all,
  causal,
  window,
  truncated: window,
  local: (fn: string, k: number) => window(fn, k, k, 'k'),
  atrous,
  block: (fn: string, size: number) => blocks(fn, size, 0, 0),
  blockDiagonal,
  globalTokens,
  random: withOptions<RandomOptions>(['perQuery', 'block', 'seed'], random),
  axial: withOptions<AxialOptions>(['shape', 'axis'], axial),
  neighbors2d: withOptions<NeighborsOptions>(['shape', 'radius', 'prefixTokens'], neighbors2d),
  fixed,
  strided,
  longformer: withOptions<LongformerOptions>(['window', 'dilation', 'globalTokens'], longformer),
  bigBird: withOptions<BigBirdOptions>(['block', 'window', 'global', 'random', 'seed'], bigBird),
  graph: withOptions<EdgesOptions & ListsOptions>(['edges', 'indptr', 'indices', 'bias'], graph),
  lsh: withOptions<LshOptions>(['buckets', 'rounds', 'seed'], lsh),
  fromMask,
  fromFunction,
} satisfies Readonly<Record<string, Builder>>;

/** Builders that only JSON names: parts of the patterns above, and what they hold once their arguments are read. */
const PARTS: Readonly<Record<string, Builder>> = {
  blocks,
  columns,
  bits: withOptions<BitsOptions>(['batch', 'heads', 'rows', 'columns', 'words'], bits),
  buckets: withOptions<MeetingOptions>(['batch', 'heads', 'buckets', 'queries', 'keys'], meeting),
};

const BRANCHES: Readonly<Record<string, (nodes: readonly Node[]) => Node>> = {
  or: (nodes) => join('or', nodes),
  and: (nodes) => join('and', nodes),
  not: (nodes) => negate(nodes[0]!),
  perHead: byHead,
};

/** The most arguments that a leaf takes; further ones are ignored, as JavaScript's functions do. */
const MOST_ARGUMENTS = 8;

type LeafName = keyof typeof LEAVES;

export function build(name: LeafName, args: readonly unknown[]): Node {
  return (LEAVES[name] as Builder)(`pattern.${name}`, ...(args as never[]));
}

/** Each builder as a function of its own arguments, which hands its node to `wrap`. */
export function leaves<P>(wrap: (node: Node) => P): Record<LeafName, (...args: unknown[]) => P> {
  const entries = Object.keys(LEAVES).map((name) => [name, (...args: unknown[]) => wrap(build(name as LeafName, args))]);
  return Object.fromEntries(entries) as Record<LeafName, (...args: unknown[]) => P>;
}

/** The tree that `toJSON` has told, at `depth` levels below the first. */
export function parse(json: unknown, depth = 1): Node {
  const fn = 'pattern.from';
  checkDepth(depth);
  if (!isList(json) || typeof json[0] !== 'string')
    fail('value', fn, `the argument must be what toJSON of a Pattern gave, [name, ...arguments], got ${describe(json)}`);
  const [name, ...args] = json as unknown as PatternJSON;
  const branch = own(BRANCHES, name);
  if (branch !== undefined) {
    if (args.length === 0 || (name === 'not' && args.length !== 1))
      fail('value', fn, `'${name}' must have ${name === 'not' ? 'one pattern' : 'patterns'}, got ${args.length}`);
    return branch(args.map((arg) => parse(arg, depth + 1)));
  }
  const leaf = own<Builder>(LEAVES, name) ?? own(PARTS, name);
  if (leaf !== undefined) return leaf(`${fn}: ${name}`, ...(args.slice(0, MOST_ARGUMENTS) as never[]));
  return unknownName(fn, 'pattern', name, [LEAVES, PARTS, BRANCHES].flatMap(Object.keys));
}

/** Not what every object inherits: JSON may hold any name. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
