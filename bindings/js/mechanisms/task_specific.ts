/** Task-specific attention: one encoder and decoder for all translation tasks, an alignment for each. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { gather, matmul } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { BahdanauInputs, BahdanauOptions, BahdanauResult } from './bahdanau.ts';
import { DECODER_PARAMS, runBahdanauDecoder } from './system/bahdanau_decoder.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'taskSpecific',
  inputs: { source: 'Ts Hs', decoderInputs: 'Tt E' },
  ids: { task: '', 'targets?': 'Tt' },
  params: { Wa: 'K S A', Ua: 'K Hs A', va: 'K A', 'ba?': 'K A', ...DECODER_PARAMS },
  together: [['Uo', 'Vo', 'Co', 'Wo']],
  options: ['sourceLengths', 'targetLengths', 'initialState', 'readout'],
} as const satisfies Declaration;

/** The inputs of `bahdanau`, and the task. */
export interface TaskSpecificInputs<A extends ArrayInput = ArrayInput> extends BahdanauInputs<A> {
  /** 0 … K - 1, [] or [B]: the target language, the source language, or their pair. */
  readonly task: number | IntegerInput;
}

/** The options of `bahdanau`. */
export type TaskSpecificOptions = BahdanauOptions;

/** The result of `bahdanau`. */
export type TaskSpecificResult<A> = BahdanauResult<A>;

/**
 * Task-specific attention: Bahdanau's decoder with alignment params of the entry's task, k.
 *
 *     e_tj = va[k]·tanh(s_{t-1} Wa[k] + h_j Ua[k]),   a_t = softmax(e_t),   c_t = Σ_j a_tj h_j
 *
 * The decoder is that of `bahdanau`; all tasks share it.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `decoderInputs`, `task`, `targets`.
 * @param params as `bahdanau`, but Wa [K, S, A], Ua [K, Hs, A], va [K, A], optional ba [K, A].
 * @param options `sourceLengths`, `targetLengths`, `initialState`, `readout`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Differs from the paper: the decoder is Bahdanau's, whose cell is not the paper's.
 * Source: Blackwood, Ballesteros, Ward 2018, arXiv:1806.03280 §3.
 */
export function taskSpecific<A extends ArrayInput>(
  fovea: Fovea,
  inputs: TaskSpecificInputs<A>,
  params: ParamInput,
  options?: TaskSpecificOptions,
): TaskSpecificResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const source = system.input('source');
    const [K, Ts] = [system.size('K'), system.size('Ts')];
    const tasks = system.ids('task');
    for (const task of tasks)
      if (task < 0 || task >= K) fail('value', system.fn, `task must be an id from 0 to ${K - 1}, got ${task}`);
    const { Wa, Ua, va, ba } = system.params;
    const lengths = system.lengths('sourceLengths', Ts);

    // The entries of the batch stand as heads, which have params of their own: [B, 1, S] and [B, Ts, Hs] are [H, T, D].
    const own = (all: Tensor): Tensor => gather(fovea, all, tasks);
    const keys = matmul(fovea, source, own(Ua!)); // once for all steps
    const alignment = score.additive({ Wq: own(Wa!), w: own(va!), ...(ba && { bias: own(ba) }) }, { keys: 'projected' });
    const isThere = Uint8Array.from({ length: batch * Ts }, (_, n) => Number(n % Ts < lengths.list[Math.floor(n / Ts)]!));
    const mask = { data: isThere, shape: [batch, 1, Ts] };
    const align = (s: Tensor) => fovea.attention(s, keys, source, { score: alignment, mask, returnWeights: true });
    return runBahdanauDecoder(
      system,
      lengths,
      align,
      '\\operatorname{softmax}(v_a^{k\\top} \\tanh(s_{t-1} W_a^k + h_j U_a^k))',
    );
  }) as unknown as TaskSpecificResult<ResultArray<A>>;
}
