/** ReSA: hard samples say which tokens ask and which are asked; soft attention does the rest. */
import { fail } from '../errors/errors.ts';
import { checkSeed } from '../errors/seeds.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, blend, concat, divide, logSoftmax, matmul, multiply, sigmoid, sum } from '../ops/index.ts';
import type { IntegerArray, IntegerInput } from '../ops/index.ts';
import { multiDimensionalAttention } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { activate, affine } from './system/layers.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { sampleSelection } from './system/selection.ts';
import { zeros } from './system/steps.ts';
import { Integers, runSystem, type Declaration, type System } from './system/system.ts';

const ROLES = ['head', 'dependent'] as const;
type Role = (typeof ROLES)[number];

const DECLARATION = {
  fn: 'resa',
  inputs: { x: 'T E' },
  ids: { 'head?': 'T', 'dependent?': 'T' },
  params: {
    ...{ 'head.WR': '3E R', 'head.bR': 'R', 'head.w': 'R', 'head.b': '' },
    ...{ 'dependent.WR': '3E Rd', 'dependent.bR': 'Rd', 'dependent.w': 'Rd', 'dependent.b': '' },
    ...{ W1: 'E E', W2: 'E E', b1: 'E', Wf: '2E E', bf: 'E' },
  },
  together: [['head', 'dependent']],
  options: ['c', 'activation', 'seed', 'lengths'],
} as const satisfies Declaration;

export interface ResaInputs<A extends ArrayInput = ArrayInput> {
  /** [T, E] or [B, T, E]. */
  readonly x: A;
  /** [T] of 0 and 1, together with `dependent`: the tokens that ask. Left out: sampled. */
  readonly head?: IntegerInput | undefined;
  /** [T] of 0 and 1: the tokens that are asked. */
  readonly dependent?: IntegerInput | undefined;
}

export interface ResaOptions {
  /** The bound of the scores, above 0; default 5. */
  readonly c?: number | undefined;
  /** Inside the probabilities of the samples; default 'elu'. */
  readonly activation?: 'elu' | 'relu' | 'tanh' | undefined;
  /** The seed of the samples, 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
  /** Tokens of each text; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface ResaResult<A> {
  /** [B, T]: the probability that a token asks. */
  headProbability: A;
  /** [B, T]: ln of the probability of the sample. */
  headLogProbability: A;
  /** [B, T]. */
  dependentProbability: A;
  /** [B, T]. */
  dependentLogProbability: A;
  /** [B, T]: the samples, -1 in the padding. */
  head: IntegerArray;
  /** [B, T]. */
  dependent: IntegerArray;
  /** [B]: of all samples of both roles. */
  logProbability: A;
  /** [B, T, T, E]: of query, key and feature. */
  weights: A;
  /** [B, T, E]. */
  s: A;
  /** [B, T, E]: how much of x each token keeps. */
  gate: A;
  /** [B, T, E]. */
  u: A;
  trace?: TraceStage[];
}

/**
 * Reinforced self-attention: samples z select the tokens that ask (heads) and those that are asked (dependents), and
 * multi-dimensional attention runs over the pairs of them.
 *
 *     f_i = [x_i; mean(x); x_i ⊙ mean(x)],   p(z_i = 1) = σ(act(f_i WR + bR)·w + b), for each of the two roles
 *     weights[j, i, d] = softmax_i(c·tanh((x_i W1 + x_j W2 + b1) / c))[d],   z^head_j = z^dependent_i = 1, i ≠ j
 *     s_j = Σ_i weights[j, i] ⊙ x_i,   F = σ([x; s] Wf + bf),   u = F ⊙ x + (1 - F) ⊙ s
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`; `head` and `dependent`.
 * @param params under `head.` and `dependent.`: WR [3E, R], bR [R], w [R], b []; and W1, W2 [E, E], b1 [E], Wf [2E, E], bf [E].
 * @param options `c`, `activation`, `seed` (without given samples), `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * A token that is no head, or has no dependent but itself, has s = 0. A sample is 1 where a uniform number, drawn from the seed, the
 * token's position, the role and the batch entry, is below p. Reward and policy gradient are training. Source: Shen, Zhou, Long,
 * Jiang, Wang, Zhang 2018, arXiv:1801.10296, its soft part; act = elu from the authors' code.
 */
