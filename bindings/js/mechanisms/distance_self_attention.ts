/** Distance-based self-attention: heads that look one way, and rather at what is near. */
import type { Fovea } from '../fovea/fovea.ts';
import { checkFinite, checkInteger } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import { add, blend, concat, matmul, relu, sigmoid } from '../ops/index.ts';
import { bias } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { sourceToToken } from './system/directions.ts';
import { affine } from './system/layers.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { maxOverTokens } from './system/pooling.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DIRECTIONS = ['forward', 'backward'] as const;

const DECLARATION = {
  fn: 'distanceSelfAttention',
  inputs: { x: 'T D' },
  params: {
    ...{ 'forward.Wq': 'D D', 'forward.Wk': 'D D', 'forward.Wv': 'D D', 'forward.Wo': 'D D', 'forward.WS': 'D D' },
    ...{ 'forward.WH': 'D D', 'forward.bF': 'D', 'forward.W1P': 'D F', 'forward.b1P': 'F', 'forward.W2P': 'F D' },
    ...{ 'forward.b2P': 'D', 'backward.Wq': 'D D', 'backward.Wk': 'D D', 'backward.Wv': 'D D', 'backward.Wo': 'D D' },
    ...{ 'backward.WS': 'D D', 'backward.WH': 'D D', 'backward.bF': 'D', 'backward.W1P': 'D F', 'backward.b1P': 'F' },
    ...{ 'backward.W2P': 'F D', 'backward.b2P': 'D', W1M: '2D 2D', b1M: '2D', W2M: '2D 2D', b2M: '2D' },
  },
  options: ['heads', 'alpha', 'pooling', 'lengths'],
} as const satisfies Declaration;

export interface DistanceSelfAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]: embedded words. */
  readonly x: A;
}

export interface DistanceSelfAttentionOptions {
  /** Divides D; default 1. */
  readonly heads?: number | undefined;
  /** How much each token of distance takes from a score; default 1.5. */
  readonly alpha?: number | undefined;
  /** The parts of `output`; default 'both'. */
  readonly pooling?: 'both' | 'attention' | 'max' | undefined;
  /** Tokens of each sentence; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface DistanceSelfAttentionResult<A> {
  /** [B, heads, T, T]. */
  forwardWeights: A;
  /** [B, heads, T, T]. */
  backwardWeights: A;
  /** [B, T, D]: how much of the words each token keeps. */
  forwardGate: A;
  /** [B, T, D]. */
  backwardGate: A;
  /** [B, T, 2D]: the forward half, then the backward one. */
  U: A;
  /** [B, T, 2D]. */
  featureWeights: A;
  /** [B, 2D]. */
  attentionPooled: A;
  /** [B, 2D]. */
  maxPooled: A;
  /** [B, 4D], or [B, 2D] of one pooling. */
  output: A;
  trace?: TraceStage[];
}

/**
 * The sentence encoder of the distance-based self-attention network: for each direction heads whose scores fall with the distance, a
 * gate between them and the words, and a feed-forward layer; then one row for the sentence.
 *
 *     head = softmax(q kᵀ / √dk + M_dir - α|i - j|) v,   H = concat(heads) Wo
 *     F = σ(x WS + H WH + bF),   G = F ⊙ x WS + (1 - F) ⊙ H WH,   U_dir = G + relu(G W1P + b1P) W2P + b2P
 *     attentionPooled = Σ_i softmax_i(elu(u_i W1M + b1M) W2M + b2M) ⊙ u_i,   maxPooled = max_i u_i,   u = [U_fw; U_bw]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`.
 * @param params under `forward.` and `backward.`: Wq, Wk, Wv, Wo, WS, WH [D, D], bF [D], W1P [D, F], b1P [F], W2P [F, D], b2P [D]; and
 *   W1M, W2M [2D, 2D], b1M, b2M [2D].
 * @param options `heads`, `alpha`, `pooling`, `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * M_dir allows keys before the query (forward) or after it (backward), never the query's own: a token that sees no other has H = 0. Not
 * built: layer normalization, whose places the paper leaves open, and dropout. Source: Im, Cho 2017, arXiv:1712.02047.
 */
