/** Saliency: what stands out of a text by itself, without a query. */
import type { Fovea } from '../fovea/fovea.ts';
import { matmul, multiply, sigmoid, sum } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { maxOverTokens } from './system/pooling.ts';
import { Integers, runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'saliency',
  inputs: { x: 'T D' },
  params: { 'Wg?': 'D G', 'bg?': 'G' },
  options: ['lengths'],
} as const satisfies Declaration;

export interface SaliencyInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]. */
  readonly x: A;
}

export interface SaliencyOptions {
  /** Tokens of each text; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface SaliencyResult<A> {
  /** [B, D]: the largest number of each feature; 0 of a text without tokens. */
  maxPooled: A;
  /** [B, D]: the token that has it, the first of several; -1 of a text without tokens. */
  maxIndex: IntegerArray;
  /** [B, T, D]: 1 there, else 0. */
  maxWeights: A;
  /** [B, T, G]: with Wg. */
  gate?: A;
  /** [B, T, D]: with Wg. */
  gated?: A;
  /** [B, D]: with Wg. */
  gatePooled?: A;
  trace?: TraceStage[];
}

/**
 * Saliency (bottom-up) attention: max pooling as one hard attention per feature, and a gate for each token or feature.
 *
 *     maxPooled[d] = max_i x[i, d]
 *     gate[i] = σ(x[i]·Wg + bg),   gated[i] = gate[i] ⊙ x[i],   gatePooled = Σ_i gated[i]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `x`.
 * @param params `Wg` [D, G] and `bg` [G], G = 1 (a gate for each token) or D (for each feature); without them there is max pooling alone.
 * @param options `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Qiu, "Neural Networks and Deep Learning", chapter 8 (no single paper).
 * @example
 * import { saliency } from 'fovea/mechanisms';
 * const { maxPooled, maxIndex } = saliency(fovea, { x: [[1, 5], [4, 2]] });
 * toNested(maxPooled); // [4, 5]
 * maxIndex.data; // Int32Array [1, 0]
 */
export function saliency<A extends ArrayInput>(
  fovea: Fovea,
  inputs: SaliencyInputs<A>,
  params?: ParamInput,
  options?: SaliencyOptions,
): SaliencyResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [T, D] = [system.size('T'), system.size('D')];
    const lengths = system.lengths('lengths', T);
    const x = lengths.masked(system.input('x'));

    const { max, index: maxIndex, weights } = maxOverTokens(system, x, lengths);
    const maxWeights = system.record(
      'maxWeights',
      '\\mathbf{1}[i = \\operatorname{argmax}_j x_{jd}]',
      ['token', 'feature'],
      weights,
    );
    const maxPooled = system.record('maxPooled', '\\textstyle\\sum_i w_{id}\\, x_{id}', ['feature'], max);
    const results = { maxPooled, maxIndex: new Integers(maxIndex, [system.batch, D]), maxWeights };
    if (!system.has('Wg')) return results;

    const scores = matmul(fovea, x, system.params['Wg']!);
    const gate = system.record(
      'gate',
      '\\sigma(X W_g + b_g)',
      ['token', 'feature'],
      lengths.masked(sigmoid(fovea, system.sum([scores], system.params['bg']))),
    );
    const gated = system.record('gated', 'g_i \\odot x_i', ['token', 'feature'], multiply(fovea, x, gate));
    const gatePooled = system.record(
      'gatePooled',
      '\\textstyle\\sum_i g_i \\odot x_i',
      ['feature'],
      sum(fovea, gated, { axis: 1 }),
    );
    return { ...results, gate, gated, gatePooled };
  }) as unknown as SaliencyResult<ResultArray<A>>;
}
