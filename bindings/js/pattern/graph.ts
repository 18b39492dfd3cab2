/** Patterns of edges. Documented in builders.ts. */
import { describe, fail } from '../errors/errors.ts';
import { checkFinite, isList, readEntries } from '../errors/options.ts';
import type { GraphEdges, SizeConstraint } from '../attention/options/pattern_source.ts';
import { readIntegers } from '../tensor/number_lists.ts';
import { MAX_DIM } from './limits.ts';
import { concat, leaf, OP, type Node } from './nodes.ts';
import type { EdgesOptions, ListsOptions } from './types.ts';

/** Edge n goes from queries[n] to keys[n]. */
interface Edges {
  readonly rows: number;
  readonly queries: Int32Array;
  readonly keys: Int32Array;
}

export function graph(fn: string, options: Partial<EdgesOptions & ListsOptions>): Node {
  const { edges, indptr, indices, bias } = options;
  const isList = edges === undefined;
  if (isList ? indptr === undefined || indices === undefined : indptr !== undefined || indices !== undefined)
    fail('option', fn, 'either edges must be given, or indptr and indices');
  const given = isList ? readLists(fn, indptr, indices) : readEdges(fn, edges);
  const added = bias === undefined ? null : readBias(fn, bias, given.keys.length);
  const { starts, order } = sortEdges(fn, given, added !== null);
  const keys = order.map((n) => given.keys[n]!);
  const biases = added === null ? null : Float32Array.from(order, (n) => added[n]!);
  const lastKey = keys.reduce((last, key) => Math.max(last, key), -1);

  const sizes = [1, 1, given.rows, lastKey + 1, keys.length, biases === null ? GRAPH : BIASED];
  const operands = concat(sizes, starts, keys, biases === null ? [] : new Int32Array(biases.buffer));
  const json = {
    ...(isList ? { indptr: starts, indices: keys } : { edges: flat(given, order) }),
    ...(biases === null ? {} : { bias: biases }),
  };
  const text = `graph(${keys.length} edges${biases === null ? '' : ' with bias'})`;
  const constraint: SizeConstraint = { part: 'pattern.graph', lastKey, ...(isList ? { rows: given.rows } : {}) };
  const own = biases === null ? edgesOf(given.keys.length, order) : 'the graph must not have biases of its own';
  return leaf(OP.csr, operands, text, ['graph', json], { constraint, hasBias: biases !== null, edges: own });
}

/** The core's kinds of lists (CsrKind). */
const [BIASED, GRAPH] = [1, 2];

function edgesOf(count: number, order: Int32Array): GraphEdges | string {
  if (order.length < count) return 'the edges of the graph must differ';
  return { count, order: order.every((n, at) => n === at) ? null : order };
}

function readEdges(fn: string, edges: unknown): Edges {
  const isNested = isList(edges) && typeof edges[0] === 'object';
  const ends = readIntegers(fn, 'edges', isNested ? flatten(fn, edges) : edges, 0, MAX_DIM);
  if (ends.length % 2 !== 0) fail('shape', fn, `edges must be pairs [query, key], got ${ends.length} numbers`);
  const queries = ends.filter((_, n) => n % 2 === 0);
  const keys = ends.filter((_, n) => n % 2 === 1);
  return { rows: queries.reduce((last, query) => Math.max(last, query), -1) + 1, queries, keys };
}

function flatten(fn: string, edges: readonly unknown[]): unknown[] {
  return readEntries(fn, 'edges', edges, (edge, n) => {
    if (isList(edge) && edge.length === 2) return [edge[0], edge[1]];
    return fail('shape', fn, `edges[${n}] must be [query, key], got ${describe(edge)}`);
  }).flat();
}

function readLists(fn: string, givenStarts: unknown, indices: unknown): Edges {
  const keys = readIntegers(fn, 'indices', indices, 0, MAX_DIM);
  const starts = readIntegers(fn, 'indptr', givenStarts, 0, keys.length);
  const rises = starts.every((start, row) => start >= (starts[row - 1] ?? 0));
  if (!rises || starts[0] !== 0 || starts.at(-1) !== keys.length)
    fail('value', fn, `indptr must rise from 0 to the number of indices, ${keys.length}, got ${describe([...starts])}`);
  const queries = new Int32Array(keys.length);
  for (let row = 0; row + 1 < starts.length; row++) queries.fill(row, starts[row], starts[row + 1]);
  return { rows: starts.length - 1, queries, keys };
}

function readBias(fn: string, given: unknown, edges: number): ArrayLike<number> {
  if (!isList(given) && !(ArrayBuffer.isView(given) && 'length' in given))
    fail('value', fn, `bias must be an array with one number per edge, got ${describe(given)}`);
  const bias = given as ArrayLike<number>;
  if (bias.length !== edges) fail('shape', fn, `bias must have one number per edge, ${edges}, got ${bias.length}`);
  for (let n = 0; n < edges; n++) checkFinite(fn, `bias[${n}]`, bias[n]);
  return bias;
}

/** The edges by query and then by key, each once: row i has those at order[starts[i]] up to order[starts[i + 1]]. */
function sortEdges(fn: string, { rows, queries, keys }: Edges, once: boolean): { starts: Int32Array; order: Int32Array } {
  const sorted = Int32Array.from(queries.keys()).sort((a, b) => queries[a]! - queries[b]! || keys[a]! - keys[b]!);
  const order = sorted.filter((n, at) => {
    const last = sorted[at - 1];
    const isNew = last === undefined || queries[n] !== queries[last] || keys[n] !== keys[last];
    if (!isNew && once) fail('value', fn, `edges with a bias must differ, got [${queries[n]}, ${keys[n]}] twice`);
    return isNew;
  });
  const starts = new Int32Array(rows + 1);
  for (const n of order) starts[queries[n]! + 1]!++;
  for (let row = 0; row < rows; row++) starts[row + 1]! += starts[row]!;
  return { starts, order };
}

function flat({ queries, keys }: Edges, order: Int32Array): Int32Array {
  const ends = new Int32Array(2 * order.length);
  order.forEach((n, at) => ends.set([queries[n]!, keys[n]!], 2 * at));
  return ends;
}
