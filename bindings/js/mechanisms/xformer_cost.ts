/** The cost of sparse and linear attention: query-key pairs and multiply-adds, counted exactly. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties, readNames } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { readCount, readerOf, type Read } from './system/cost_options.ts';
import { atrous, axial, bigBird, local, longformer, lshChunks, sparse } from './system/pair_counts.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'xformerCost',
  inputs: {},
  options: ['n', 'd', 'dv', 'heads', 'kinds'],
} as const satisfies Declaration;

interface Causal {
  /** Keys up to the query alone; default false. */
  readonly causal?: boolean | undefined;
}

/** Kinds of attention, each with its parameters. */
export interface XformerKinds {
  readonly full?: Causal | undefined;
  /** k keys on each side. */
  readonly local?: ({ readonly k: number } & Causal) | undefined;
  /** Every k-th key. */
  readonly atrous?: ({ readonly k: number } & Causal) | undefined;
  /** Sparse Transformer: local and atrous. */
  readonly sparse?: ({ readonly k: number } & Causal) | undefined;
  readonly longformer?:
    | ({ readonly window: number; readonly dilation?: number | undefined; readonly global?: number | undefined } & Causal)
    | undefined;
  readonly bigBird?:
    { readonly block: number; readonly window: number; readonly global: number; readonly random: number } | undefined;
  /** 'passes' (default): along rows, then along columns; 'union': one softmax over both. */
  readonly axial?:
    ({ readonly shape: readonly [number, number]; readonly form?: 'passes' | 'union' | undefined } & Causal) | undefined;
  readonly reformer?: { readonly rounds: number; readonly chunk: number; readonly buckets: number } | undefined;
  /** φ(x) = elu(x) + 1. */
  readonly linear?: object | undefined;
  readonly efficient?: object | undefined;
  readonly performer?: { readonly features: number } | undefined;
  readonly linformer?: { readonly rank: number } | undefined;
}

export interface XformerCostOptions<Kinds extends XformerKinds = XformerKinds> {
  /** Tokens. */
  readonly n: number;
  /** The width of queries and keys of a head. */
  readonly d: number;
  /** The width of values; default d. */
  readonly dv?: number | undefined;
  /** Default 1. */
  readonly heads?: number | undefined;
  readonly kinds: Kinds;
}

export interface XformerCost {
  /** Pairs of a query and a key of one head; 0 where none are formed. */
  pairs: number;
  /** Multiply-adds of all heads: scores and weighted sums, without projections, softmax and scaling. */
  multiplyAdds: number;
}

/** Which parameters a kind has; whether it may be causal; what it costs. */
interface Kind {
  readonly names: readonly string[];
  readonly isSquare?: true;
  readonly cost: (size: Sizes, read: Read) => { pairs: bigint; multiplyAdds?: bigint; extra?: bigint; diagonals?: bigint };
}

interface Sizes {
  readonly n: bigint;
  readonly d: bigint;
  readonly dv: bigint;
}

const KINDS: Readonly<Record<string, Kind>> = {
  full: { names: [], isSquare: true, cost: ({ n }) => ({ pairs: n * n }) },
  local: { names: ['k'], isSquare: true, cost: ({ n }, read) => ({ pairs: local(n, read('k', 0)) }) },
  atrous: { names: ['k'], isSquare: true, cost: ({ n }, read) => ({ pairs: atrous(n, read('k', 1)) }) },
  sparse: { names: ['k'], isSquare: true, cost: ({ n }, read) => ({ pairs: sparse(n, read('k', 1)) }) },
  longformer: {
    names: ['window', 'dilation', 'global'],
    isSquare: true,
    cost: ({ n }, read) => ({
      pairs: longformer(
        n,
        read('window', 0, { multipleOf: 2 }) / 2n,
        read('dilation', 1, { byDefault: 1 }),
        read('global', 0, { byDefault: 0 }),
      ),
    }),
  },
  bigBird: {
    names: ['block', 'window', 'global', 'random'],
    cost: ({ n }, read) => {
      const block = read('block', 1, { divides: n });
      return {
        pairs: block * block * bigBird(n / block, read('window', 1, { isOdd: true }), read('global', 0), read('random', 0)),
      };
    },
  },
  axial: { names: ['shape', 'form'], isSquare: true, cost: ({ n }, read) => axial(n, ...read.shape(n), read.form()) },
  reformer: {
    names: ['rounds', 'chunk', 'buckets'],
    cost: ({ n, d }, read) => {
      const rounds = read('rounds', 1);
      const hashing = (rounds * n * d * read('buckets', 2, { multipleOf: 2 })) / 2n;
      return { pairs: rounds * lshChunks(n, read('chunk', 1)), extra: hashing };
    },
  },
  linear: { names: [], cost: ({ n, d, dv }) => ({ pairs: 0n, multiplyAdds: 2n * n * d * dv + n * d }) },
  efficient: { names: [], cost: ({ n, d, dv }) => ({ pairs: 0n, multiplyAdds: 2n * n * d * dv }) },
  performer: {
    names: ['features'],
    cost: ({ n, d, dv }, read) => {
      const m = read('features', 1);
      return { pairs: 0n, multiplyAdds: 2n * n * m * d + 2n * n * m * dv + n * m };
    },
  },
  linformer: {
    names: ['rank'],
    cost: ({ n, d, dv }, read) => ({ pairs: n * read('rank', 1), multiplyAdds: 2n * n * read('rank', 1) * (d + dv) }),
  },
};

