/** The decoder of ConvS2S: blocks of a causal convolution, each with an attention of its own. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, conv1d, glu, matmul, multiply, softmax } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { LengthsOption } from './system/lengths.ts';
import { wordLoss } from './system/loss.ts';
import { booleanOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { zeros } from './system/steps.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'convS2s',
  inputs: { g: 'Tt d', z: 'Ts d', e: 'Ts d' },
  ids: { 'targets?': 'Tt' },
  params: { 'Wo?': 'd V', 'bo?': 'V' },
  numbered: (given) => {
    const params = Array.from({ length: Math.max(1, countBlocks(given)) }, (_, l) => [
      [`blocks.${l}.weight`, `2d d k${l}`],
      [`blocks.${l}.bias`, '2d'],
      [`blocks.${l}.Wd`, 'd d'],
      [`blocks.${l}.bd`, 'd'],
    ]);
    return Object.fromEntries(params.flat());
  },
  options: ['normalization', 'sourceLengths', 'targetLengths', 'initialState'],
} as const satisfies Declaration;

/** One more than the largest number that a name has. */
function countBlocks(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^blocks\.(\d{1,3})\./.exec(name)?.[1] ?? -1) + 1));
}

export interface ConvS2sInputs<A extends ArrayInput = ArrayInput> {
  /** [Tt, d] or [B, Tt, d]: the embeddings of the target's words, with positions. */
  readonly g: A;
  /** [Ts, d]: the outputs of the encoder. */
  readonly z: ArrayInput;
  /** [Ts, d]: the embeddings of the source's words. */
  readonly e: ArrayInput;
  /** [Tt]: the next words. */
  readonly targets?: IntegerInput | undefined;
}

export interface ConvS2sOptions {
  /** Whether the residual sums v + h are scaled by √½ and contexts by √m, m the source's length (§3.4); other sums are not. Default false. */
  readonly normalization?: boolean | undefined;
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; what is left out is zeros. */
  readonly initialState?: { readonly h?: readonly (ArrayInput | undefined)[] | undefined } | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface ConvS2sResult<A> {
  /** [B, Tt, d]: of the last block. */
  h: A;
  /** [B, blocks, Tt, Ts]. */
  weights: A;
  /** [B, blocks, Tt, d]. */
  context: A;
  /** [B, Tt, V]: with Wo. */
  probability?: A;
  /** [B]: with Wo and targets. */
  loss?: A;
  /** For each block the last k - 1 rows that it has read, [B, k-1, d]. */
  state: { h: A[] };
  trace?: TraceStage[];
}

/**
 * The decoder of ConvS2S. h^0 = g, and for each block:
 *
 *     v_i = glu(W [h_{i-k+1} … h_i] + b),   h_i ← v_i + h_i
 *     d_i = h_i Wd + bd + g_i,   a_i = softmax_j(d_i·z_j),   c_i = Σ_j a_ij (z_j + e_j)
 *     h_i ← h_i + c_i
 *
 * and p(y_{i+1}) = softmax(h_i Wo + bo) of the last block.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `g`, `z`, `e`, `targets`.
 * @param params blocks.0, blocks.1, …: weight [2d, d, k], as PyTorch's Conv1d, bias [2d], Wd [d, d], bd [d]; optional Wo [d, V], bo [V].
 * @param options `normalization`, `sourceLengths`, `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Gehring, Auli, Grangier, Yarats, Dauphin 2017, arXiv:1705.03122 §3.2, 3.3 eq. 1 and 2, 3.4. The query has the residual in it,
 *   as in its equations; fairseq adds the residual after attention.
 */
export function convS2s<A extends ArrayInput>(
  fovea: Fovea,
  inputs: ConvS2sInputs<A>,
  params: ParamInput,
  options?: ConvS2sOptions,
): ConvS2sResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    const [g, z, e] = [system.input('g'), system.input('z'), system.input('e')];
    const [Tt, Ts, d] = [system.size('Tt'), system.size('Ts'), system.size('d')];
    const lengths = system.lengths('sourceLengths', Ts);
    const normalizes = booleanOption(system, 'normalization');
    const blocks = Array.from({ length: countBlocks(Object.keys(p)) }, (_, l) => ({ l, kept: system.size(`k${l}`) - 1 }));
    const initial = system.initialState(Object.fromEntries(blocks.map(({ l, kept }) => [`h.${l}`, [kept, d]])));
    const roots = fovea.tensor(
      lengths.list.map((m) => Math.sqrt(m)),
      [batch, 1, 1],
    );
    const values = add(fovea, z, e);
    const attention = { scale: 1, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;

    let h = g;
    const [weights, contexts, state]: Tensor[][] = [[], [], []];
    for (const { l, kept } of blocks) {
      const own = (name: string): Tensor => p[`blocks.${l}.${name}`]!;
      const read = concat(fovea, [initial[`h.${l}`] ?? zeros(fovea, [batch, kept, d]), h], { axis: 1 });
      const convolution = { bias: own('bias'), layout: 'btd' } as const;
      // Without steps there is no window that the kernel fits into.
      const v = Tt === 0 ? h : glu(fovea, conv1d(fovea, read, own('weight'), convolution));
      h = add(fovea, v, h, { scale: normalizes ? Math.sqrt(0.5) : 1 });
      const query = system.sum([matmul(fovea, h, own('Wd')), own('bd'), g]);
      const { output, weights: a } = fovea.attention(query, z, values, attention);
      const c = normalizes ? multiply(fovea, output, roots) : output;
      h = add(fovea, h, c);
      weights!.push(a.reshape([batch, 1, Tt, Ts]));
      contexts!.push(c.reshape([batch, 1, Tt, d]));
      state!.push(read.slice(1, Tt, Tt + kept).clone());
    }
    const stack = (list: Tensor[]): Tensor => concat(fovea, list as [Tensor, ...Tensor[]], { axis: 1 });
    const softmaxOfScores = '\\operatorname{softmax}_j(d_i \\cdot z_j)';
    const results = {
      weights: system.record('weights', softmaxOfScores, ['layer', 'step', 'token'], stack(weights!)),
      context: system.record(
        'context',
        '\\textstyle\\sum_j a_{ij} (z_j + e_j)',
        ['layer', 'step', 'feature'],
        stack(contexts!),
      ),
      h: system.record('h', 'v_i + h_i + c_i', ['step', 'feature'], h),
      state: { h: state! },
    };
    const probability = p['Wo'] && softmax(fovea, system.sum([matmul(fovea, h, p['Wo'])], p['bo']));
    return { ...results, probability, loss: wordLoss(system, probability, Tt, '\\operatorname{softmax}(h_i W_o + b_o)') };
  }) as unknown as ConvS2sResult<ResultArray<A>>;
}
