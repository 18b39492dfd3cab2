/** Decomposable attention: two sentences compared word by word, in any order. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, gather, matmul, softmax, sum, transpose } from '../ops/index.ts';
import type { IntegerInput } from '../ops/index.ts';
import { bias } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { runStack, stackParams } from './system/layers.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { classLoss } from './system/loss.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'decomposableAttention',
  inputs: { a: 'la E', b: 'lb E' },
  ids: { 'target?': '' },
  params: { 'd?': '2K+1' },
  numbered: (given) => ({
    ...stackParams(given, 'F.', "E'", 'Fout'),
    ...stackParams(given, 'G.', "2E'", 'G'),
    ...stackParams(given, 'H.', '2G', 'C'),
    ...stackParams(given, 'Fintra.', 'E', 'Fintra', true),
  }),
  together: [['d', 'Fintra.W1']],
  options: ['aLengths', 'bLengths'],
} as const satisfies Declaration;

export interface DecomposableAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [la, E] or [B, la, E]. */
  readonly a: A;
  /** [lb, E] or [B, lb, E]. */
  readonly b: ArrayInput;
  /** [] or [B]: the class of the pair. */
  readonly target?: IntegerInput | number | undefined;
}

export interface DecomposableAttentionOptions {
  /** Words of each a; default all. */
  readonly aLengths?: LengthsOption;
  /** Words of each b; default all. */
  readonly bLengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. E' = E, or 2E with attention within the sentences. */
export interface DecomposableAttentionResult<A> {
  /** [B, la, la]: with d. */
  aIntraWeights?: A;
  /** [B, lb, lb]: with d. */
  bIntraWeights?: A;
  /** [B, la, lb]: the scores of the pairs. */
  e: A;
  /** [B, la, lb]: of the words of b, for each word of a. */
  betaWeights: A;
  /** [B, lb, la]: of the words of a, for each word of b. */
  alphaWeights: A;
  /** [B, la, E']. */
  beta: A;
  /** [B, lb, E']. */
  alpha: A;
  /** [B, la, G]. */
  v1Tokens: A;
  /** [B, lb, G]. */
  v2Tokens: A;
  /** [B, G]. */
  v1: A;
  /** [B, G]. */
  v2: A;
  /** [B, C]. */
  logits: A;
  /** [B, C]. */
  probability: A;
  /** [B]: with a target. */
  loss?: A;
  trace?: TraceStage[];
}

/**
 * Decomposable attention: each word is compared with what the other sentence has for it, and the comparisons are summed.
 *
 *     a_i := [a_i; Σ_j softmax_j(Fintra(a_i)·Fintra(a_j) + d[i - j]) a_j], where d is given; b alike
 *     e_ij = F(a_i)·F(b_j),   beta_i = Σ_j softmax_j(e_ij) b_j,   alpha_j = Σ_i softmax_i(e_ij) a_i
 *     v1 = Σ_i G([a_i; beta_i]),   v2 = Σ_j G([b_j; alpha_j]),   probability = softmax(H([v1; v2]))
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `a`, `b`, `target`.
 * @param params the layers of F, G and H, as many as are given: F.W1 [E', …], F.b1, F.W2, F.b2, …; G.W1 [2E', …], …; H.W1 [2G, …], …, the last
 *   [.., C]; optional together Fintra.W1 [E, …], … and d [2K + 1], whose entry K + clip(i - j, -K, K) is added to a score. relu
 *   follows every layer but H's last.
 * @param options `aLengths`, `bLengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * F is applied la + lb times. A sentence without words is 0. Source: Parikh, Täckström, Das, Uszkoreit 2016, arXiv:1606.01933 §3.1 to 3.4.
 */
export function decomposableAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: DecomposableAttentionInputs<A>,
  params: ParamInput,
  options?: DecomposableAttentionOptions,
): DecomposableAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const lengths = { a: system.lengths('aLengths', system.size('la')), b: system.lengths('bLengths', system.size('lb')) };
    const [E, width] = [system.size('E'), system.size("E'")];
    const times = system.has('d') ? 2 : 1;
    if (width !== times * E)
      fail(
        'shape',
        system.fn,
        `E', the width of F's input, must be ${times === 2 ? '2E with d' : 'E without d'}, E = ${E}, got ${width}`,
      );
    const words = (name: 'a' | 'b'): Words => readWords(system, name, lengths[name]);
    const { a, b } = { a: words('a'), b: words('b') };

    const scores = matmul(fovea, runStack(system, 'F.', a.rows), transpose(fovea, runStack(system, 'F.', b.rows)));
    const e = lengths.b.masked(lengths.a.masked(scores), 2);
    system.record('e', 'F(a_i) \\cdot F(b_j)', ['query', 'key'], e);
    const [forA, forB] = [align(system, 'beta', e, a, b), align(system, 'alpha', transpose(fovea, e), b, a)];
    const logits = runStack(system, 'H.', concat(fovea, [forA.v, forB.v]), true);
    system.record('logits', 'H([v_1; v_2])', ['class'], logits);
    return {
      ...{ aIntraWeights: a.intraWeights, bIntraWeights: b.intraWeights, e },
      ...{ betaWeights: forA.weights, beta: forA.mixed, v1Tokens: forA.tokens, v1: forA.v },
      ...{ alphaWeights: forB.weights, alpha: forB.mixed, v2Tokens: forB.tokens, v2: forB.v },
      logits,
      probability: system.record('probability', '\\operatorname{softmax}(H([v_1; v_2]))', ['class'], softmax(fovea, logits)),
      loss: system.has('target') ? classLoss(system, logits, 'target') : undefined,
    };
  }) as unknown as DecomposableAttentionResult<ResultArray<A>>;
}

