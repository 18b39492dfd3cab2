/** Bahdanau's encoder-decoder: an alignment at every step of the decoder, by the additive score. */
import type { Fovea } from '../fovea/fovea.ts';
import { matmul } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { DECODER_PARAMS, runBahdanauDecoder } from './system/bahdanau_decoder.ts';
import type { LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'bahdanau',
  inputs: { source: 'Ts Hs', decoderInputs: 'Tt E' },
  ids: { 'targets?': 'Tt' },
  params: { Wa: 'S A', Ua: 'Hs A', va: 'A', 'ba?': 'A', ...DECODER_PARAMS },
  together: [['Uo', 'Vo', 'Co', 'Wo']],
  options: ['sourceLengths', 'targetLengths', 'initialState', 'readout'],
} as const satisfies Declaration;

export interface BahdanauInputs<A extends ArrayInput = ArrayInput> {
  /** [Ts, Hs] or [B, Ts, Hs]: the states of the encoder, forward and backward halves side by side. */
  readonly source: A;
  /** [Tt, E]: row t is the embedding of word t - 1; row 0 that of the start. */
  readonly decoderInputs: ArrayInput;
  /** [Tt]: the words to be predicted. */
  readonly targets?: IntegerInput | undefined;
}

export interface BahdanauOptions {
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; wins over Ws. */
  readonly initialState?: { readonly s?: ArrayInput | undefined } | undefined;
  /** The state that the readout reads: 'previous' (default, A.2.2) or 'current' (eq. 4). */
  readonly readout?: 'previous' | 'current' | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface BahdanauResult<A> {
  /** [B, Tt, Ts]. */
  weights: A;
  /** [B, Tt, Hs]. */
  context: A;
  /** [B, Tt, S]: s_1 … s_Tt. */
  states: A;
  /** [B, Tt, V]: with Wo. */
  probability?: A;
  /** [B]: with targets. */
  loss?: A;
  state: { s: A };
  trace?: TraceStage[];
}

/**
 * Bahdanau's decoder: its state asks the source at every step, by the additive score.
 *
 *     e_tj = va·tanh(s_{t-1} Wa + h_j Ua),   a_t = softmax(e_t),   c_t = Σ_j a_tj h_j
 *     z, r = σ(y_{t-1} Wz + s_{t-1} Uz + c_t Cz), σ(y_{t-1} Wr + s_{t-1} Ur + c_t Cr)
 *     s̃_t = tanh(y_{t-1} W + (r ⊙ s_{t-1}) U + c_t C),   s_t = (1 - z) ⊙ s_{t-1} + z ⊙ s̃_t
 *     t̃_t = s_{t-1} Uo + y_{t-1} Vo + c_t Co,   p_t = softmax(maxout(t̃_t) Wo)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `decoderInputs`, `targets`.
 * @param params by the paper's letters: Wa [S, A], Ua [Hs, A], va [A]; W, Wz, Wr [E, S]; U, Uz, Ur [S, S]; C, Cz, Cr [Hs, S]; optional Ws
 *   [Hs - ⌊Hs/2⌋, S]; optional together Uo [S, 2l], Vo [E, 2l], Co [Hs, 2l], Wo [l, V]; optional biases ba, b, bz, br, bs, bt, bo.
 * @param options `sourceLengths`, `targetLengths`, `initialState`, `readout`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Bahdanau, Cho, Bengio 2015, arXiv:1409.0473 §3.1, A.1.2, A.2.2: its GRU resets before the product, and z takes the new state.
 */
export function bahdanau<A extends ArrayInput>(
  fovea: Fovea,
  inputs: BahdanauInputs<A>,
  params: ParamInput,
  options?: BahdanauOptions,
): BahdanauResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const source = system.input('source');
    const { Wa, Ua, va, ba } = system.params;
    const lengths = system.lengths('sourceLengths', system.size('Ts'));
    const keys = matmul(fovea, source, Ua!); // once for all steps
    const alignment = score.additive({ Wq: Wa!, w: va!, ...(ba && { bias: ba }) }, { keys: 'projected' });
    const options = { score: alignment, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
    const align = (s: Tensor) => fovea.attention(s, keys, source, options);
    return runBahdanauDecoder(system, lengths, align, '\\operatorname{softmax}(v_a^\\top \\tanh(s_{t-1} W_a + h_j U_a))');
  }) as unknown as BahdanauResult<ResultArray<A>>;
}
