/** Locality-sensitive hashing (Kitaev, Kaiser, Levskaya 2020, arXiv:2001.04451 §2): tokens of one bucket see each other. */
import { fail } from '../errors/errors.ts';
import { checkInteger } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import { formatShape } from '../tensor/shapes.ts';
import { hashTokens, type HashedTokens } from './evaluator.ts';
import { readIntegers } from '../tensor/number_lists.ts';
import { MAX_DIM } from './limits.ts';
import { concat, join, leaf, OP, type Node } from './nodes.ts';
import { makePattern, nodeOf, Pattern } from './pattern.ts';
import type { LshOptions } from './types.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput } from '../tensor/array_input.ts';

let make: (node: Node) => LshPattern;

/** The result of `pattern.lsh`: `bind` it to queries and keys, then use it. */
export class LshPattern extends Pattern {
  static {
    make = (node) => new LshPattern(node);
  }

  /**
   * The pattern of these queries and keys: a token's bucket is argmax [xR, -xR], R drawn from the seed. It has their sizes, holds
   * plain numbers, and needs neither the arrays nor the instance any more.
   *
   * @param fovea an instance of this thread.
   * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D].
   * @param k [..., Tk, D]: heads equal or divide those of q, batch sizes are equal or 1. The same array as q, or another.
   * @throws AttentionError `shape` | `value` | `disposed` | `memory`.
   */
  bind(fovea: Fovea, q: ArrayInput, k: ArrayInput): Pattern {
    const fn = 'pattern.lsh.bind';
    const { buckets, rounds = 1, seed = 0 } = nodeOf(fn, 'the pattern', this).json[1] as LshOptions;
    const hash = (name: string, x: ArrayInput): HashedTokens => hashTokens(fn, fovea, name, x, { buckets, rounds, seed });
    const ofQ = hash('q', q);
    const ofK = k === q ? ofQ : hash('k', k);
    checkTokens(fn, ofQ, ofK);
    const [batch, heads] = [Math.max(ofQ.batch, ofK.batch), ofQ.heads];
    const sizes = { batch, heads, buckets };
    const nodes = Array.from({ length: rounds }, (_, round) =>
      meeting(fn, { ...sizes, queries: spread(ofQ, round, batch, heads), keys: spread(ofK, round, batch, heads) }),
    );
    return makePattern(join('or', nodes));
  }
}

/** @internal */
export function makeLshPattern(node: Node): LshPattern {
  return make(node);
}

/** @internal */
export function lsh(fn: string, { buckets, rounds = 1, seed = 0 }: LshOptions): Node {
  checkInteger(fn, 'buckets', buckets, 2, 2 ** 20);
  if (buckets % 2 !== 0) fail('value', fn, `buckets must be even, got ${buckets}`);
  checkInteger(fn, 'rounds', rounds, 1, 2 ** 10);
  checkSeed(fn, seed);
  const resolve = (caller: string): never =>
    fail('value', caller, 'pattern.lsh must be bound to queries and keys first: pattern.lsh(options).bind(fovea, q, k)');
  const text = `lsh({ buckets: ${buckets}, rounds: ${rounds}, seed: ${seed} })`;
  return leaf(OP.all, [], text, ['lsh', { buckets, rounds, seed }], { resolve });
}

/**
 * Buckets of tokens, [batch, heads, tokens].
 * @internal
 */
export interface MeetingOptions {
  readonly batch: number;
  readonly heads: number;
  readonly buckets: number;
  readonly queries: ArrayLike<number>;
  readonly keys: ArrayLike<number>;
}

/**
 * The pairs whose tokens are in one bucket.
 * @internal
 */
export function meeting(fn: string, { batch, heads, buckets, queries, keys }: MeetingOptions): Node {
  Object.entries({ batch, heads, buckets }).forEach(([name, size]) => checkInteger(fn, name, size, 1, MAX_DIM));
  const groups = batch * heads;
  const ofQueries = readIntegers(fn, 'queries', queries, 0, buckets - 1);
  const ofKeys = readIntegers(fn, 'keys', keys, 0, buckets - 1);
  const [rows, columns] = [ofQueries.length / groups, ofKeys.length / groups];
  checkInteger(fn, 'queries by batch · heads', rows, 0, MAX_DIM);
  checkInteger(fn, 'keys by batch · heads', columns, 0, MAX_DIM);
  const starts = new Int32Array(groups * (buckets + 1));
  const members = new Int32Array(ofKeys.length);
  for (let group = 0; group < groups; group++) {
    const own = ofKeys.subarray(group * columns, (group + 1) * columns);
    sortInto(own, starts.subarray(group * (buckets + 1)), members.subarray(group * columns), buckets);
  }
  const operands = concat([batch, heads, rows, columns, buckets], ofQueries, starts, members);
  const text = `buckets(${buckets} of [${rows}, ${columns}])`;
  const json = { batch, heads, buckets, queries: ofQueries, keys: ofKeys };
  return leaf(OP.buckets, operands, text, ['buckets', json], {
    perBatch: batch !== 1,
    perHead: heads !== 1,
    constraint: {
      part: 'pattern.lsh',
      rows,
      keys: columns,
      ...(batch === 1 ? {} : { batch }),
      ...(heads === 1 ? {} : { heads }),
    },
  });
}

/** Tokens by their buckets: those of bucket t at members[starts[t]] up to members[starts[t + 1]], ascending. */
function sortInto(ids: Int32Array, starts: Int32Array, members: Int32Array, buckets: number): void {
  for (const id of ids) starts[id + 1]!++;
  for (let t = 0; t < buckets; t++) starts[t + 1]! += starts[t]!;
  const next = starts.slice(0, buckets);
  ids.forEach((id, token) => (members[next[id]!++] = token));
}

function checkTokens(fn: string, q: HashedTokens, k: HashedTokens): void {
  const got = `got q ${formatShape(q.shape)}, k ${formatShape(k.shape)}`;
  if (q.shape.at(-1) !== k.shape.at(-1)) fail('shape', fn, `q and k must share their width, ${got}`);
  if (k.heads === 0 || q.heads % k.heads !== 0) fail('shape', fn, `the heads of k must equal or divide those of q, ${got}`);
  if (q.batch !== k.batch && q.batch !== 1 && k.batch !== 1) fail('shape', fn, `batch sizes must be equal or 1, ${got}`);
}

/** The buckets of one round for all batch entries and query heads; fewer key heads are shared as attention shares them. */
function spread({ ids, tokens, ...of }: HashedTokens, round: number, batch: number, heads: number): Int32Array {
  const whole = new Int32Array(batch * heads * tokens);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const entry = of.batch === 1 ? 0 : b;
      const group = (round * of.batch + entry) * of.heads + Math.floor((h * of.heads) / heads);
      whole.set(ids.subarray(group * tokens, (group + 1) * tokens), (b * heads + h) * tokens);
    }
  }
  return whole;
}
