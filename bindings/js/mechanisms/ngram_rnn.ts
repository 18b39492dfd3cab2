/** The N-gram recurrent network: the next word by parts of the last N - 1 states, without attention. */
import { ownProperty } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { concat, matmul, softmax, tanh } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { KeyValuePredictInputs } from './key_value_predict.ts';
import type { LengthsOption } from './system/lengths.ts';
import { wordLoss } from './system/loss.ts';
import { lstmParams, lstmStateShapes, runLstm, type LstmState } from './system/lstm_layers.ts';
import type { ParamInput } from './system/params.ts';
import { zeros } from './system/steps.ts';
import { runSystem, type Declaration } from './system/system.ts';

const declare = (inputs: unknown): Declaration => ({
  fn: 'ngramRnn',
  inputs: { 'hidden?': 'T W', 'embeddings?': 'T E' },
  oneOf: [['hidden', 'embeddings']],
  ids: { 'targets?': 'T' },
  params: {
    ...{ WN: 'W k', 'Wstar?': 'k V', 'b?': 'V' },
    ...(ownProperty(inputs, 'embeddings') !== undefined && lstmParams('rnn.', 'E', '4W', 'W')),
  },
  groups: ['rnn.'],
  options: ['targetLengths', 'initialState'],
});

/** `hidden` [T, (N-1)k], given, or `embeddings` [T, E], exactly one of them; `targets` [T], the next words. */
export type NgramRnnInputs<A extends ArrayInput = ArrayInput> = KeyValuePredictInputs<A>;

export interface NgramRnnState<A> extends Partial<LstmState<A>> {
  /** [N-2, (N-1)k]: the last states. */
  hidden: A;
}

export interface NgramRnnOptions {
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; what is left out is zeros. */
  readonly initialState?: Partial<NgramRnnState<ArrayInput>> | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface NgramRnnResult<A> {
  /** [B, T, k]. */
  hStar: A;
  /** [B, T, V]: with Wstar. */
  probability?: A;
  /** [B]: with Wstar and targets. */
  loss?: A;
  /** [B, T, (N-1)k]: with embeddings. */
  hidden?: A;
  /** h and c with embeddings. */
  state: NgramRnnState<A>;
  trace?: TraceStage[];
}

/**
 * The N-gram recurrent network: a state has N - 1 parts, each k wide, and part m is read m - 1 tokens later.
 *
 *     h*_t = tanh([h_t^1; h_{t-1}^2; …; h_{t-N+2}^{N-1}] WN),   y_t = softmax(h*_t Wstar + b)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `hidden` or `embeddings`, `targets`.
 * @param params WN [(N-1)k, k], from which N and k follow; optional Wstar [k, V], b [V]; with embeddings the state dict `rnn` of an
 *   LSTM whose states are (N-1)k wide.
 * @param options `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Tokens before the first are zeros.
 * Source: Daniluk, Rocktäschel, Welbl, Riedel 2017, arXiv:1702.04521 §2.4.
 */
export function ngramRnn<A extends ArrayInput>(
  fovea: Fovea,
  inputs: NgramRnnInputs<A>,
  params: ParamInput,
  options?: NgramRnnOptions,
): NgramRnnResult<ResultArray<A>> {
  return runSystem(declare(inputs), fovea, inputs, params, options, (system) => {
    const [T, W, k] = [system.size('T'), system.size('W'), system.size('k')];
    const { WN, Wstar, b } = system.params;
    const parts = W / k;
    if (!Number.isInteger(parts) || parts === 0) fail('shape', system.fn, `WN must be [(N-1)k, k], got [${W}, ${k}]`);
    const computes = system.has('embeddings');
    const initial = system.initialState({ hidden: [parts - 1, W], ...(computes && lstmStateShapes(system, 'rnn.', W)) });

    const { output, ...rnn } = computes
      ? runLstm(system, 'rnn.', system.input('embeddings'), initial)
      : { output: system.input('hidden') };
    const before = initial['hidden'] ?? zeros(fovea, [system.batch, parts - 1, W]);
    const all = concat(fovea, [before, output], { axis: 1 });
    const part = (m: number): Tensor => all.slice(1, parts - 1 - m, parts - 1 - m + T).slice(2, m * k, (m + 1) * k);
    const read = concat(fovea, [part(0), ...Array.from({ length: parts - 1 }, (_, m) => part(m + 1))]);
    const hStar = tanh(fovea, matmul(fovea, read, WN!));
    system.record('hStar', '\\tanh([h_t^1; h_{t-1}^2; \\dots; h_{t-N+2}^{N-1}] W_N)', ['token', 'feature'], hStar);
    const probability = Wstar && softmax(fovea, system.sum([matmul(fovea, hStar, Wstar)], b));
    return {
      ...{ hStar, probability },
      loss: wordLoss(system, probability, T, '\\operatorname{softmax}(h^*_t W^* + b)'),
      hidden: computes ? output : undefined,
      state: { hidden: all.slice(1, T, T + parts - 1).clone(), ...rnn },
    };
  }) as unknown as NgramRnnResult<ResultArray<A>>;
}
