/** Reformer: attention within the buckets of a hash. */
import { fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { argmax, concat, divide, log, matmul, multiply, rmsNorm, softmax, sum, transpose } from '../ops/index.ts';
import type { IntegerArray, IntegerInput } from '../ops/index.ts';
import { pattern, type LshOptions } from '../pattern/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { bucketPairs } from './system/bucket_pairs.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { booleanOption, integerOption, numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { rankOf } from './system/ranks.ts';
import { Integers, runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'reformer',
  inputs: { x: 'T D' },
  params: { 'Wqk?': 'D heads·d', 'Wv?': 'D heads·dv', 'Wo?': "in D'", 'rotations?': 'R d b/2' },
  options: ['heads', 'causal', 'scale', 'combine', 'countDuplicates', 'chunkLength', 'lengths', 'lsh'],
} as const satisfies Declaration;

export interface ReformerInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]. */
  readonly x: A;
  /** [R, T], for all heads, or [heads, R, T]: integers from 0. */
  readonly buckets?: IntegerInput | undefined;
}

export interface ReformerOptions {
  /** Default 1. */
  readonly heads?: number | undefined;
  readonly causal?: boolean | undefined;
  /** Default 1, as keys have length 1. */
  readonly scale?: number | undefined;
  /** 'rounds' (default): a softmax in each round, joined by their sums; 'union': one softmax over the keys of all rounds. */
  readonly combine?: 'rounds' | 'union' | undefined;
  /** Whether a key of several rounds counts in each; default false: it counts once, and 'rounds' equals 'union'. */
  readonly countDuplicates?: boolean | undefined;
  /** Tokens sorted by buckets see their own chunk of so many and the one before; default 0, no chunks. */
  readonly chunkLength?: number | undefined;
  readonly lengths?: LengthsOption;
  /** Hashes the queries, where there are neither buckets nor rotations. */
  readonly lsh?: LshOptions | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where x has none. */
export interface ReformerResult<A> {
  /** [B, T, D']. */
  output: A;
  /** [B, heads, T, T]. */
  weights: A;
  /** [B, heads, T]. */
  lse: A;
  /** [B, heads, R, T]: -1 in padding. */
  buckets: IntegerArray;
  /** [B, heads, R, T, T]: of 'rounds'. */
  roundWeights?: A;
  /** [B, heads, R, T]: of 'rounds'; -Infinity where a round has no key. */
  roundLse?: A;
  trace?: TraceStage[];
}

/**
 * The Reformer's attention: a token sees the tokens that share a bucket with it, in several rounds of hashing.
 *
 *     q = x Wqk,   k_j = q_j / ‖q_j‖ (0 where q_j = 0),   v = x Wv,   bucket = argmax [q R_r; -q R_r]
 *     P_i^r = the tokens of i's bucket in round r; i itself only where no round has another
 *     z_i^r = ln Σ_{j in P_i^r} exp(scale·q_i·k_j - ln N_ij), N_ij the rounds that have j;   lse_i = ln Σ_r exp(z_i^r)
 *     weights = Σ_r exp(z_i^r - lse_i)·(the softmax of round r),   output = concat over heads of weights·v, times Wo
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`, `buckets`.
 * @param params optional Wqk [D, heads·d], Wv [D, heads·dv], Wo [heads·dv, D'] (absent: the identity), rotations [R, d, b/2].
 * @param options see their type; buckets come from the input, else from rotations, else from `lsh`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Every pair is computed: the weights are results. Vectors shorter than 1e-15 are not brought to length 1.
 * Source: Kitaev, Kaiser, Levskaya 2020, arXiv:2001.04451 §2 and appendix A; the attention, not the reversible layers.
 */
export function reformer<A extends ArrayInput>(
  fovea: Fovea,
  inputs: ReformerInputs<A>,
  params?: ParamInput,
  options?: ReformerOptions,
): ReformerResult<ResultArray<A>> {
  const given = (isPlainObject(inputs) ? ownProperties(inputs) : inputs) as Partial<ReformerInputs>;
  const hasHeads = rankOf(given?.buckets) === rankOf(given?.x) + 1;
  const declaration: Declaration = { ...DECLARATION, ids: { 'buckets?': hasHeads ? 'heads R T' : 'R T' } };
  return runSystem(declaration, fovea, given, params, options, (system) => {
    const { batch, params: p } = system;
    const [x, T] = [system.input('x'), system.size('T')];
    const heads = integerOption(system, 'heads', 1, 2 ** 20, 1);
    const scale = numberOption(system, 'scale', 1);
    const combine = system.choice('combine', ['rounds', 'union']);
    const lengths = system.lengths('lengths', T);
    const split = (array: Tensor, name: string): Tensor => {
      const width = array.shape[2]!;
      if (width % heads !== 0)
        fail('shape', system.fn, `the width of ${name} must be divisible by heads = ${heads}, got ${width}`);
      return transpose(fovea, array.reshape([batch, T, heads, width / heads]), [0, 2, 1, 3]);
    };
    const tokens = lengths.masked(x);
    const q = split(p['Wqk'] ? matmul(fovea, tokens, p['Wqk']) : tokens, p['Wqk'] ? 'Wqk' : 'x');
    const v = split(p['Wv'] ? matmul(fovea, tokens, p['Wv']) : tokens, p['Wv'] ? 'Wv' : 'x');
    const d = q.shape[3]!;
    // q / √(mean q²) · 1/√d; eps keeps a vector of zeros.
    const k = rmsNorm(fovea, q, { eps: 1e-37, weight: new Array<number>(d).fill(1 / Math.sqrt(d)) });
    const hashed = bucketsOf(system, q, lengths, hasHeads);
    const { pairs, counts } = bucketPairs({
      ...{ buckets: hashed.ids, batch, heads, rounds: hashed.rounds, lengths },
      causal: booleanOption(system, 'causal'),
      chunkLength: integerOption(system, 'chunkLength', 0, 2 ** 30, 0),
    });
    const buckets = new Integers(hashed.ids, [batch, heads, hashed.rounds, T]);
    const attend = (allowed: Tensor) =>
      fovea.attention(q, k, v, { scale, mask: log(fovea, allowed), returnWeights: true, returnLse: true });
    const square = [batch, heads, T, T];

    if (combine === 'union') {
      const union = fovea.tensor(
        counts.map((count) => Math.min(count, 1)),
        square,
      );
      const { output, weights, lse } = attend(union);
      return { ...finish(system, output, weights, lse), buckets };
    }
    const N = fovea.tensor(
      counts.map((count) => (system.options['countDuplicates'] === true ? 1 : Math.max(count, 1))),
      square,
    );
    booleanOption(system, 'countDuplicates');
    const rounds = pairs.map((allowed) => attend(divide(fovea, fovea.tensor(allowed, square), N)));
    const stack = (list: readonly Tensor[], shape: readonly number[]): Tensor =>
      concat(fovea, list.map((one) => one.reshape([batch, heads, 1, ...shape])) as [Tensor, ...Tensor[]], { axis: 2 });
    const roundLse = stack(
      rounds.map(({ lse }) => lse),
      [T],
    );
    const roundWeights = stack(
      rounds.map(({ weights }) => weights),
      [T, T],
    );
    system.record(
      'roundWeights',
      '\\operatorname{softmax}_{j \\in P_i^r}(s\\, q_i k_j^\\top - \\ln N_{ij})',
      ['head', 'round', 'query', 'key'],
      roundWeights,
    );
    system.record('roundLse', 'z_i^r', ['head', 'round', 'query'], roundLse);
    const joined = fovea.combine(rounds.map(({ output, lse }) => ({ output, lse })));
    const shares = softmax(fovea, roundLse, { axis: 2 }).reshape([batch, heads, hashed.rounds, T, 1]);
    const weights = sum(fovea, multiply(fovea, roundWeights, shares), { axis: 2 });
    return { ...finish(system, joined.output, weights, joined.lse), buckets, roundWeights, roundLse };
  }) as unknown as ReformerResult<ResultArray<A>>;
}

/** The heads' outputs side by side, times Wo. */
function finish(
  system: System,
  output: Tensor,
  weights: Tensor,
  lse: Tensor,
): { output: Tensor; weights: Tensor; lse: Tensor } {
  const { fovea, batch, params } = system;
  const [, heads, T, width] = output.shape as [number, number, number, number];
  const joined = transpose(fovea, output, [0, 2, 1, 3]).reshape([batch, T, heads * width]);
  system.record('weights', '\\textstyle\\sum_r e^{z_i^r - l_i} A^r', ['head', 'query', 'key'], weights);
  system.record('lse', '\\ln \\textstyle\\sum_r e^{z_i^r}', ['head', 'query'], lse);
  const projected = params['Wo'] ? matmul(fovea, joined, params['Wo']) : joined;
  return { output: system.record('output', 'A V W_o', ['token', 'feature'], projected), weights, lse };
}

/** The buckets [B, heads, R, T]: those of the input, or by rotations, or by `lsh`; -1 in padding. */
function bucketsOf(system: System, q: Tensor, lengths: Lengths, hasHeads: boolean): { ids: Int32Array; rounds: number } {
  const { fovea, fn, batch, params } = system;
  const [, heads, T, d] = q.shape as [number, number, number, number];
  const lsh = system.options['lsh'] as LshOptions | undefined;
  const sources = [system.has('buckets') && 'buckets', params['rotations'] && 'rotations', lsh && 'lsh'].filter(Boolean);
  if (sources.length !== 1)
    fail('option', fn, `exactly one of buckets, rotations and lsh must be given, got ${sources.join(' and ') || 'none'}`);
  const own = (
    rounds: number,
    at: (b: number, h: number, r: number, t: number) => number,
  ): { ids: Int32Array; rounds: number } => {
    if (rounds === 0) fail('shape', fn, 'there must be at least one round, got 0');
    const ids = Int32Array.from({ length: batch * heads * rounds * T }, (_, n) => {
      const [t, r] = [n % T, Math.floor(n / T) % rounds];
      const group = Math.floor(n / (T * rounds));
      const [b, h] = [Math.floor(group / heads), group % heads];
      if (t >= lengths.list[b]!) return -1;
      const bucket = at(b, h, r, t);
      if (bucket < 0) fail('value', fn, `buckets must be integers of at least 0, got ${bucket} at token ${t}`);
      return bucket;
    });
    return { ids, rounds };
  };
  if (system.has('buckets')) {
    const [given, R] = [system.ids('buckets'), system.size('R')];
    if (hasHeads && system.size('heads') !== heads)
      fail('shape', fn, `buckets must be [heads, R, T] with heads = ${heads}, got ${system.size('heads')}`);
    return own(R, (b, h, r, t) => given[((hasHeads ? b * heads + h : b) * R + r) * T + t]!);
  }
  if (params['rotations']) {
    const R = system.size('R');
    if (system.size('d') !== d) fail('shape', fn, `rotations must be [R, d, b/2] with d = ${d}, got d = ${system.size('d')}`);
    const turned = matmul(fovea, q.reshape([batch, heads, 1, T, d]), params['rotations']);
    const best = T === 0 ? [] : argmax(fovea, concat(fovea, [turned, multiply(fovea, turned, -1)])).data;
    return own(R, (b, h, r, t) => best[((b * heads + h) * R + r) * T + t]!);
  }
  const [name, ...parts] = pattern.lsh(lsh!).bind(fovea, q, q).toJSON();
  const rounds = (name === 'or' ? parts : [[name, ...parts]]) as [string, { queries: number[] }][];
  return own(rounds.length, (b, h, r, t) => rounds[r]![1].queries[(b * heads + h) * T + t]!);
}
