/** CopyNet: words of the vocabulary and positions of the source compete in one softmax, and what was copied is read again. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, embedding, matmul, softmax, tanh, transpose } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { existingIds } from './system/ids.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { gruStep, layerParams } from './system/recurrent.ts';
import { rowOf, stackRows, zeros } from './system/steps.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';
import { readSourceIds, sumByWord } from './system/words.ts';

const DECLARATION = {
  fn: 'copyNet',
  inputs: { source: 'Ts Hs' },
  ids: { sourceIds: 'Ts', decoderIds: 'Tt', 'targets?': 'Tt' },
  params: {
    ...{ embedding: 'V E', Wa: 'S A', Ua: 'Hs A', va: 'A' },
    ...layerParams('decoder', 3, 'E+2Hs', 'S'),
    ...{ Wo: 'S V', Wc: 'Hs S' },
  },
  options: ['unk', 'oovCount', 'sourceLengths', 'targetLengths', 'initialState'],
} as const satisfies Declaration;

export interface CopyNetInputs<A extends ArrayInput = ArrayInput> {
  /** [Ts, Hs] or [B, Ts, Hs]: M, the states of the encoder. */
  readonly source: A;
  /** [Ts]: ids below V, or V + k of the k-th word of that source which the vocabulary lacks. */
  readonly sourceIds: IntegerInput;
  /** [Tt]: y_{t-1}, ids below V + X. */
  readonly decoderIds: IntegerInput;
  /** [Tt]: ids below V + X. */
  readonly targets?: IntegerInput | undefined;
}

