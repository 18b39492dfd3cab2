/** DiSAN: each feature attends by itself, to the tokens before and to those after. */
import type { Fovea } from '../fovea/fovea.ts';
import { blend, concat, elu, sigmoid } from '../ops/index.ts';
import { multiDimensionalAttention } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { directionMask, sourceToToken } from './system/directions.ts';
import { affine } from './system/layers.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DIRECTIONS = ['forward', 'backward'] as const;

const DECLARATION = {
  fn: 'disan',
  inputs: { x: 'T E' },
  params: {
    ...{ 'forward.Wh': 'E D', 'forward.bh': 'D', 'forward.W1': 'D D', 'forward.W2': 'D D', 'forward.b1': 'D' },
    ...{ 'forward.Wf1': 'D D', 'forward.Wf2': 'D D', 'forward.bf': 'D' },
    ...{ 'backward.Wh': 'E D', 'backward.bh': 'D', 'backward.W1': 'D D', 'backward.W2': 'D D', 'backward.b1': 'D' },
    ...{ 'backward.Wf1': 'D D', 'backward.Wf2': 'D D', 'backward.bf': 'D' },
    ...{ 'source2token.W1': '2D 2D', 'source2token.b1': '2D', 'source2token.W': '2D 2D', 'source2token.b': '2D' },
  },
  options: ['c', 'lengths'],
} as const satisfies Declaration;

export interface DisanInputs<A extends ArrayInput = ArrayInput> {
  /** [T, E] or [B, T, E]. */
  readonly x: A;
}

export interface DisanOptions {
  /** The bound of the scores, above 0; default 5. */
  readonly c?: number | undefined;
  /** Tokens of each sentence; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface DisanResult<A> {
  /** [B, T, T, D]: of query, key and feature. */
  forwardWeights: A;
  /** [B, T, T, D]. */
  backwardWeights: A;
  /** [B, T, D]: how much of h each token keeps. */
  forwardGate: A;
  /** [B, T, D]. */
  backwardGate: A;
  /** [B, T, 2D]: the forward half, then the backward one. */
  output: A;
  /** [B, T, 2D]. */
  sourceWeights: A;
  /** [B, 2D]. */
  sentence: A;
  trace?: TraceStage[];
}

/**
 * Directional self-attention network: multi-dimensional attention to the tokens before, and to those after, each with a fusion
 * gate; then one row for the sentence.
 *
 *     h = elu(x Wh + bh),   weights[j, i, d] = softmax_i(c·tanh((h_i W1 + h_j W2 + b1) / c))[d],   i < j, or i > j
 *     s_j = Σ_i weights[j, i] ⊙ h_i,   F = σ(s Wf1 + h Wf2 + bf),   u = F ⊙ h + (1 - F) ⊙ s
 *     sentence = Σ_i softmax_i(elu(u_i W1 + b1) W + b) ⊙ u_i,   u = [u_fw; u_bw]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`.
 * @param params under `forward.` and `backward.`: Wh [E, D], bh [D], W1, W2 [D, D], b1 [D], Wf1, Wf2 [D, D], bf [D]; under
 *   `source2token.`: W1, W [2D, 2D], b1, b [2D].
 * @param options `c`, `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * A token that sees no other has s = 0. Source: Shen, Zhou, Long, Jiang, Pan, Zhang 2018, arXiv:1709.04696 §3 and §4.
 */
export function disan<A extends ArrayInput>(
  fovea: Fovea,
  inputs: DisanInputs<A>,
  params: ParamInput,
  options?: DisanOptions,
): DisanResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const lengths = system.lengths('lengths', system.size('T'));
    const x = lengths.masked(system.input('x'));
    const [forward, backward] = DIRECTIONS.map((direction) => attend(system, direction, x, lengths)) as [Directed, Directed];
    const output = system.record('output', '[u^{fw}; u^{bw}]', ['token', 'feature'], concat(fovea, [forward.u, backward.u]));
    const p = system.group('source2token.');
    const source = sourceToToken(system, output, [p['W1']!, p['b1']!, p['W']!, p['b']!], lengths);
    return {
      ...{ forwardWeights: forward.weights, backwardWeights: backward.weights },
      ...{ forwardGate: forward.gate, backwardGate: backward.gate, output },
      sourceWeights: system.record(
        'sourceWeights',
        '\\operatorname{softmax}_i(\\operatorname{elu}(u_i W_1 + b_1) W + b)',
        ['token', 'feature'],
        source.weights,
      ),
      sentence: system.record('sentence', '\\textstyle\\sum_i a_i \\odot u_i', ['feature'], source.pooled),
    };
  }) as unknown as DisanResult<ResultArray<A>>;
}

interface Directed {
  readonly weights: Tensor;
  readonly gate: Tensor;
  readonly u: Tensor;
}

function attend(system: System, direction: (typeof DIRECTIONS)[number], x: Tensor, lengths: Lengths): Directed {
  const { fovea } = system;
  const p = system.group(`${direction}.`);
  const h = elu(fovea, affine(fovea, x, p['Wh']!, p['bh']));
  const { output: s, weights } = multiDimensionalAttention(
    fovea,
    h,
    h,
    h,
    { Wq: p['W2']!, Wk: p['W1']!, bias: p['b1'] },
    {
      ...(system.options['c'] !== undefined && { c: system.options['c'] as number }),
      ...{ layout: 'btd', mask: directionMask(direction, lengths), keyLengths: lengths.list, returnWeights: true },
    },
  );
  const F = sigmoid(fovea, system.sum([affine(fovea, s, p['Wf1']!), affine(fovea, h, p['Wf2']!)], p['bf']));
  const keep = (
    part: string,
    formula: string,
    axes: readonly ('query' | 'key' | 'token' | 'feature')[],
    array: Tensor,
  ): Tensor => system.record(`${direction}${part}`, formula, axes, array);
  return {
    weights: keep(
      'Weights',
      '\\operatorname{softmax}_i(c \\tanh((h_i W_1 + h_j W_2 + b_1) / c))',
      ['query', 'key', 'feature'],
      lengths.masked(weights),
    ),
    gate: keep('Gate', '\\sigma(s W_{f1} + h W_{f2} + b_f)', ['token', 'feature'], lengths.masked(F)),
    u: lengths.masked(blend(fovea, h, s, F)),
  };
}