/**
 * The cost of kinds of attention over n tokens, as integers: multiplyAdds = heads·pairs·(d + dv) where there is a softmax over pairs.
 *
 *     local k: n(2k + 1) - k(k + 1);   atrous k, n = qk + r: r(q + 1)² + (k - r)q²;   causal: (pairs + n) / 2
 *     linear: 2n·d·dv + n·d;   performer m: 2n·m·d + 2n·m·dv + n·m;   linformer r: 2n·r·(d + dv)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs none: {}.
 * @param params none: {}.
 * @param options `n`, `d`, `dv`, `heads`; `kinds` by name, with their parameters.
 * @returns `pairs` and `multiplyAdds` of each kind, numbers.
 * @throws AttentionError `value` (also for a count beyond 2^53) | `option`.
 *
 * Source: Child et al. 2019, arXiv:1904.10509; Beltagy et al. 2020, arXiv:2004.05150; Zaheer et al. 2020, arXiv:2007.14062 (random
 * blocks are drawn among those not yet seen); Ho et al. 2019, arXiv:1912.12180; Katharopoulos et al. 2020, arXiv:2006.16236;
 * Shen et al. 2018, arXiv:1812.01243; Choromanski et al. 2020, arXiv:2009.14794; Wang et al. 2020, arXiv:2006.04768; Kitaev et al.
 * 2020, arXiv:2001.04451.
 */
export function xformerCost<Kinds extends XformerKinds>(
  fovea: Fovea,
  inputs: Readonly<Record<string, never>>,
  params: Readonly<Record<string, never>> | undefined,
  options: XformerCostOptions<Kinds>,
): { [Kind in keyof Kinds]: XformerCost } {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { fn } = system;
    const given = system.options;
    const [n, d] = [readCount(fn, 'n', given['n'], 0), readCount(fn, 'd', given['d'], 1)];
    const dv = given['dv'] === undefined ? d : readCount(fn, 'dv', given['dv'], 1);
    const heads = given['heads'] === undefined ? 1n : readCount(fn, 'heads', given['heads'], 1);
    const { kinds } = given;
    if (!isPlainObject(kinds)) return fail('value', fn, `kinds must be an object of kinds by name, got ${describe(kinds)}`);
    const known = readNames<Record<string, unknown>>(fn, 'kind', kinds, Object.keys(KINDS));
    const costs = Object.entries(known).map(([name, own]) => {
      const { names, isSquare = false, cost } = ownProperties(KINDS[name]!);
      if (!isPlainObject(own)) return fail('value', fn, `kinds.${name} must be an object of parameters, got ${describe(own)}`);
      const parameters = readNames<Record<string, unknown>>(fn, `parameter of ${name}`, own, [
        ...names,
        ...(isSquare ? ['causal'] : []),
      ]);
      const found = ownProperties(cost({ n, d, dv }, readerOf(fn, name, parameters)));
      const { causal = false } = parameters;
      if (typeof causal !== 'boolean') fail('value', fn, `kinds.${name}.causal must be true or false, got ${describe(causal)}`);
      const pairs = causal ? (found.pairs + (found.diagonals ?? 1n) * n) / 2n : found.pairs;
      const each = found.multiplyAdds ?? pairs * (d + dv) + (found.extra ?? 0n);
      return [name, { pairs: toNumber(fn, name, pairs), multiplyAdds: toNumber(fn, name, heads * each) }];
    });
    return Object.fromEntries(costs) as Record<string, unknown>;
  }) as { [Kind in keyof Kinds]: XformerCost };
}

function toNumber(fn: string, kind: string, count: bigint): number {
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) fail('value', fn, `the counts of ${kind} must be below 2^53, got ${count}`);
  return Number(count);
}
