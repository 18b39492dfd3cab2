/** Luong's local attention: a window of the source around the current step, or around a position that the state predicts. */
import { ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { concat, matmul, softmax, tanh } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { LuongInputs, LuongOptions, LuongResult } from './luong.ts';
import { localAttention, predictPositions, readLocalWindow } from './system/local_attention.ts';
import { wordLoss } from './system/loss.ts';
import { DECODER, decoderParams, decoderStateShapes, readInputFeeding, runDecoder } from './system/lstm_decoder.ts';
import type { DecoderState } from './system/lstm_decoder.ts';
import { luongScore, luongScoreParams } from './system/luong_score.ts';
import { booleanOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { Integers, runSystem, type Declaration } from './system/system.ts';

const declare = (inputs: unknown, options: LuongLocalOptions | undefined): Declaration => ({
  ...DECODER,
  fn: 'luongLocal',
  inputs: { source: 'Ts Hs', ...DECODER.inputs },
  ids: { 'targets?': 'Tt' },
  params: {
    ...luongScoreParams(options),
    ...(ownProperty(options, 'variant') === 'monotonic' ? { 'Wp?': 'S P', 'vp?': 'P' } : { Wp: 'S P', vp: 'P' }),
    ...{ Wc: 'Hs+S D', 'Ws?': 'D V' },
    ...decoderParams(inputs, ownProperty(options, 'inputFeeding') === true),
  },
  together: [['Wp', 'vp']],
  options: [
    ...['variant', 'D', 'sigma', 'gaussian', 'score', 'inputFeeding'],
    ...['sourceLengths', 'targetLengths', 'initialState'],
  ],
});

/** The inputs of `luong`. */
export type LuongLocalInputs<A extends ArrayInput = ArrayInput> = LuongInputs<A>;

export interface LuongLocalOptions extends Omit<LuongOptions, 'initialState'> {
  /** 'predictive' (default): p_t = S σ(vp·tanh(h_t Wp)); 'monotonic': p_t = t. */
  readonly variant?: 'predictive' | 'monotonic' | undefined;
  /** Half of the window's width, 0 or more; default 10. */
  readonly D?: number | undefined;
  /** The Gaussian's; default D/2, above 0. */
  readonly sigma?: number | undefined;
  /** Whether weights are multiplied by a Gaussian around p_t; default: whether it is predicted. */
  readonly gaussian?: boolean | undefined;
  /** `state` of a call before; what is left out is zeros. */
  readonly initialState?:
    (Partial<DecoderState<ArrayInput>> & { readonly position?: number | IntegerInput | undefined }) | undefined;
}

/** Without the axis B where the inputs have none. */
export interface LuongLocalResult<A> extends Omit<LuongResult<A>, 'state'> {
  /** [B, Tt]: p_t, from 0. */
  position: A;
  /** [B, Tt, Ts]: before the Gaussian. */
  alignment: A;
  /** `position` [B]: the steps done so far; the rest with decoderInputs. */
  state: { position: IntegerArray } & Partial<DecoderState<A>>;
}

/**
 * Luong's local attention, "local-p" and "local-m". h_t, the scores, h̃_t and p(y_t) are those of `luong`.
 *
 *     p_t = S σ(vp·tanh(h_t Wp)), S the source's length; or p_t = t
 *     align(s) = softmax(score(h_t, h̄_s)) over the s with |s - p_t| ≤ D
 *     a_t(s) = align(s) exp(-(s - p_t)² / 2σ²), not renormalized;   c_t = Σ_s a_t(s) h̄_s
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `decoder` or `decoderInputs`, `targets`.
 * @param params as `luong`, and Wp [S, P], vp [P] where positions are predicted.
 * @param options `variant`, `D`, `sigma`, `gaussian`, `score`, `inputFeeding`, `sourceLengths`, `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Differs from the paper: positions count from 0. With decoderInputs, T steps in one call have the bits of T calls of one step.
 * Source: Luong, Pham, Manning 2015, arXiv:1508.04025 §3.2 eq. 7, 9, 10.
 */
export function luongLocal<A extends ArrayInput>(
  fovea: Fovea,
  inputs: LuongLocalInputs<A>,
  params: ParamInput,
  options?: LuongLocalOptions,
): LuongLocalResult<ResultArray<A>> {
  return runSystem(declare(inputs, options), fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const source = system.input('source');
    const Tt = system.size('Tt');
    const lengths = system.lengths('sourceLengths', system.size('Ts'));
    const { score, keys } = luongScore(system);
    const isPredicted = system.choice('variant', ['predictive', 'monotonic']) === 'predictive';
    const window = readLocalWindow(system, booleanOption(system, 'gaussian', isPredicted));
    const { Wp, vp, Wc, Ws } = system.params;
    const isFed = readInputFeeding(system);
    const initial = system.initialState(decoderStateShapes(system, isFed), ['position']);
    const done = system.initialIntegers('position', 2 ** 29);
    const steps = (from: number, count: number): number[] =>
      done.flatMap((before) => Array.from({ length: count }, (_, n) => before + from + n));

    const { rows, states, state } = runDecoder(system, initial, isFed, (h, t) => {
      const count = h.shape[1]!;
      const position = isPredicted
        ? predictPositions(system, h, { Wp: Wp!, vp: vp! }, lengths)
        : fovea.tensor(steps(t, count), [batch, count]);
      const { context, ...local } = localAttention(system, [h, keys, source, position], score, lengths, window);
      const attentional = tanh(fovea, matmul(fovea, concat(fovea, [context, h]), Wc!));
      const probability = Ws && softmax(fovea, matmul(fovea, attentional, Ws));
      return { position, ...local, context, attentional, ...(probability && { probability }) };
    });
    system.record('states', 'h_t', ['step', 'feature'], states);
    system.record('position', isPredicted ? 'S\\,\\sigma(v_p^\\top \\tanh(h_t W_p))' : 't', ['step'], rows.position);
    system.record(
      'alignment',
      '\\operatorname{softmax}_{|s - p_t| \\le D}(\\operatorname{score}(h_t, \\bar h_s))',
      ['step', 'token'],
      rows.alignment,
    );
    const factor = window.sigma === null ? '' : '\\exp(-(s - p_t)^2 / 2\\sigma^2)';
    system.record('weights', `\\operatorname{align}(s)\\,${factor}`, ['step', 'token'], rows.weights);
    system.record('context', '\\textstyle\\sum_s a_t(s)\\, \\bar h_s', ['step', 'feature'], rows.context);
    system.record('attentional', '\\tanh([c_t; h_t] W_c)', ['step', 'feature'], rows.attentional);
    const loss = wordLoss(system, rows.probability, Tt, '\\operatorname{softmax}(\\tilde h_t W_s)');
    const position = new Integers(
      Int32Array.from(done, (before) => before + Tt),
      [batch],
    );
    return { ...rows, states, loss, state: { position, ...state } };
  }) as unknown as LuongLocalResult<ResultArray<A>>;
}
