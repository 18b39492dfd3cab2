/** Self-attention over the frames of a speech signal. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { frames, matmul } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { TraceStage } from '../trace/stages.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { integerOption, numberOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'speechSelfAttention',
  inputs: { signal: 'N' },
  params: {
    ...{ Wf: 'L F', 'bf?': 'F', 'window?': 'L' },
    ...{ Wq: 'F heads·dk', Wk: 'F heads·dk', Wv: 'F heads·dv', 'Wo?': "heads·dv F'" },
  },
  options: ['sampleRate', 'frameLength', 'frameShift', 'left', 'right', 'heads', 'scale', 'lengths'],
} as const satisfies Declaration;

export interface SpeechSelfAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [N] or [B, N] samples. */
  readonly signal: A;
}

export interface SpeechSelfAttentionOptions {
  /** Samples per second; default 16000. */
  readonly sampleRate?: number | undefined;
  /** Milliseconds of a frame; default 25. */
  readonly frameLength?: number | undefined;
  /** Milliseconds from one frame to the next; default 10. */
  readonly frameShift?: number | undefined;
  /** How many frames before its own a frame sees; default -1, all. */
  readonly left?: number | undefined;
  /** How many frames after its own a frame sees; default -1, all. */
  readonly right?: number | undefined;
  /** Default 1. */
  readonly heads?: number | undefined;
  /** Default 1/√dk. */
  readonly scale?: number | undefined;
  /** Samples of each signal; default all. */
  readonly lengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the signal has none. n frames. */
export interface SpeechSelfAttentionResult<A> {
  /** [B, n, L]. */
  frames: A;
  /** [B, n, F]. */
  features: A;
  /** [B, heads, n, n]: 0 outside of the window. */
  weights: A;
  /** [B, n, F'], or [B, n, heads·dv] without Wo. */
  output: A;
  trace?: TraceStage[];
}

/**
 * Truncated self-attention of a speech recognizer, over frames of a signal.
 *
 *     L = ⌊sampleRate·frameLength / 1000⌋,   S = ⌊sampleRate·frameShift / 1000⌋,   n = 1 + ⌊(N - L) / S⌋, or 0 where N < L
 *     frames[t] = signal[t·S … t·S + L - 1] ⊙ window,   features = frames Wf + bf
 *     output = concat over heads of softmax over t - left ≤ j ≤ t + right of scale·q_t·k_j, times Wo
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `signal`.
 * @param params Wf [L, F], Wq, Wk [F, heads·dk], Wv [F, heads·dv]; optional bf [F], window [L], Wo [heads·dv, F'].
 * @param options see their type. One second at 16 kHz has 98 frames of 25 ms every 10 ms: the rest of the signal is left out.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Yeh et al. 2019, arXiv:1910.12977; the features are any linear map, such as a filter bank in the columns of Wf.
 */
export function speechSelfAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: SpeechSelfAttentionInputs<A>,
  params: ParamInput,
  options?: SpeechSelfAttentionOptions,
): SpeechSelfAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { fn, params: p } = system;
    const rate = numberOption(system, 'sampleRate', 16_000);
    const samples = (option: string, byDefault: number): number => {
      const count = Math.floor((rate * numberOption(system, option, byDefault)) / 1000);
      if (count < 1) fail('value', fn, `${option} must be at least one sample at sampleRate ${rate}, got ${count}`);
      return count;
    };
    const [L, S] = [samples('frameLength', 25), samples('frameShift', 10)];
    if (system.size('L') !== L) fail('shape', fn, `Wf must have L = ${L} rows, got ${system.size('L')}`);
    const [left, right] = ['left', 'right'].map((side) => integerOption(system, side, -1, 2 ** 30, -1)) as [number, number];
    const heads = integerOption(system, 'heads', 1, 2 ** 20, 1);
    const lengths = system.lengths('lengths', system.size('N'));
    const countFrames = (length: number): number => (length < L ? 0 : 1 + Math.floor((length - L) / S));
    const existing = new Lengths(lengths.list.map(countFrames), countFrames(lengths.size));

    const cut = frames(fovea, lengths.masked(system.input('signal')), { length: L, shift: S, window: p['window'] });
    const framed = system.record('frames', 's_{tS \\dots tS+L-1} \\odot w', ['token', 'feature'], existing.masked(cut));
    const mapped = existing.masked(system.sum([matmul(fovea, framed, p['Wf']!)], p['bf']));
    const features = system.record('features', 'F W_f + b_f', ['token', 'feature'], mapped);
    const attended = fovea.selfAttention(
      features,
      { Wq: p['Wq']!, Wk: p['Wk']!, Wv: p['Wv']!, Wo: p['Wo'] },
      {
        heads,
        scale: system.options['scale'] as number | undefined,
        window: [left, right],
        keyLengths: existing.list,
        returnWeights: true,
      },
    );
    const weights = existing.masked(attended.weights, 2);
    system.record(
      'weights',
      '\\operatorname{softmax}_{t-l \\le j \\le t+r}(s\\, q_t k_j^\\top)',
      ['head', 'query', 'key'],
      weights,
    );
    const output = existing.masked(attended.output);
    system.record('output', 'A V W_o', ['token', 'feature'], output);
    return { frames: framed, features, weights, output };
  }) as unknown as SpeechSelfAttentionResult<ResultArray<A>>;
}