export function distanceSelfAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: DistanceSelfAttentionInputs<A>,
  params: ParamInput,
  options?: DistanceSelfAttentionOptions,
): DistanceSelfAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { fn } = system;
    const { heads = 1, alpha = 1.5 } = system.options as DistanceSelfAttentionOptions;
    const D = system.size('D');
    checkInteger(fn, 'heads', heads, 1, Math.max(1, D));
    if (D % heads !== 0) fail('shape', fn, `heads must divide D = ${D}, got ${heads}`);
    checkFinite(fn, 'alpha', alpha);
    const pooling = system.choice('pooling', ['both', 'attention', 'max']);
    const lengths = system.lengths('lengths', system.size('T'));
    const x = lengths.masked(system.input('x'));
    const [forward, backward] = DIRECTIONS.map((direction) => encode(system, direction, x, lengths, heads, alpha)) as [
      Encoded,
      Encoded,
    ];
    const U = system.record('U', '[U^{fw}; U^{bw}]', ['token', 'feature'], concat(fovea, [forward.U, backward.U]));
    const { W1M, b1M, W2M, b2M } = system.params;
    const source = sourceToToken(system, U, [W1M!, b1M!, W2M!, b2M!], lengths);
    const formula = '\\operatorname{softmax}_i(\\operatorname{elu}(u_i W_1^M + b_1^M) W_2^M + b_2^M)';
    const featureWeights = system.record('featureWeights', formula, ['token', 'feature'], source.weights);
    const attentionPooled = system.record('attentionPooled', '\\textstyle\\sum_i a_i \\odot u_i', ['feature'], source.pooled);
    const { max } = maxOverTokens(system, U, lengths);
    const maxPooled = system.record('maxPooled', '\\max_i u_i', ['feature'], max);
    const pooled = { both: concat(fovea, [attentionPooled, maxPooled]), attention: attentionPooled, max: maxPooled };
    return {
      ...{ forwardWeights: forward.weights, backwardWeights: backward.weights },
      ...{ forwardGate: forward.gate, backwardGate: backward.gate },
      ...{ U, featureWeights, attentionPooled, maxPooled },
      output: pooling === 'both' ? pooled.both : pooled[pooling].clone(),
    };
  }) as unknown as DistanceSelfAttentionResult<ResultArray<A>>;
}

interface Encoded {
  readonly weights: Tensor;
  readonly gate: Tensor;
  readonly U: Tensor;
}

function encode(
  system: System,
  direction: (typeof DIRECTIONS)[number],
  x: Tensor,
  lengths: Lengths,
  heads: number,
  alpha: number,
): Encoded {
  const { fovea } = system;
  const p = system.group(`${direction}.`);
  const [q, k, v] = ['Wq', 'Wk', 'Wv'].map((name) => matmul(fovea, x, p[name]!)) as [Tensor, Tensor, Tensor];
  const { output, weights } = fovea.attention(q, k, v, {
    ...{ layout: 'btd', heads, bias: [bias.direction(direction), bias.distance(alpha)] },
    ...{ keyLengths: lengths.list, returnWeights: true },
  });
  const [S, H] = [matmul(fovea, x, p['WS']!), matmul(fovea, matmul(fovea, output, p['Wo']!), p['WH']!)];
  const F = sigmoid(fovea, system.sum([S, H], p['bF']));
  const G = blend(fovea, S, H, F);
  const U = add(fovea, G, affine(fovea, relu(fovea, affine(fovea, G, p['W1P']!, p['b1P'])), p['W2P']!, p['b2P']));
  return {
    weights: system.record(
      `${direction}Weights`,
      '\\operatorname{softmax}(Q K^\\top / \\sqrt{d_k} + M^{dir} - \\alpha |i - j|)',
      ['head', 'query', 'key'],
      lengths.masked(weights, 2),
    ),
    gate: system.record(`${direction}Gate`, '\\sigma(S^F + H^F + b^F)', ['token', 'feature'], lengths.masked(F)),
    U: lengths.masked(U),
  };
}
