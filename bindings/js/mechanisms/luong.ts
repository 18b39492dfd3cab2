/** Luong's global attention: the current state of the decoder asks the whole source. */
import { ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { concat, matmul, softmax, tanh } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { LengthsOption } from './system/lengths.ts';
import { wordLoss } from './system/loss.ts';
import { DECODER, decoderParams, decoderStateShapes, readInputFeeding, runDecoder } from './system/lstm_decoder.ts';
import type { DecoderInputs, DecoderState } from './system/lstm_decoder.ts';
import { luongScore, luongScoreParams, type LuongScore } from './system/luong_score.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const declare = (inputs: unknown, options: LuongOptions | undefined): Declaration => ({
  ...DECODER,
  fn: 'luong',
  inputs: { source: 'Ts Hs', ...DECODER.inputs },
  ids: { 'targets?': 'Tt' },
  params: {
    ...luongScoreParams(options),
    ...{ Wc: 'Hs+S D', 'Ws?': 'D V' },
    ...decoderParams(inputs, ownProperty(options, 'inputFeeding') === true),
  },
  options: ['score', 'inputFeeding', 'sourceLengths', 'targetLengths', 'initialState'],
});

/** `decoder` or `decoderInputs`, exactly one of them. */
export interface LuongInputs<A extends ArrayInput = ArrayInput> extends DecoderInputs {
  /** [Ts, Hs] or [B, Ts, Hs]: the states of the encoder. */
  readonly source: A;
  /** [Tt]: the words to be predicted. */
  readonly targets?: IntegerInput | undefined;
}

export interface LuongOptions {
  /** 'dot' h·h̄, 'general' (default) (h Wa)·h̄, or 'concat' va·tanh([h; h̄] Wa). */
  readonly score?: LuongScore | undefined;
  /** Whether the LSTM reads the attentional vector of the step before, too; default false. */
  readonly inputFeeding?: boolean | undefined;
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; what is left out is zeros. */
  readonly initialState?: Partial<DecoderState<ArrayInput>> | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface LuongResult<A> {
  /** [B, Tt, Ts]. */
  weights: A;
  /** [B, Tt, Hs]. */
  context: A;
  /** [B, Tt, D]: h̃. */
  attentional: A;
  /** [B, Tt, S]: h_t. */
  states: A;
  /** [B, Tt, V]: with Ws. */
  probability?: A;
  /** [B]: with Ws and targets. */
  loss?: A;
  /** With decoderInputs. */
  state?: DecoderState<A>;
  trace?: TraceStage[];
}

/**
 * Luong's global attention. h_t is the top of the decoder's LSTM on x_t, or on [x_t; h̃_{t-1}] with input feeding.
 *
 *     a_t = softmax_s(score(h_t, h̄_s)),   c_t = Σ_s a_t(s) h̄_s
 *     h̃_t = tanh([c_t; h_t] Wc),   p_t = softmax(h̃_t Ws)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `decoder` or `decoderInputs`, `targets`.
 * @param params Wa [S, Hs], or [S + Hs, A] and va [A] with the score 'concat', none with 'dot'; Wc [Hs + S, D]; optional Ws [D, V];
 *   with decoderInputs the state dict `decoder` of an LSTM that reads E wide, E + D with input feeding.
 * @param options `score`, `inputFeeding`, `sourceLengths`, `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * With decoderInputs, T steps in one call have the bits of T calls of one step.
 * Source: Luong, Pham, Manning 2015, arXiv:1508.04025 §3.1 eq. 5 to 8, §3.3.
 */
export function luong<A extends ArrayInput>(
  fovea: Fovea,
  inputs: LuongInputs<A>,
  params: ParamInput,
  options?: LuongOptions,
): LuongResult<ResultArray<A>> {
  return runSystem(declare(inputs, options), fovea, inputs, params, options, (system) => {
    const source = system.input('source');
    const lengths = system.lengths('sourceLengths', system.size('Ts'));
    const { score, keys } = luongScore(system);
    const { Wc, Ws } = system.params;
    const isFed = readInputFeeding(system);
    const initial = system.initialState(decoderStateShapes(system, isFed));

    const { rows, states, state } = runDecoder(system, initial, isFed, (h) => {
      const attention = { score, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
      const { output: context, weights } = fovea.attention(h, keys, source, attention);
      const attentional = tanh(fovea, matmul(fovea, concat(fovea, [context, h]), Wc!));
      const probability = Ws && softmax(fovea, matmul(fovea, attentional, Ws));
      return { weights, context, attentional, ...(probability && { probability }) };
    });
    system.record('states', 'h_t', ['step', 'feature'], states);
    system.record(
      'weights',
      '\\operatorname{softmax}_s(\\operatorname{score}(h_t, \\bar h_s))',
      ['step', 'token'],
      rows.weights,
    );
    system.record('context', '\\textstyle\\sum_s a_t(s)\\, \\bar h_s', ['step', 'feature'], rows.context);
    system.record('attentional', '\\tanh([c_t; h_t] W_c)', ['step', 'feature'], rows.attentional);
    const loss = wordLoss(system, rows.probability, system.size('Tt'), '\\operatorname{softmax}(\\tilde h_t W_s)');
    return { ...rows, states, state, loss };
  }) as unknown as LuongResult<ResultArray<A>>;
}
