/** Translation from two sources: their encoders' states combined, and local attention to each. */
import { ownProperties, ownProperty } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, concat, matmul, multiply, sigmoid, softmax, tanh } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { LuongLocalOptions } from './luong_local.ts';
import type { LengthsOption } from './system/lengths.ts';
import { localAttention, predictPositions, readLocalWindow } from './system/local_attention.ts';
import { wordLoss } from './system/loss.ts';
import { DECODER, decoderParams, decoderStateShapes, readInputFeeding, runDecoder } from './system/lstm_decoder.ts';
import type { DecoderInputs, DecoderState } from './system/lstm_decoder.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const declare = (inputs: unknown, options: MultiSourceOptions | undefined): Declaration => {
  const letters = ['i', 'f', 'o', 'u'].flatMap((gate) => [`combine.W1${gate}`, `combine.W2${gate}`]);
  const combine =
    ownProperty(options, 'combination') === 'childSum' ? letters.map((name) => [name, 'S S']) : [['combine.Wc', '2S S']];
  const combines = ownProperty(inputs, 'h1') !== undefined;
  const attention = (n: number): Record<string, string> => ({
    [`attention${n}.Wa`]: `S Hs${n}`,
    [`attention${n}.Wp`]: `S P${n}`,
    [`attention${n}.vp`]: `P${n}`,
  });
  return {
    ...DECODER,
    fn: 'multiSource',
    inputs: {
      ...{ source1: 'T1 Hs1', source2: 'T2 Hs2', 'h1?': 'S', 'c1?': 'S', 'h2?': 'S', 'c2?': 'S' },
      ...DECODER.inputs,
    },
    ids: { 'targets?': 'Tt' },
    together: [['h1', 'c1', 'h2', 'c2']],
    params: {
      ...Object.fromEntries(combine.map(([name, axes]) => [combines ? name : `${name}?`, axes])),
      ...attention(1),
      ...attention(2),
      ...{ Wc: 'S+Hs1+Hs2 D', 'Ws?': 'D V' },
      ...decoderParams(inputs, ownProperty(options, 'inputFeeding') === true),
    },
    options: [
      ...['combination', 'D', 'sigma', 'inputFeeding', 'initialState'],
      ...['source1Lengths', 'source2Lengths', 'targetLengths'],
    ],
  };
};

/** h1, c1, h2, c2 [S], the last states of the encoders, together or not at all; `decoder` or `decoderInputs`. */
export interface MultiSourceInputs<A extends ArrayInput = ArrayInput> extends DecoderInputs {
  /** [T1, Hs1] or [B, T1, Hs1]. */
  readonly source1: A;
  /** [T2, Hs2]. */
  readonly source2: ArrayInput;
  readonly h1?: ArrayInput | undefined;
  readonly c1?: ArrayInput | undefined;
  readonly h2?: ArrayInput | undefined;
  readonly c2?: ArrayInput | undefined;
  /** [Tt]: the words to be predicted. */
  readonly targets?: IntegerInput | undefined;
}

export interface MultiSourceOptions extends Pick<
  LuongLocalOptions,
  'D' | 'sigma' | 'inputFeeding' | 'targetLengths' | 'trace'
> {
  /** Default 'basic'. */
  readonly combination?: 'basic' | 'childSum' | undefined;
  readonly source1Lengths?: LengthsOption;
  readonly source2Lengths?: LengthsOption;
  /** `state` of a call before; wins over the combined state. */
  readonly initialState?: Partial<DecoderState<ArrayInput>> | undefined;
}

