/** The kinds of the option `bias` that have a number for each pair: those of a graph's edges, and those that a function gives. */
import { fail } from '../../errors/errors.ts';
import { plainOperand } from '../../tensor/operands.ts';
import { broadcastStrides, formatShape } from '../../tensor/shapes.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import type { BiasFunction } from '../types/bias.ts';
import { askPairs } from './ask_pairs.ts';
import type { Sizes } from './layout.ts';
import type { GraphEdges, Program } from './pattern_source.ts';
import { addBroadcast, addTable, readTable, type Tables } from './tables.ts';

export interface PairBiases extends Tables {
  /** Whether the edges of the pattern's graph have values. */
  hasEdges: boolean;
  /** LaTeX of what is added. */
  terms: string;
}

/** The call that these kinds are read for. */
export interface PairReading extends PairBiases {
  readonly sizes: Sizes;
  readonly offsets: Int32Array | null;
  readonly pattern: Program | null;
}

export function readEdges(reading: PairReading, given: unknown): void {
  const { fn, sizes } = reading;
  const { count, order } = edgesOf(fn, reading.pattern);
  const name = 'bias.edges';
  const table = readTable(reading, name, given);
  const wanted = [sizes.batch, sizes.heads, count];
  const strides = broadcastStrides(table.shape, table.strides, wanted);
  if (strides === null || table.shape.at(-1) !== count) {
    const rule = `must be [E] = [${count}], one number for each edge, or broadcast to [B, H, E] = ${formatShape(wanted)}`;
    return fail('shape', fn, `${name} ${rule}, got ${formatShape(table.shape)}`);
  }
  const ordered = order === null ? table.data : permuted(fn, table.data, order);
  addTable(reading, 'edgeBiases', plainOperand(name, table.shape, ordered, table.kind), {
    Batch: strides[0]!,
    Head: strides[1]!,
  });
  reading.hasEdges = true;
  reading.terms += ' + e_{ij}';
}

function edgesOf(fn: string, pattern: Program | null): GraphEdges {
  if (pattern === null) return fail('option', fn, 'bias.edges must go with a pattern that has a pattern.graph, got no pattern');
  if (typeof pattern.edges !== 'string') return pattern.edges;
  return fail('option', fn, `bias.edges cannot be combined with this pattern: ${pattern.edges}`);
}

/** Rows of numbers, each in this order. */
function permuted(fn: string, rows: ArrayLike<number>, order: Int32Array): Float32Array {
  const own = zeros(fn, 'Float32Array', rows.length);
  for (let n = 0; n < own.length; n++) {
    const at = n % order.length;
    own[n] = rows[n - at + order[at]!]!;
  }
  return own;
}

/** A function; or what a worker is sent in its place, an array that broadcasts to all pairs. */
export function readFunction(reading: PairReading, given: unknown): void {
  const { fn, sizes, offsets } = reading;
  const isFunction = typeof given === 'function';
  const array = isFunction ? askPairs(fn, given as BiasFunction, { ...sizes, offsets }) : given;
  const lengths = { Batch: sizes.batch, Head: sizes.heads, Query: sizes.queries, Key: sizes.keys };
  addBroadcast(reading, 'pairBias', readTable(reading, 'bias.fromFunction', array), lengths, 'broadcast to [B, H, Tq, Tk]');
  reading.terms += ' + f(p_i, j, h, b)';
}
