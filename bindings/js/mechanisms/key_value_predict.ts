/** Key-value-predict attention: a language model whose states have a part for each task of the memory. */
import { ownProperty } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, matmul, softmax, tanh } from '../ops/index.ts';
import { bias, score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { LengthsOption } from './system/lengths.ts';
import { wordLoss } from './system/loss.ts';
import { lstmParams, lstmStateShapes, runLstm, type LstmState } from './system/lstm_layers.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { zeros } from './system/steps.ts';
import { runSystem, type Declaration } from './system/system.ts';

const PARTS = { keyValuePredict: 3, keyValue: 2, attention: 1 } as const;

const declare = (inputs: unknown, options: KeyValuePredictOptions | undefined): Declaration => {
  const variant = ownProperty(options, 'variant') ?? 'keyValuePredict';
  const parts = (typeof variant === 'string' ? (ownProperty(PARTS, variant) as number | undefined) : undefined) ?? 3;
  const computes = ownProperty(inputs, 'embeddings') !== undefined;
  return {
    fn: 'keyValuePredict',
    inputs: { 'hidden?': `T ${parts}k`, 'embeddings?': 'T E' },
    oneOf: [['hidden', 'embeddings']],
    ids: { 'targets?': 'T' },
    params: {
      ...{ WY: 'k A', Wh: 'k A', w: 'A', Wr: 'k D', Wx: 'k D', 'Wstar?': 'D V', 'b?': 'V' },
      ...(computes && lstmParams('rnn.', 'E', `${4 * parts}k`, `${parts}k`)),
    },
    groups: ['rnn.'],
    options: ['variant', 'L', 'targetLengths', 'initialState'],
  };
};

/** Exactly one of `hidden` and `embeddings`. */
export interface KeyValuePredictInputs<A extends ArrayInput = ArrayInput> {
  /** [T, parts·k] or [B, T, parts·k]: the states h_t, given. */
  readonly hidden?: A | undefined;
  /** [T, E]: what the LSTM of `params.rnn` reads. */
  readonly embeddings?: A | undefined;
  /** [T]: the next words. */
  readonly targets?: IntegerInput | undefined;
}

export interface KeyValuePredictOptions {
  /** The parts of a state: key, value and prediction (default); key and value, which predicts, too; one part for all. */
  readonly variant?: keyof typeof PARTS | undefined;
  /** The tokens before the current one that are seen; default 5. */
  readonly L?: number | undefined;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before: keys and values [P, k], the nearest last. */
  readonly initialState?: Partial<KeyValuePredictState<ArrayInput>> | undefined;
  readonly trace?: boolean | undefined;
}

export interface KeyValuePredictState<A> extends Partial<LstmState<A>> {
  /** [min(L, P + T), k]. */
  keys: A;
  /** [min(L, P + T), k]. */
  values: A;
}

/** Without the axis B where the inputs have none. */
export interface KeyValuePredictResult<A> {
  /** [B, T, P + T]: the carried memory, then the tokens of this call. */
  weights: A;
  /** [B, T, k]: r_t. */
  context: A;
  /** [B, T, D]: h*_t. */
  hStar: A;
  /** [B, T, V]: with Wstar. */
  probability?: A;
  /** [B]: with Wstar and targets. */
  loss?: A;
  /** [B, T, parts·k]: with embeddings. */
  hidden?: A;
  /** h and c with embeddings. */
  state: KeyValuePredictState<A>;
  trace?: TraceStage[];
}

/**
 * Key-value-predict attention of a language model over its last L tokens; the current token is not among them.
 *
 *     h_t = [k_t; v_t; p_t]
 *     M_t = tanh([k_{t-L} … k_{t-1}] WY + k_t Wh),   α_t = softmax(M_t w),   r_t = Σ_j α_tj v_j
 *     h*_t = tanh(r_t Wr + p_t Wx),   y_t = softmax(h*_t Wstar + b)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `hidden` or `embeddings`, `targets`.
 * @param params WY, Wh [k, A], w [A], Wr, Wx [k, D]; optional Wstar [D, V], b [V]; with embeddings the state dict `rnn` of an LSTM
 *   whose states are parts·k wide.
 * @param options `variant`, `L`, `targetLengths`, `initialState`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Memory before the first token does not exist: where there is none, weights and r_t are 0.
 * Source: Daniluk, Rocktäschel, Welbl, Riedel 2017, arXiv:1702.04521 §2.1 to 2.3.
 */
export function keyValuePredict<A extends ArrayInput>(
  fovea: Fovea,
  inputs: KeyValuePredictInputs<A>,
  params: ParamInput,
  options?: KeyValuePredictOptions,
): KeyValuePredictResult<ResultArray<A>> {
  return runSystem(declare(inputs, options), fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const parts = PARTS[system.choice('variant', ['keyValuePredict', 'keyValue', 'attention'])];
    const [T, k] = [system.size('T'), system.size('k')];
    const L = integerOption(system, 'L', 0, 2 ** 29, 5);
    const { WY, Wh, w, Wr, Wx, Wstar, b } = system.params;
    const computes = system.has('embeddings');
    const memory = { keys: ['P', k], values: ['P', k] };
    const initial = system.initialState({ ...memory, ...(computes && lstmStateShapes(system, 'rnn.', parts * k)) });
    const [oldKeys, oldValues] = [
      initial['keys'] ?? zeros(fovea, [batch, 0, k]),
      initial['values'] ?? zeros(fovea, [batch, 0, k]),
    ];
    const P = oldKeys.shape[1]!;
    if (oldValues.shape[1] !== P) fail('value', system.fn, 'initialState must have keys and values together, got one of them');

    const { output, ...rnn } = computes
      ? runLstm(system, 'rnn.', system.input('embeddings'), initial)
      : { output: system.input('hidden') };
    const part = (n: number): Tensor => output.slice(2, n * k, (n + 1) * k);
    const [key, value, predict] = [part(0), part(Math.min(1, parts - 1)), part(parts - 1)];
    const keys = concat(fovea, [oldKeys, key], { axis: 1 });
    const values = concat(fovea, [oldValues, value], { axis: 1 });
    const { output: context, weights } = fovea.attention(key, keys, values, {
      score: score.additive({ Wq: Wh!, Wk: WY!, w: w! }),
      layout: 'btd',
      causalOffset: P,
      window: [L, 0],
      bias: bias.direction('forward'),
      returnWeights: true,
    });
    const hStar = tanh(fovea, add(fovea, matmul(fovea, context, Wr!), matmul(fovea, predict, Wx!)));
    system.record('weights', '\\operatorname{softmax}(\\tanh(Y_t W_Y + k_t W_h)\\, w)', ['query', 'key'], weights);
    system.record('context', '\\textstyle\\sum_j \\alpha_{tj} v_j', ['token', 'feature'], context);
    system.record('hStar', '\\tanh(r_t W_r + p_t W_x)', ['token', 'feature'], hStar);
    const probability = Wstar && softmax(fovea, system.sum([matmul(fovea, hStar, Wstar)], b));
    const last = (rows: Tensor): Tensor => rows.slice(1, P + T - Math.min(L, P + T), P + T).clone();
    return {
      ...{ weights, context, hStar, probability },
      loss: wordLoss(system, probability, T, '\\operatorname{softmax}(h^*_t W^* + b)'),
      hidden: computes ? output : undefined,
      state: { keys: last(keys), values: last(values), ...rnn },
    };
  }) as unknown as KeyValuePredictResult<ResultArray<A>>;
}
