/** Pointer-generator: each word is generated from the vocabulary or copied from the source; coverage says what has been read. */
import { ownProperty } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, matmul, minimum, multiply, sigmoid, softmax, sum } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { meanLoss, meanOverSteps } from './system/loss.ts';
import { booleanOption, numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { rowOf, stackRows, zeros } from './system/steps.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';
import { readSourceIds, sumByWord } from './system/words.ts';

const ATTENTION = { Wh: 'Hs A', Ws: 'S A', v: 'A', battn: 'A', 'wc?': 'A' } as const;
const VOCABULARY = { V: 'S+Hs P', b: 'P', Vprime: 'P V', bprime: 'V' } as const;

const POINTER = {
  fn: 'pointerGenerator',
  inputs: { source: 'Ts Hs', decoder: 'Tt S', decoderInputs: 'Tt E' },
  ids: { sourceIds: 'Ts', 'targets?': 'Tt' },
  params: { ...ATTENTION, ...VOCABULARY, whstar: 'Hs', ws: 'S', wx: 'E', bptr: '' },
  options: ['sourceLengths', 'targetLengths', 'initialState', 'lambda', 'pointer', 'oovCount'],
} as const satisfies Declaration;

const BASELINE = {
  ...POINTER,
  inputs: { source: 'Ts Hs', decoder: 'Tt S', 'decoderInputs?': 'Tt E' },
  ids: { 'sourceIds?': 'Ts', 'targets?': 'Tt' },
  params: { ...ATTENTION, ...VOCABULARY, 'whstar?': 'Hs', 'ws?': 'S', 'wx?': 'E', 'bptr?': '' },
} as const satisfies Declaration;

export interface PointerGeneratorInputs<A extends ArrayInput = ArrayInput> {
  /** [Ts, Hs] or [B, Ts, Hs]: the states of the encoder. */
  readonly source: A;
  /** [Ts]: ids below V, or V + k of the k-th word of that source which the vocabulary lacks. */
  readonly sourceIds?: IntegerInput | undefined;
  /** [Tt, S]: the states of the decoder. */
  readonly decoder: ArrayInput;
  /** [Tt, E]: what the decoder has read. */
  readonly decoderInputs?: ArrayInput | undefined;
  /** [Tt]: ids below V + X. */
  readonly targets?: IntegerInput | undefined;
}

export interface PointerGeneratorOptions {
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; with wc. */
  readonly initialState?: { readonly coverage?: ArrayInput | undefined } | undefined;
  /** The weight of the coverage loss; default 1. */
  readonly lambda?: number | undefined;
  /** false: the baseline without copying, of which `sourceIds`, `decoderInputs`, whstar, ws, wx, bptr are no part. Default true. */
  readonly pointer?: boolean | undefined;
  /** X, how many words the vocabulary lacks; default as many as `sourceIds` has, the largest of the batch. */
  readonly oovCount?: number | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface PointerGeneratorResult<A> {
  /** [B, Tt, V + X]; of the baseline [B, Tt, V]. */
  distribution: A;
  /** [B, Tt, Ts]. */
  weights: A;
  /** [B, Tt, Hs]: h*. */
  context: A;
  /** [B, Tt, V]. */
  pVocab: A;
  /** [B, Tt]: not of the baseline. */
  pGen?: A;
  /** [B, Tt, Ts]: before each step; with wc. */
  coverage?: A;
  /** [B, Tt]: with wc. */
  coverageLoss?: A;
  /** [B]: with targets. */
  loss?: A;
  /** [B, Ts]: after the last step; with wc. */
  state?: { coverage: A };
  trace?: TraceStage[];
}

/**
 * A pointer-generator: p_gen mixes a distribution over the vocabulary with attention over the words of the source.
 *
 *     c_t = Σ_{t' < t} a_t',   e_ti = v·tanh(h_i Wh + s_t Ws + c_ti wc + battn),   a_t = softmax(e_t),   h*_t = Σ_i a_ti h_i
 *     P_vocab = softmax(([s_t; h*_t] V + b) Vprime + bprime)
 *     p_gen = σ(whstar·h*_t + ws·s_t + wx·x_t + bptr)
 *     P(w) = p_gen P_vocab(w) + (1 - p_gen) Σ_{i: w_i = w} a_ti
 *     covloss_t = Σ_i min(a_ti, c_ti),   loss = mean_t(-ln P(w*_t) + λ covloss_t)
 *
 * Without wc there is no coverage.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `sourceIds`, `decoder`, `decoderInputs`, `targets`.
 * @param params Wh [Hs, A], Ws [S, A], v [A], battn [A], optional wc [A]; V [S + Hs, P], b [P], Vprime [P, V], bprime [V]; whstar [Hs], ws [S],
 *   wx [E], bptr [].
 * @param options `sourceLengths`, `targetLengths`, `initialState`, `lambda`, `pointer`, `oovCount`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: See, Liu, Manning 2017, arXiv:1704.04368 §2.1 (eq. 1 to 7), §2.2 (eq. 8, 9), §2.3 (eq. 10 to 13).
 */
export function pointerGenerator<A extends ArrayInput>(
  fovea: Fovea,
  inputs: PointerGeneratorInputs<A>,
  params: ParamInput,
  options?: PointerGeneratorOptions,
): PointerGeneratorResult<ResultArray<A>> {
  const isBaseline = ownProperty(options, 'pointer') === false;
  return runSystem(isBaseline ? BASELINE : POINTER, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    booleanOption(system, 'pointer', true);
    const lambda = numberOption(system, 'lambda', 1);
    const [Ts, Tt, V] = [system.size('Ts'), system.size('Tt'), system.size('V')];
    const s = system.input('decoder');
    const lengths = system.lengths('sourceLengths', Ts);
    const ids = isBaseline ? undefined : readSourceIds(system, lengths, V);
    if (isBaseline && system.options['oovCount'] !== undefined)
      fail('option', system.fn, 'oovCount cannot be combined with pointer: false, which copies no words');

    const { weights, context, coverage, last } = attend(system, lengths);
    const steps = system.lengths('targetLengths', Tt);
    const coverageLoss = coverage && sum(fovea, minimum(fovea, weights, coverage));
    const affine = (x: Tensor, W: string, b: string): Tensor => add(fovea, matmul(fovea, x, p[W]!), p[b]!);
    const pVocab = softmax(fovea, affine(affine(concat(fovea, [s, context]), 'V', 'b'), 'Vprime', 'bprime'));
    const results = {
      weights: system.record('weights', '\\operatorname{softmax}(e^t)', ['step', 'token'], weights),
      context: system.record('context', 'h^*_t = \\textstyle\\sum_i a_i^t h_i', ['step', 'feature'], context),
      coverage: coverage && system.record('coverage', "c^t = \\textstyle\\sum_{t' < t} a^{t'}", ['step', 'token'], coverage),
      coverageLoss:
        coverageLoss && system.record('coverageLoss', '\\textstyle\\sum_i \\min(a_i^t, c_i^t)', ['step'], coverageLoss),
      state: last && { coverage: last.reshape([batch, Ts]) },
      pVocab: system.record('pVocab', "\\operatorname{softmax}(V'(V [s_t; h^*_t] + b) + b')", ['step', 'word'], pVocab),
    };
    const finish = (distribution: Tensor): Record<string, unknown> => {
      if (!system.has('targets')) return { ...results, distribution };
      const loss = meanLoss(system, distribution, 'targets', steps);
      const covered = coverageLoss && multiply(fovea, meanOverSteps(fovea, coverageLoss, steps), lambda);
      return { ...results, distribution, loss: covered ? add(fovea, loss, covered) : loss };
    };
    if (ids === undefined) return finish(pVocab);

    const x = system.input('decoderInputs');
    const terms = [matmul(fovea, context, p['whstar']!), matmul(fovea, s, p['ws']!), matmul(fovea, x, p['wx']!)];
    const pGen = sigmoid(fovea, system.sum(terms, p['bptr'])).reshape([batch, Tt, 1]);
    const rest = add(fovea, multiply(fovea, pGen, -1), 1);
    const generated = concat(fovea, [multiply(fovea, pVocab, pGen), zeros(fovea, [batch, Tt, ids.words - V])]);
    const copied = sumByWord(fovea, multiply(fovea, weights, rest), ids.list, ids.words);
    return {
      ...finish(
        system.record(
          'distribution',
          'p_{gen} P_{vocab}(w) + (1 - p_{gen}) \\textstyle\\sum_{i:\\, w_i = w} a_i^t',
          ['step', 'word'],
          add(fovea, generated, copied),
        ),
      ),
      pGen: system.record(
        'pGen',
        '\\sigma(w_{h^*}^\\top h^*_t + w_s^\\top s_t + w_x^\\top x_t + b_{ptr})',
        ['step'],
        pGen.reshape([batch, Tt]),
      ),
    };
  }) as unknown as PointerGeneratorResult<ResultArray<A>>;
}

interface Attended {
  /** [B, Tt, Ts]. */
  readonly weights: Tensor;
  /** [B, Tt, Hs]. */
  readonly context: Tensor;
  /** [B, Tt, Ts] before each step, and [B, 1, Ts] after the last; with wc. */
  readonly coverage: Tensor | undefined;
  readonly last: Tensor | undefined;
}

/** Attention step by step: with wc the coverage so far is one more feature of each key. The others are projected once for all steps. */
function attend(system: System, lengths: Lengths): Attended {
  const { fovea, batch, params: p } = system;
  const [Ts, Tt, Hs] = [system.size('Ts'), system.size('Tt'), system.size('Hs')];
  const [source, s, wc] = [system.input('source'), system.input('decoder'), p['wc']];
  const projected = matmul(fovea, source, p['Wh']!);
  const additive = score.additive({ Wq: p['Ws']!, w: p['v']!, bias: p['battn']! }, { keys: 'projected' });
  const asked = { score: additive, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
  const { coverage: initial } = system.initialState(wc ? { coverage: [Ts] } : {});

  let c = initial?.reshape([batch, 1, Ts]) ?? zeros(fovea, [batch, 1, Ts]);
  const [rows, contexts, covered]: Tensor[][] = [[], [], []];
  for (let t = 0; t < Tt; t++) {
    const keys = wc ? add(fovea, projected, multiply(fovea, c.reshape([batch, Ts, 1]), wc)) : projected;
    const { output, weights } = fovea.attention(rowOf(s, t), keys, source, asked);
    covered!.push(c);
    c = add(fovea, c, weights);
    rows!.push(weights);
    contexts!.push(output);
  }
  const stack = (list: readonly Tensor[], width: number): Tensor => stackRows(fovea, list, batch, [width]);
  const attended = { weights: stack(rows!, Ts), context: stack(contexts!, Hs) };
  return { ...attended, coverage: wc && stack(covered!, Ts), last: wc && c };
}
