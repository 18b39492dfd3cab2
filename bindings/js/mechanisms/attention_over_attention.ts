/** Attention-over-attention reader: how much each query word counts is itself read off the document. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, divide, matmul, multiply, softmax, sum, transpose } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { TraceStage } from '../trace/stages.ts';
import { embed, existingIds } from './system/ids.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import type { ParamInput } from './system/params.ts';
import { gruStates, layerParams } from './system/recurrent.ts';
import { Integers, runSystem, type Declaration } from './system/system.ts';
import { DocumentWords } from './system/words.ts';

const BOTH = ['', '_reverse'] as const;

const DECLARATION = {
  fn: 'attentionOverAttention',
  inputs: {},
  ids: { document: 'D', query: 'Q', 'answer?': '' },
  params: { We: 'V E', ...layerParams('document', 3, 'E', 'H', BOTH), ...layerParams('query', 3, 'E', 'H', BOTH) },
  groups: ['document.', 'query.'],
  options: ['documentLengths', 'queryLengths'],
} as const satisfies Declaration;

export interface AttentionOverAttentionInputs {
  /** [D] or [B, D]. */
  readonly document: IntegerInput;
  /** [Q]. */
  readonly query: IntegerInput;
  /** One word, in a batch [B]. */
  readonly answer?: number | IntegerInput | undefined;
}

export interface AttentionOverAttentionOptions {
  readonly documentLengths?: LengthsOption;
  readonly queryLengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface AttentionOverAttentionResult {
  /** [B, D, Q]: 0 in the padding. */
  match: NDArray;
  /** [B, D, Q]: each column a distribution over the document. */
  alpha: NDArray;
  /** [B, D, Q]: each row a distribution over the query. */
  beta: NDArray;
  /** [B, Q]. */
  averageBeta: NDArray;
  /** [B, D]. */
  s: NDArray;
  /** [B, W]: the distinct words of the document, in the order in which they occur first; -1 in the padding. */
  words: IntegerArray;
  /** [B, W]: of each of those words. */
  probability: NDArray;
  /** [B]: with an answer; Infinity where it is not in the document. */
  loss?: NDArray;
  trace?: TraceStage[];
}

/**
 * The attention-over-attention reader: each query word attends to the document; attention the other way says how much each counts.
 *
 *     h_doc, h_query: bidirectional GRUs over We[x],   M_ij = h_doc(i)·h_query(j)
 *     α_ij = softmax_i(M_ij),   β_ij = softmax_j(M_ij),   β_j = (1/|D|) Σ_i β_ij
 *     s = α β,   P(w) = Σ_{i: d_i = w} s_i,   loss = -ln P(answer)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `document`, `query`, `answer`.
 * @param params We [V, E]; `document` and `query`: state dicts of bidirectional GRUs, weight_ih_l0 [3H, E], weight_hh_l0 [3H, H], the same
 *   with _reverse, optional biases, optional layers above.
 * @param options `documentLengths`, `queryLengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Cui, Chen, Wei, Wang, Liu, Hu 2017, arXiv:1607.04423 §3, without its N-best reranking.
 */
export function attentionOverAttention(
  fovea: Fovea,
  inputs: AttentionOverAttentionInputs,
  params: ParamInput,
  options?: AttentionOverAttentionOptions,
): AttentionOverAttentionResult {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const [D, Q, V, We] = [system.size('D'), system.size('Q'), system.size('V'), system.params['We']!];
    const documents = system.lengths('documentLengths', D);
    const queries = system.lengths('queryLengths', Q);
    const { output: hDoc } = gruStates(system, embed(system, 'document', We, documents), 'document.', documents);
    const { output: hQuery } = gruStates(system, embed(system, 'query', We, queries), 'query.', queries);
    const words = new DocumentWords(fovea, system.ids('document'), documents);

    const match = matmul(fovea, hDoc, transpose(fovea, hQuery));
    const overDocument = add(fovea, match, documents.forbidden(fovea).reshape([batch, D, 1]));
    const overQuery = add(fovea, match, queries.forbidden(fovea));
    const columns = queries.existing(fovea).reshape([batch, 1, Q]);
    const alpha = multiply(fovea, softmax(fovea, overDocument, { axis: 1 }), columns);
    const beta = documents.masked(softmax(fovea, overQuery));
    const counts = documents.list.map((length) => Math.max(1, length));
    const averageBeta = divide(fovea, sum(fovea, beta, { axis: 1 }), fovea.tensor(counts, [batch, 1]));
    const s = matmul(fovea, alpha, averageBeta.reshape([batch, Q, 1])).reshape([batch, D]);
    const probability = words.sum(s);
    return {
      match: system.record('match', 'h_{doc}(i) \\cdot h_{query}(j)', ['token', 'query'], match),
      alpha: system.record('alpha', '\\operatorname{softmax}_i(M_{ij})', ['token', 'query'], alpha),
      beta: system.record('beta', '\\operatorname{softmax}_j(M_{ij})', ['token', 'query'], beta),
      averageBeta: system.record('averageBeta', '\\tfrac{1}{|D|} \\textstyle\\sum_i \\beta_{ij}', ['query'], averageBeta),
      s: system.record('s', '\\alpha \\beta', ['token'], s),
      probability: system.record('probability', '\\textstyle\\sum_{i:\\, d_i = w} s_i', ['word'], probability),
      words: new Integers(words.ids, words.shape),
      loss: system.has('answer')
        ? words.loss(probability, existingIds(system, 'answer', Lengths.whole(batch, 1), V))
        : undefined,
    };
  }) as unknown as AttentionOverAttentionResult;
}