export interface CopyNetOptions {
  /** The id whose embedding stands for a word that the vocabulary lacks; default V - 1. */
  readonly unk?: number | undefined;
  /** X, how many words the vocabulary lacks; default as many as `sourceIds` has, the largest of the batch. */
  readonly oovCount?: number | undefined;
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; default 0. */
  readonly initialState?: { readonly s?: ArrayInput | undefined } | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface CopyNetResult<A> {
  /** [B, Tt, V + X]. */
  distribution: A;
  /** [B, Tt, V]: what generating gives each word. */
  generate: A;
  /** [B, Tt, Ts]: what copying gives each position. */
  copy: A;
  /** [B, Tt, Ts]: of the attentive read. */
  weights: A;
  /** [B, Tt, Hs]: c. */
  context: A;
  /** [B, Tt, Ts]: ρ. */
  selectiveWeights: A;
  /** [B, Tt, Hs]: ζ. */
  selectiveRead: A;
  /** [B, Tt, S]. */
  states: A;
  /** [B]: with targets. */
  loss?: A;
  state: { s: A };
  trace?: TraceStage[];
}

/**
 * CopyNet's decoder: it reads the source by attention, reads again what it has just copied, then generates or copies.
 *
 *     a_tj = softmax_j(va·tanh(s_{t-1} Wa + h_j Ua)),   c_t = Σ_j a_tj h_j
 *     ψ_g(v) = (s_t Wo)_v,   ψ_c(x_j; s_t) = tanh(h_j Wc)·s_t
 *     ρ_tj = softmax of ψ_c(x_j; s_{t-1}) over the positions with x_j = y_{t-1},   ζ_t = Σ_j ρ_tj h_j
 *     s_t = GRU([e(y_{t-1}); ζ_t; c_t], s_{t-1})
 *     p(w) = (exp ψ_g(w) + Σ_{j: x_j = w} exp ψ_c(x_j)) / Z,   Z = Σ_v exp ψ_g(v) + Σ_j exp ψ_c(x_j)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `sourceIds`, `decoderIds`, `targets`.
 * @param params embedding [V, E], V with UNK; Wa [S, A], Ua [Hs, A], va [A]; `decoder`: the state dict of a GRU E + Hs + Hs → S; Wo [S, V];
 *   Wc [Hs, S].
 * @param options `unk`, `oovCount`, `sourceLengths`, `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Gu, Lu, Li, Li 2016, arXiv:1603.06393 §3; the score of the attentive read is Bahdanau's, f is PyTorch's GRU.
 */
export function copyNet<A extends ArrayInput>(
  fovea: Fovea,
  inputs: CopyNetInputs<A>,
  params: ParamInput,
  options?: CopyNetOptions,
): CopyNetResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch, params: p } = system;
    const [Ts, Tt, Hs, S, V] = ['Ts', 'Tt', 'Hs', 'S', 'V'].map((letter) => system.size(letter)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const lengths = system.lengths('sourceLengths', Ts);
    const source = lengths.masked(system.input('source'));
    const ids = readSourceIds(system, lengths, V);
    const previous = existingIds(system, 'decoderIds', Lengths.whole(batch, Tt), ids.words);
    const embedded = embedWords(system, previous, V);
    const keys = matmul(fovea, source, p['Ua']!); // once for all steps
    const alignment = score.additive({ Wq: p['Wa']!, w: p['va']! }, { keys: 'projected' });
    const asked = { score: alignment, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
    const copies = transpose(fovea, tanh(fovea, matmul(fovea, source, p['Wc']!)));
    const padding = lengths.forbidden(fovea);

    let s = system.initialState({ s: [S] })['s']?.reshape([batch, 1, S]) ?? zeros(fovea, [batch, 1, S]);
    const [weights, contexts, selective, read, states, both]: Tensor[][] = [[], [], [], [], [], []];
    for (let t = 0; t < Tt; t++) {
      const { output: c, weights: a } = fovea.attention(s, keys, source, asked);
      const others = otherWords(system, ids.list, previous, t, lengths);
      const rho = softmax(fovea, add(fovea, matmul(fovea, s, copies), others));
      const zeta = matmul(fovea, rho, source);
      s = gruStep(fovea, concat(fovea, [rowOf(embedded, t), zeta, c]), s, system.group('decoder.'));
      const psi = [matmul(fovea, s, p['Wo']!), add(fovea, matmul(fovea, s, copies), padding)] as const;
      both!.push(softmax(fovea, concat(fovea, psi)));
      weights!.push(a);
      contexts!.push(c);
      selective!.push(rho);
      read!.push(zeta);
      states!.push(s);
    }
    const stack = (list: readonly Tensor[], width: number): Tensor => stackRows(fovea, list, batch, [width]);
    const joint = stack(both!, V + Ts);
    const [generate, copy] = [joint.slice(2, 0, V).clone(), joint.slice(2, V).clone()];
    const extended = concat(fovea, [generate, zeros(fovea, [batch, Tt, ids.words - V])]);
    const distribution = add(fovea, extended, sumByWord(fovea, copy, ids.list, ids.words));
    const steps = system.lengths('targetLengths', Tt);
    return {
      weights: system.record(
        'weights',
        '\\operatorname{softmax}(v_a^\\top \\tanh(s_{t-1} W_a + h_j U_a))',
        ['step', 'token'],
        stack(weights!, Ts),
      ),
      context: system.record('context', '\\textstyle\\sum_j a_{tj} h_j', ['step', 'feature'], stack(contexts!, Hs)),
      selectiveWeights: system.record(
        'selectiveWeights',
        '\\operatorname{softmax}_{j:\\, x_j = y_{t-1}} \\psi_c(x_j; s_{t-1})',
        ['step', 'token'],
        stack(selective!, Ts),
      ),
      selectiveRead: system.record(
        'selectiveRead',
        '\\zeta_t = \\textstyle\\sum_j \\rho_{tj} h_j',
        ['step', 'feature'],
        stack(read!, Hs),
      ),
      states: system.record(
        'states',
        's_t = \\mathrm{GRU}([e(y_{t-1}); \\zeta_t; c_t], s_{t-1})',
        ['step', 'feature'],
        stack(states!, S),
      ),
      generate: system.record('generate', '\\exp(\\psi_g(v)) / Z', ['step', 'word'], generate),
      copy: system.record('copy', '\\exp(\\psi_c(x_j)) / Z', ['step', 'token'], copy),
      distribution: system.record(
        'distribution',
        'p(w, g) + \\textstyle\\sum_{j:\\, x_j = w} p(x_j, c)',
        ['step', 'word'],
        distribution,
      ),
      loss: system.has('targets') ? meanLoss(system, distribution, 'targets', steps) : undefined,
      state: { s: s.reshape([batch, S]) },
    };
  }) as unknown as CopyNetResult<ResultArray<A>>;
}

/** The embeddings of y_{t-1}, [B, Tt, E]: that of `unk` for a word that the vocabulary lacks. */
function embedWords(system: System, previous: Int32Array, V: number): Tensor {
  const unk = integerOption(system, 'unk', 0, V - 1, V - 1);
  const known = previous.map((id) => (id < V ? id : unk));
  return embedding(system.fovea, { data: known, shape: [system.batch, system.size('Tt')] }, system.params['embedding']!);
}

/** 0 at the positions of the source that have the word y_{t-1} of step t, -Infinity elsewhere: [B, 1, Ts]. */
function otherWords(system: System, sourceIds: Int32Array, previous: Int32Array, t: number, lengths: Lengths): Tensor {
  const [Ts, Tt] = [lengths.size, system.size('Tt')];
  const mask = Float32Array.from(sourceIds, (id, n) => {
    const b = Math.floor(n / Ts);
    return n % Ts < lengths.list[b]! && id === previous[b * Tt + t] ? 0 : -Infinity;
  });
  return system.fovea.tensor(mask, [system.batch, 1, Ts]);
}
