/** Structured self-attention: a sentence as a few rows, each a mixture of its states. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, matmul, multiply, softmax, subtract, sum, tanh, transpose } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { TraceStage } from '../trace/stages.ts';
import { recurrent } from './system/layers.ts';
import type { LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'structuredSelfAttention',
  inputs: { 'H?': 'T D', 'S?': 'T E' },
  params: { Ws1: 'D A', Ws2: 'A r' },
  groups: ['lstm.'],
  oneOf: [['H', 'S']],
  options: ['lengths'],
} as const satisfies Declaration;

/** Exactly one of the two. */
export interface StructuredSelfAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]: states. */
  readonly H?: A | undefined;
  /** [T, E] or [B, T, E]: embedded words, whose states an LSTM makes. */
  readonly S?: A | undefined;
}

export interface StructuredSelfAttentionOptions {
  /** Tokens of each sentence; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface StructuredSelfAttentionResult<A> {
  /** [B, T, D]. */
  H: A;
  /** [B, r, T]: the weights of each hop. */
  A: A;
  /** [B, r, D]: the sentence. */
  M: A;
  /** [B]: 0 where the hops look at different tokens, each at one. */
  penalty: A;
  trace?: TraceStage[];
}

/**
 * Structured self-attentive embedding: r hops, each with weights over the tokens of its own.
 *
 *     H = biLSTM(S),   A = softmax over tokens of (tanh(H Ws1) Ws2)ᵀ,   M = A H
 *     penalty = ‖A Aᵀ - I‖²_F
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `H` or `S`.
 * @param params `Ws1` [D, A], `Ws2` [A, r], the transposes of the paper's; with S `lstm.…`, PyTorch's state dict of an LSTM of one
 *   direction or two, D wide in all.
 * @param options `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Without tokens A and M are 0, and the penalty is r. Source: Lin, Feng, dos Santos, Yu, Xiang, Zhou, Bengio 2017, arXiv:1703.03130 eq. 5 to 8.
 * @example
 * import { structuredSelfAttention } from 'fovea/mechanisms';
 * const params = { Ws1: [[1, 0], [0, 1]], Ws2: [[20, 0], [0, 20]] };
 * const { A, penalty } = structuredSelfAttention(fovea, { H: [[9, 0], [0, 9]] }, params);
 * toNested(A); // [[1, 0], [0, 1]]
 * toNested(penalty); // 0
 */
export function structuredSelfAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: StructuredSelfAttentionInputs<A>,
  params: ParamInput,
  options?: StructuredSelfAttentionOptions,
): StructuredSelfAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const given = system.has('H') ? 'H' : 'S';
    const lengths = system.lengths('lengths', system.size('T'));
    const tokens = lengths.masked(system.input(given));
    const { Ws1, Ws2 } = system.params;
    const r = system.size('r');

    const H = given === 'H' ? tokens.clone() : recurrent(system, 'lstm', tokens, 'lstm.', lengths);
    system.record('H', given === 'H' ? 'H' : '\\operatorname{biLSTM}(S)', ['token', 'feature'], H);
    const scores = transpose(fovea, matmul(fovea, tanh(fovea, matmul(fovea, H, Ws1!)), Ws2!));
    const A = system.record(
      'A',
      '\\operatorname{softmax}((\\tanh(H W_{s1}) W_{s2})^\\top)',
      ['hop', 'token'],
      softmax(fovea, add(fovea, scores, lengths.forbidden(fovea))),
    );
    const M = system.record('M', 'A H', ['hop', 'feature'], matmul(fovea, A, H));
    const overlap = subtract(fovea, matmul(fovea, A, transpose(fovea, A)), identity(fovea, r));
    const squares = multiply(fovea, overlap, overlap).reshape([system.batch, r * r]);
    const penalty = system.record('penalty', '\\lVert A A^\\top - I \\rVert_F^2', [], sum(fovea, squares));
    return { H, A, M, penalty };
  }) as unknown as StructuredSelfAttentionResult<ResultArray<A>>;
}

function identity(fovea: Fovea, size: number) {
  return fovea.tensor(
    Array.from({ length: size * size }, (_, n) => Number(n % (size + 1) === 0)),
    [size, size],
  );
}