export function resa<A extends ArrayInput>(
  fovea: Fovea,
  inputs: ResaInputs<A>,
  params: ParamInput,
  options?: ResaOptions,
): ResaResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [batch, T, E] = [system.batch, system.size('T'), system.size('E')];
    const lengths = system.lengths('lengths', T);
    const activation = system.choice('activation', ['elu', 'relu', 'tanh']);
    const { c, seed } = system.options as ResaOptions;
    const isGiven = system.has('head');
    if (isGiven && seed !== undefined)
      fail('option', system.fn, 'seed cannot be combined with given samples head and dependent');
    checkSeed(system.fn, seed ?? 0);
    const given = isGiven ? ROLES.map((role) => readSamples(system, role, lengths)) : null;
    const { W1, W2, b1, Wf, bf } = system.params;
    const x = lengths.masked(system.input('x'));

    const counts = lengths.list.map((length) => Math.max(1, length));
    const mean = divide(fovea, sum(fovea, x, { axis: 1 }), { data: counts, shape: [batch, 1] }).reshape([batch, 1, E]);
    const f = concat(fovea, [
      x,
      multiply(fovea, fovea.tensor(new Float32Array(T).fill(1), [T, 1]), mean),
      multiply(fovea, x, mean),
    ]);
    const logits = ROLES.map((role) => {
      const [WR, bR, w, b] = ['WR', 'bR', 'w', 'b'].map((name) => system.params[`${role}.${name}`]!) as Quartet;
      const hidden = activate(fovea, activation, affine(fovea, f, WR, bR));
      return add(fovea, matmul(fovea, hidden, w), b);
    }) as [Tensor, Tensor];
    const probabilities = logits.map((one) => lengths.masked(sigmoid(fovea, one)));
    const z = given ?? probabilities.map((p, role) => padded(sampleSelection(system, role, p, seed ?? 0), lengths));
    const [head, dependent] = z.map((samples, n) =>
      roleResults(system, ROLES[n]!, { logits: logits[n]!, probability: probabilities[n]!, samples }),
    ) as [RoleResult, RoleResult];

    const allowed = new Uint8Array(batch * T * T);
    allowed.forEach((_, n) => {
      const [row, i] = [Math.floor(n / T), n % T];
      const [b, j] = [Math.floor(row / T), row % T];
      allowed[n] = Number(z[0]![row] === 1 && z[1]![b * T + i] === 1 && i !== j);
    });
    const { output: s, weights } = multiDimensionalAttention(
      fovea,
      x,
      x,
      x,
      { Wq: W2!, Wk: W1!, bias: b1 },
      {
        ...(c !== undefined && { c }),
        ...{ layout: 'btd', mask: { data: allowed, shape: [batch, 1, T, T] }, returnWeights: true },
      },
    );
    const F = sigmoid(fovea, affine(fovea, concat(fovea, [x, s]), Wf!, bf));
    const both = concat(fovea, [head.logProbability, dependent.logProbability], { axis: 1 });
    return {
      ...{ headProbability: head.probability, headLogProbability: head.logProbability, head: head.samples },
      ...{ dependentProbability: dependent.probability, dependentLogProbability: dependent.logProbability },
      dependent: dependent.samples,
      logProbability: system.record('logProbability', '\\textstyle\\sum_i \\ln p(z_i \\mid x)', [], sum(fovea, both)),
      weights: system.record(
        'weights',
        '\\operatorname{softmax}_i(c \\tanh((x_i W_1 + x_j W_2 + b_1) / c))',
        ['query', 'key', 'feature'],
        weights,
      ),
      s: system.record('s', '\\textstyle\\sum_i a_{ji} \\odot x_i', ['token', 'feature'], s),
      gate: system.record('gate', '\\sigma([x; s] W_f + b_f)', ['token', 'feature'], lengths.masked(F)),
      u: system.record('u', 'F \\odot x + (1 - F) \\odot s', ['token', 'feature'], lengths.masked(blend(fovea, x, s, F))),
    };
  }) as unknown as ResaResult<ResultArray<A>>;
}

type Quartet = [Tensor, Tensor, Tensor, Tensor];

/** The samples that were given, [B, T], -1 in the padding. */
function readSamples(system: System, role: Role, lengths: Lengths): Int32Array {
  const samples = padded(system.ids(role), lengths);
  samples.forEach((z, n) => {
    if (z !== 0 && z !== 1 && isToken(n, lengths))
      fail('value', system.fn, `${role} must be 0 or 1, got ${z} at position ${n % lengths.size}`);
  });
  return samples;
}

/** The samples, [B, T], with -1 in the padding. */
function padded(samples: Int32Array, lengths: Lengths): Int32Array {
  return samples.map((z, n) => (isToken(n, lengths) ? z : -1));
}

function isToken(n: number, { list, size }: Lengths): boolean {
  return n % size < list[Math.floor(n / size)]!;
}

interface RoleInputs {
  readonly logits: Tensor;
  readonly probability: Tensor;
  readonly samples: Int32Array;
}

interface RoleResult {
  readonly probability: Tensor;
  readonly logProbability: Tensor;
  readonly samples: Integers;
}

function roleResults(system: System, role: Role, { logits, probability, samples }: RoleInputs): RoleResult {
  const { fovea } = system;
  const { shape } = logits;
  // ln σ(a) and ln σ(-a) are the two entries of logSoftmax([a, 0]); the sample picks one.
  const pair = concat(fovea, [logits.reshape([...shape, 1]), zeros(fovea, [...shape, 1])]);
  const picked = Float32Array.from({ length: 2 * samples.length }, (_, n) => Number(samples[n >> 1] === 1 - (n & 1)));
  const logs = multiply(fovea, logSoftmax(fovea, pair), fovea.tensor(picked, [...shape, 2]));
  const formula = '\\sigma(\\operatorname{act}(f_i W_R + b_R) \\cdot w + b)';
  return {
    probability: system.record(`${role}Probability`, formula, ['token'], probability),
    logProbability: system.record(`${role}LogProbability`, '\\ln p(z_i \\mid x)', ['token'], sum(fovea, logs)),
    samples: new Integers(samples, shape),
  };
}
