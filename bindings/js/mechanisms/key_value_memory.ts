/** Key-value memory networks: a question is matched with keys, and reads their values. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, gather, matmul, softmax, transpose } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import type { ParamInput } from './system/params.ts';
import { stackRows } from './system/steps.ts';
import { runSystem, type Declaration } from './system/system.ts';

const DECLARATION = {
  fn: 'keyValueMemory',
  inputs: { question: 'F', keys: 'M F', values: 'M F', candidates: 'Y F' },
  ids: { 'answer?': '' },
  params: { A: 'F d', R: 'H d d', 'B?': 'F d' },
  options: ['memoryLengths', 'candidateLengths'],
} as const satisfies Declaration;

export interface KeyValueMemoryInputs<A extends ArrayInput = ArrayInput> {
  /** [F] or [B, F]: features Φ_X of the question, such as a bag of words. */
  readonly question: A;
  /** [M, F]: features Φ_K of each memory's key. */
  readonly keys: ArrayInput;
  /** [M, F]: features Φ_V of its value. */
  readonly values: ArrayInput;
  /** [Y, F]: features Φ_Y of each possible answer. */
  readonly candidates: ArrayInput;
  /** One index into the candidates, in a batch [B]. */
  readonly answer?: number | IntegerInput | undefined;
}

export interface KeyValueMemoryOptions {
  readonly memoryLengths?: LengthsOption;
  readonly candidateLengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface KeyValueMemoryResult<A> {
  /** [B, H, M]. */
  weights: A;
  /** [B, H + 1, d]: the query before each hop and after the last. */
  q: A;
  /** [B, H, d]: what each hop has read. */
  o: A;
  /** [B, Y]. */
  probability: A;
  /** [B]: with an answer. */
  loss?: A;
  trace?: TraceStage[];
}

/**
 * A key-value memory network: keys say where to read, values what is read, several times over.
 *
 *     q_1 = Φ_X(x) A
 *     p_i = softmax_i(q_j·(Φ_K(k_i) A)),   o_j = Σ_i p_i Φ_V(v_i) A,   q_{j+1} = (q_j + o_j) R_j
 *     â = softmax_y(q_{H+1}·(Φ_Y(y) B))
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `question`, `keys`, `values`, `candidates`, `answer`. The caller chooses the memories (key hashing).
 * @param params A [F, d], R [H, d, d], one matrix for each of the H hops; optional B [F, d], which is A unless given.
 * @param options `memoryLengths`, `candidateLengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Miller, Fisch, Dodge, Karimi, Bordes, Weston 2016, arXiv:1606.03126 §3.1.
 */
export function keyValueMemory<A extends ArrayInput>(
  fovea: Fovea,
  inputs: KeyValueMemoryInputs<A>,
  params: ParamInput,
  options?: KeyValueMemoryOptions,
): KeyValueMemoryResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const [F, M, Y, H, d] = [system.size('F'), system.size('M'), system.size('Y'), system.size('H'), system.size('d')];
    const [A, R, B] = [system.params['A']!, system.params['R']!, system.params['B']];
    const memories = system.lengths('memoryLengths', M);
    const candidates = system.lengths('candidateLengths', Y);
    const [keys, values] = [matmul(fovea, system.input('keys'), A), matmul(fovea, system.input('values'), A)];

    let q = matmul(fovea, system.input('question').reshape([batch, 1, F]), A);
    const [queries, read, rows]: Tensor[][] = [[q], [], []];
    const asked = { score: score.dot(), layout: 'btd', keyLengths: memories.list, returnWeights: true } as const;
    for (let hop = 0; hop < H; hop++) {
      const { output: o, weights } = fovea.attention(q, keys, values, asked);
      q = matmul(fovea, add(fovea, q, o), gather(fovea, R, [hop]).reshape([d, d]));
      queries!.push(q);
      read!.push(o);
      rows!.push(weights);
    }
    const answers = matmul(fovea, candidates.masked(system.input('candidates')), B ?? A);
    const scores = matmul(fovea, q, transpose(fovea, answers));
    const probability = softmax(fovea, add(fovea, scores, candidates.forbidden(fovea)));
    const stack = (list: readonly Tensor[], width: number): Tensor => stackRows(fovea, list, batch, [width]);
    return {
      weights: system.record(
        'weights',
        '\\operatorname{softmax}_i(q_j \\cdot \\Phi_K(k_i) A)',
        ['hop', 'memory'],
        stack(rows!, M),
      ),
      o: system.record('o', '\\textstyle\\sum_i p_i\\, \\Phi_V(v_i) A', ['hop', 'feature'], stack(read!, d)),
      q: system.record('q', 'q_{j+1} = (q_j + o_j) R_j', ['hop', 'feature'], stack(queries!, d)),
      probability: system.record(
        'probability',
        '\\operatorname{softmax}_y(q_{H+1} \\cdot \\Phi_Y(y) B)',
        ['candidate'],
        probability.reshape([batch, Y]),
      ),
      loss: system.has('answer') ? meanLoss(system, probability, 'answer', Lengths.whole(batch, 1)) : undefined,
    };
  }) as unknown as KeyValueMemoryResult<ResultArray<A>>;
}
