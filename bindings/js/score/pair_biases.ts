/** The biases that have a number for each pair: those of a graph's edges, and those that a function gives. */
import { fail } from '../errors/errors.ts';
import { LISTED_ROWS_BLOCK } from '../../../build/generated/blocks/listed_rows.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { plainOperand, type Operand } from '../tensor/operands.ts';
import { broadcastStrides, formatShape, sizeOf } from '../tensor/shapes.ts';
import { zeros } from '../tensor/typed_arrays.ts';
import type { Biases } from '../attention/options/biases.ts';
import type { GraphEdges, Program } from '../attention/options/pattern_source.ts';
import { addBroadcast, readTable } from '../attention/options/tables.ts';
import { askPairs } from './ask_pairs.ts';
import type { BiasFunction } from './types.ts';

/** Adds values [E], or an array that broadcasts to [B, H, E], to the edges of the call's pattern. */
export function addEdges(to: Biases, values: unknown): void {
  const { fn, sizes } = to;
  const { count, order } = edgesOf(fn, to.pattern);
  const name = 'bias.edges';
  const table = readTable(to, name, values);
  const wanted = [sizes.batch, sizes.heads, count];
  const strides = broadcastStrides(table.shape, table.strides, wanted);
  if (strides === null || table.shape.at(-1) !== count) {
    const rule = `must be [E] = [${count}], one number for each edge, or broadcast to [B, H, E] = ${formatShape(wanted)}`;
    return fail('shape', fn, `${name} ${rule}, got ${formatShape(table.shape)}`);
  }
  const [edgeBiasesBatch, edgeBiasesHead] = strides as [number, number];
  to.parts.push((arena) => {
    const ptr = order === null ? arena.place(table) : placeOrdered(arena, table, order);
    return () => ({ edgeBiases: ptr.address, edgeBiasesBatch, edgeBiasesHead });
  });
  to.hasEdges = true;
  to.terms += ' + e_{ij}';
}

function edgesOf(fn: string, pattern: Program | null): GraphEdges {
  if (pattern === null) return fail('option', fn, 'bias.edges must go with a pattern that has a pattern.graph, got no pattern');
  if (typeof pattern.edges !== 'string') return pattern.edges;
  return fail('option', fn, `bias.edges cannot be combined with this pattern: ${pattern.edges}`);
}

/** Rows of numbers, each in this order; where a gradient is recorded, by the core. */
function placeOrdered(arena: CallArena, table: Operand, order: Int32Array): Ptr {
  const { name, shape, data, kind, address } = table;
  if (address === null) return arena.place(plainOperand(name, shape, permuted(arena.fn, data, order), kind));
  const [x, y, indices] = [arena.place(table), arena.reserveFloats(sizeOf(shape)), arena.placeIntegers(order)];
  const sizes = { outer: sizeOf(shape) / order.length, length: order.length, inner: 1, count: order.length };
  arena.steps.push({
    operation: null,
    run: () => arena.run('takeRows', LISTED_ROWS_BLOCK, { ...sizes, x: x.address, y: y.address, indices: indices.address }),
  });
  return y;
}

function permuted(fn: string, rows: ArrayLike<number>, order: Int32Array): Float32Array {
  const own = zeros(fn, 'Float32Array', rows.length);
  for (let n = 0; n < own.length; n++) {
    const at = n % order.length;
    own[n] = rows[n - at + order[at]!]!;
  }
  return own;
}

/** Adds the numbers of a function; or an array that broadcasts to all pairs, which a worker is sent in its place. */
export function addFunction(to: Biases, given: unknown): void {
  const { fn, sizes, offsets } = to;
  const array = typeof given === 'function' ? askPairs(fn, given as BiasFunction, { ...sizes, offsets }) : given;
  const lengths = { Batch: sizes.batch, Head: sizes.heads, Query: sizes.queries, Key: sizes.keys };
  addBroadcast(to, 'pairBias', readTable(to, 'bias.fromFunction', array), lengths, 'broadcast to [B, H, Tq, Tk]');
  to.terms += ' + f(p_i, j, h, b)';
}