/** Without the axis B where the inputs have none. */
export interface MultiSourceResult<A> {
  /** [B, S]: the combined states, with h1 … c2. */
  h?: A;
  c?: A;
  /** [B, Tt]. */
  position1: A;
  position2: A;
  /** [B, Tt, T1] and [B, Tt, T2]: before the Gaussian. */
  alignment1: A;
  alignment2: A;
  weights1: A;
  weights2: A;
  /** [B, Tt, Hs1] and [B, Tt, Hs2]. */
  context1: A;
  context2: A;
  /** [B, Tt, D]. */
  attentional: A;
  /** [B, Tt, S]. */
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
 * Multi-source translation. The decoder begins with the combined states of two encoders:
 *
 *     basic: h = tanh([h1; h2] combine.Wc),   c = c1 + c2
 *     childSum: i, o = σ(h1 W1 + h2 W2),  u = tanh(h1 W1u + h2 W2u),  f1 = σ(h1 W1f),  f2 = σ(h2 W2f)
 *               c = i ⊙ u + f1 ⊙ c1 + f2 ⊙ c2,   h = o ⊙ tanh(c)
 *
 * Each of its states attends to both sources, as luongLocal's "local-p" with the score (h_t Wa)·h̄_s and params of its own:
 *
 *     h̃_t = tanh([h_t; c1_t; c2_t] Wc),   p_t = softmax(h̃_t Ws)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source1`, `source2`, `h1`, `c1`, `h2`, `c2`, `decoder` or `decoderInputs`, `targets`.
 * @param params `combine` { Wc [2S, S] } or { W1i, W2i, W1f, W2f, W1o, W2o, W1u, W2u [S, S] }, asked for with h1; `attention1` and
 *   `attention2` { Wa [S, Hs], Wp [S, P], vp [P] }; Wc [S + Hs1 + Hs2, D]; optional Ws [D, V]; with decoderInputs the LSTM `decoder`.
 * @param options `combination`, `D`, `sigma`, `inputFeeding`, `source1Lengths`, `source2Lengths`, `targetLengths`, `initialState`,
 *   `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * With decoderInputs, T steps in one call have the bits of T calls of one step.
 * Source: Zoph, Knight 2016, arXiv:1601.00710 §3.1 to 3.3.
 */
export function multiSource<A extends ArrayInput>(
  fovea: Fovea,
  inputs: MultiSourceInputs<A>,
  params: ParamInput,
  options?: MultiSourceOptions,
): MultiSourceResult<ResultArray<A>> {
  return runSystem(declare(inputs, options), fovea, inputs, params, options, (system) => {
    const p = system.params;
    const lengths = [1, 2].map((n) => system.lengths(`source${n}Lengths`, system.size(`T${n}`)));
    const window = readLocalWindow(system, true);
    const isFed = readInputFeeding(system);
    const shapes = decoderStateShapes(system, isFed);
    const combined = combine(system);
    const begun = combined && shapes['h'] && asLayer(system, combined, shapes['h']);
    const initial = ownProperties({ ...begun, ...system.initialState(shapes) });

    const attendTo = (n: 1 | 2, h: Tensor) => {
      const [Wa, Wp, vp] = ['Wa', 'Wp', 'vp'].map((name) => p[`attention${n}.${name}`]!) as [Tensor, Tensor, Tensor];
      const position = predictPositions(system, h, { Wp, vp }, lengths[n - 1]!);
      const source = system.input(`source${n}`);
      const arrays = [h, source, source, position] as const;
      return { position, ...localAttention(system, arrays, score.bilinear(Wa), lengths[n - 1]!, window) };
    };
    const { rows, states, state } = runDecoder(system, initial, isFed, (h) => {
      const [one, two] = [attendTo(1, h), attendTo(2, h)];
      const attentional = tanh(fovea, matmul(fovea, concat(fovea, [h, one.context, two.context]), p['Wc']!));
      const probability = p['Ws'] && softmax(fovea, matmul(fovea, attentional, p['Ws']));
      return {
        ...{ position1: one.position, alignment1: one.alignment, weights1: one.weights, context1: one.context },
        ...{ position2: two.position, alignment2: two.alignment, weights2: two.weights, context2: two.context },
        attentional,
        ...(probability && { probability }),
      };
    });
    system.record('states', 'h_t', ['step', 'feature'], states);
    for (const n of [1, 2] as const) {
      const c = `c_t^${n}`;
      system.record(`position${n}`, `S_${n}\\,\\sigma(v_p^\\top \\tanh(h_t W_p))`, ['step'], rows[`position${n}`]);
      system.record(
        `alignment${n}`,
        '\\operatorname{softmax}_s((h_t W_a) \\cdot \\bar h_s)',
        ['step', 'token'],
        rows[`alignment${n}`],
      );
      system.record(
        `weights${n}`,
        '\\operatorname{align}(s)\\,\\exp(-(s - p_t)^2 / 2\\sigma^2)',
        ['step', 'token'],
        rows[`weights${n}`],
      );
      system.record(`context${n}`, `${c} = \\textstyle\\sum_s a_t(s)\\, \\bar h_s`, ['step', 'feature'], rows[`context${n}`]);
    }
    system.record('attentional', '\\tanh([h_t; c_t^1; c_t^2] W_c)', ['step', 'feature'], rows.attentional);
    const loss = wordLoss(system, rows.probability, system.size('Tt'), '\\operatorname{softmax}(\\tilde h_t W_s)');
    return { ...combined, ...rows, states, loss, state };
  }) as unknown as MultiSourceResult<ResultArray<A>>;
}

/** The combined states [B, S]; undefined where none are given. */
function combine(system: System): { h: Tensor; c: Tensor } | undefined {
  const { fovea, params } = system;
  const isChildSum = system.choice('combination', ['basic', 'childSum']) === 'childSum';
  if (!system.has('h1')) return undefined;
  const [h1, c1, h2, c2] = ['h1', 'c1', 'h2', 'c2'].map((name) => system.input(name)) as [Tensor, Tensor, Tensor, Tensor];
  const own = (h: Tensor, name: string): Tensor => matmul(fovea, h, params[`combine.${name}`]!);
  const record = (h: Tensor, c: Tensor, ofH: string, ofC: string) => ({
    h: system.record('h', ofH, ['feature'], h),
    c: system.record('c', ofC, ['feature'], c),
  });
  if (!isChildSum) {
    const h = tanh(fovea, own(concat(fovea, [h1, h2]), 'Wc'));
    return record(h, add(fovea, c1, c2), '\\tanh([h_1; h_2] W_c)', 'c_1 + c_2');
  }
  const both = (gate: string): Tensor => add(fovea, own(h1, `W1${gate}`), own(h2, `W2${gate}`));
  const [i, o, u] = [sigmoid(fovea, both('i')), sigmoid(fovea, both('o')), tanh(fovea, both('u'))];
  const [f1, f2] = [sigmoid(fovea, own(h1, 'W1f')), sigmoid(fovea, own(h2, 'W2f'))];
  const c = system.sum([multiply(fovea, i, u), multiply(fovea, f1, c1), multiply(fovea, f2, c2)]);
  return record(multiply(fovea, o, tanh(fovea, c)), c, 'o \\odot \\tanh(c)', 'i \\odot u + f_1 \\odot c_1 + f_2 \\odot c_2');
}

/** The combined states as those of a decoder of one layer. */
function asLayer(system: System, { h, c }: { h: Tensor; c: Tensor }, [layers]: readonly number[]): { h: Tensor; c: Tensor } {
  if (layers !== 1)
    fail('value', system.fn, `decoder must have one layer, which begins with the combined state, got ${layers}`);
  const shape = [system.batch, 1, system.size('S')];
  return { h: h.reshape(shape), c: c.reshape(shape) };
}
