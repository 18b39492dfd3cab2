/** The tree behind a pattern: its nodes, as the program of the core has them, with what they ask of a call and how they read. */
import { ownProperties } from '../errors/options.ts';
import { PATTERN_OP, type PatternOp } from '../../../build/generated/enums/pattern_op.ts';
import { fail } from '../errors/errors.ts';
import type { GraphEdges, SizeConstraint, PairSizes } from '../attention/options/pattern_source.ts';
import type { PatternJSON } from './types.ts';

/** The first word of each kind of node. */
export const OP = Object.fromEntries(PATTERN_OP.map((name, number) => [name, number])) as Readonly<Record<PatternOp, number>>;

export interface Node {
  readonly op: number;
  /** The words before the nodes. */
  readonly operands: ArrayLike<number>;
  readonly nodes: readonly Node[];
  /** Levels of the tree. */
  readonly depth: number;
  /** One line of text. */
  readonly text: string;
  readonly json: PatternJSON;
  readonly perHead: boolean;
  readonly perBatch: boolean;
  readonly hasBias: boolean;
  /** The edges of a graph; a text says why they cannot be given values. */
  readonly edges: GraphEdges | string | null;
  readonly constraint: SizeConstraint | null;
  /** The node for the pairs of a call, where it is known only there. */
  readonly resolve: ((fn: string, sizes: PairSizes) => Node) | null;
}

/** The core's evaluation of a tree recurs. */
const MAX_DEPTH = 64;

export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) fail('value', 'pattern', `patterns are at most ${MAX_DEPTH} levels deep, got ${depth}`);
}

type LeafTraits = Partial<Pick<Node, 'perHead' | 'perBatch' | 'hasBias' | 'edges' | 'constraint' | 'resolve'>>;

export function leaf(op: number, operands: ArrayLike<number>, text: string, json: PatternJSON, traits: LeafTraits = {}): Node {
  const own = ownProperties(traits);
  const { perHead = false, perBatch = false, hasBias = false, edges = null, constraint = null, resolve = null } = own;
  return { op, operands, nodes: [], depth: 1, text, json, perHead, perBatch, hasBias, edges, constraint, resolve };
}

/** A node of nodes; of those that are themselves `name`, their nodes: an or of ors is one or. */
export function join(name: 'or' | 'and', parts: readonly Node[]): Node {
  const op = OP[name];
  const nodes = parts.flatMap((node) => (node.op === op ? node.nodes : [node]));
  if (nodes.length === 1) return nodes[0]!;
  // A part that binds less tightly than its whole stands in brackets.
  const texts = nodes.map(({ op: inner, text }) => (name === 'and' && inner === OP.or ? `(${text})` : text));
  return branch(op, [nodes.length], nodes, texts.join(` ${name} `), name, (resolved) => join(name, resolved));
}

export function negate(node: Node): Node {
  const text = node.op === OP.or || node.op === OP.and ? `not (${node.text})` : `not ${node.text}`;
  return branch(OP.not, [], [node], text, 'not', (resolved) => negate(resolved[0]!));
}

export function byHead(nodes: readonly Node[]): Node {
  const text = `perHead([${nodes.map((node) => node.text).join(', ')}])`;
  const constraint = { part: 'pattern.perHead', heads: nodes.length };
  return { ...branch(OP.perHead, [nodes.length], nodes, text, 'perHead', byHead), perHead: true, constraint };
}

function branch(
  op: number,
  operands: readonly number[],
  nodes: readonly Node[],
  text: string,
  name: string,
  remake: (nodes: readonly Node[]) => Node,
): Node {
  const depth = 1 + nodes.reduce((most, node) => Math.max(most, node.depth), 0);
  checkDepth(depth);
  const some = (trait: 'perHead' | 'perBatch' | 'hasBias'): boolean => nodes.some((node) => node[trait]);
  return {
    op,
    operands,
    nodes,
    depth,
    text,
    json: [name, ...nodes.map(({ json }) => json)],
    perHead: some('perHead'),
    perBatch: some('perBatch'),
    hasBias: some('hasBias'),
    edges: null,
    constraint: null,
    resolve: nodes.every(({ resolve }) => resolve === null)
      ? null
      : (fn, sizes) => remake(nodes.map((node) => node.resolve?.(fn, sizes) ?? node)),
  };
}

/** The words of a node and of those below it. */
export function encode(root: Node): Int32Array {
  const words = new Int32Array(countWords(root));
  let at = 0;
  const write = (node: Node): void => {
    const start = at;
    words[start] = node.op;
    words.set(node.operands, start + 2);
    at += 2 + node.operands.length;
    node.nodes.forEach(write);
    words[start + 1] = at - start;
  };
  write(root);
  return words;
}

function countWords({ operands, nodes }: Node): number {
  return nodes.reduce((sum, node) => sum + countWords(node), 2 + operands.length);
}

/** The sizes that the node and those below it require of a call. */
export function constraintsOf({ constraint, nodes }: Node): SizeConstraint[] {
  return [...(constraint === null ? [] : [constraint]), ...nodes.flatMap(constraintsOf)];
}

/** The edges of the one graph of a tree; a text that says why there are none, or not of one. */
export function edgesOf(root: Node): GraphEdges | string {
  const found = graphsOf(root);
  if (found.length !== 1) return `the pattern must have exactly one pattern.graph, got ${found.length}`;
  return found[0]!;
}

function graphsOf({ op, nodes, edges }: Node): (GraphEdges | string)[] {
  if (edges !== null) return [edges];
  const found = nodes.flatMap(graphsOf);
  return op === OP.not ? found.map(() => 'the graph must not be in a complement, whose pairs are no edges') : found;
}

/** A list in a line of text: all of it where it is short. */
export function listText(list: ArrayLike<number>): string {
  const entries = Array.from({ length: Math.min(list.length, 8) }, (_, n) => list[n]);
  return list.length <= 8 ? `[${entries.join(', ')}]` : `[${entries.slice(0, 3).join(', ')}, … ${list.length} in all]`;
}

/** Lists one after another; they may be longer than an engine takes arguments. */
export function concat(...lists: readonly ArrayLike<number>[]): Int32Array {
  const whole = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    whole.set(list, at);
    at += list.length;
  }
  return whole;
}