interface Words {
  /** [B, l, E'], 0 in the padding. */
  readonly rows: Tensor;
  readonly lengths: Lengths;
  /** [B, l, l]: where the sentence attends to itself. */
  readonly intraWeights: Tensor | undefined;
}

/** The words of a sentence, with what each finds in its own sentence where d is given. */
function readWords(system: System, name: 'a' | 'b', lengths: Lengths): Words {
  const { fovea } = system;
  const { d } = system.params;
  const x = lengths.masked(system.input(name));
  if (d === undefined) return { rows: x, lengths, intraWeights: undefined };
  const f = runStack(system, 'Fintra.', x);
  const K = system.size('K');
  // bias.relative counts j - i, and d counts i - j.
  const table = gather(
    fovea,
    d,
    Array.from({ length: 2 * K + 1 }, (_, n) => 2 * K - n),
  );
  const options = {
    layout: 'btd',
    scale: 1,
    bias: bias.relative(table, K),
    keyLengths: lengths.list,
    returnWeights: true,
  } as const;
  const { output, weights } = fovea.attention(f, f, x, options);
  const formula = `\\operatorname{softmax}_j(F_{intra}(${name}_i) \\cdot F_{intra}(${name}_j) + d_{i-j})`;
  const intraWeights = system.record(`${name}IntraWeights`, formula, ['query', 'key'], lengths.masked(weights));
  return { rows: lengths.masked(concat(fovea, [x, output])), lengths, intraWeights };
}

interface Aligned {
  readonly weights: Tensor;
  readonly mixed: Tensor;
  readonly tokens: Tensor;
  readonly v: Tensor;
}

/** The other sentence read by each of our words, by the scores [B, ours, others]; the comparisons; their sum. */
function align(system: System, name: 'beta' | 'alpha', scores: Tensor, ours: Words, others: Words): Aligned {
  const { fovea } = system;
  const [v, row, other] = name === 'beta' ? ['v1', 'a_i', 'b_j'] : ['v2', 'b_j', 'a_i'];
  const along = name === 'beta' ? 'j' : 'i';
  const { lengths } = ours;
  const weights = lengths.masked(softmax(fovea, add(fovea, scores, others.lengths.forbidden(fovea))));
  system.record(`${name}Weights`, `\\operatorname{softmax}_${along}(e_{ij})`, ['query', 'key'], weights);
  const mixed = matmul(fovea, weights, others.rows);
  system.record(name, `\\textstyle\\sum_${along} \\${name}_{ij} ${other}`, ['token', 'feature'], mixed);
  const tokens = lengths.masked(runStack(system, 'G.', concat(fovea, [ours.rows, mixed])));
  system.record(`${v}Tokens`, `G([${row}; \\${name}])`, ['token', 'feature'], tokens);
  return {
    weights,
    mixed,
    tokens,
    v: system.record(v!, `\\textstyle\\sum G([${row}; \\${name}])`, ['feature'], sum(fovea, tokens, { axis: 1 })),
  };
}
