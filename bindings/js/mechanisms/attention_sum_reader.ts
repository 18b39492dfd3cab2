/** Attention sum reader: an answer is the word on whose positions most weight lies. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, matmul, softmax, transpose } from '../ops/index.ts';
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
  fn: 'attentionSumReader',
  inputs: {},
  ids: { document: 'D', query: 'Q', 'candidates?': 'Y', 'answer?': '' },
  params: { We: 'V E', ...layerParams('document', 3, 'E', 'H', BOTH), ...layerParams('query', 3, 'E', 'H', BOTH) },
  groups: ['document.', 'query.'],
  options: ['documentLengths', 'queryLengths'],
} as const satisfies Declaration;

export interface AttentionSumReaderInputs {
  /** [D] or [B, D]. */
  readonly document: IntegerInput;
  /** [Q]. */
  readonly query: IntegerInput;
  /** [Y]: words whose probability is asked for. */
  readonly candidates?: IntegerInput | undefined;
  /** One word, in a batch [B]. */
  readonly answer?: number | IntegerInput | undefined;
}

export interface AttentionSumReaderOptions {
  readonly documentLengths?: LengthsOption;
  readonly queryLengths?: LengthsOption;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface AttentionSumReaderResult {
  /** [B, D]: s. */
  weights: NDArray;
  /** [B, D, 2H]: f, 0 in the padding. */
  documentStates: NDArray;
  /** [B, 2H]: g. */
  queryState: NDArray;
  /** [B, W]: the distinct words of the document, in the order in which they occur first; -1 in the padding. */
  words: IntegerArray;
  /** [B, W]: of each of those words. */
  probability: NDArray;
  /** [B, Y]: with candidates; 0 of a word that is not in the document. */
  candidateProbability?: NDArray;
  /** [B]: with an answer; Infinity where it is not in the document. */
  loss?: NDArray;
  trace?: TraceStage[];
}

/**
 * The attention sum reader: a query attends to a document, and the weights of all positions of a word add up.
 *
 *     f_i = [forward state; backward state] of the document's GRUs at word i
 *     g = [forward state after the last word; backward state after the first] of the query's GRUs
 *     s_i = softmax_i(f_i·g),   P(w) = Σ_{i: d_i = w} s_i,   loss = -ln P(answer)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `document`, `query`, `candidates`, `answer`.
 * @param params We [V, E]; `document` and `query`: state dicts of bidirectional GRUs, weight_ih_l0 [3H, E], weight_hh_l0 [3H, H], the same
 *   with _reverse, optional biases, optional layers above.
 * @param options `documentLengths`, `queryLengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Kadlec, Schmid, Bajgar, Kleindienst 2016, arXiv:1603.01547 §4.
 */
export function attentionSumReader(
  fovea: Fovea,
  inputs: AttentionSumReaderInputs,
  params: ParamInput,
  options?: AttentionSumReaderOptions,
): AttentionSumReaderResult {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const [D, V, We] = [system.size('D'), system.size('V'), system.params['We']!];
    const documents = system.lengths('documentLengths', D);
    const queries = system.lengths('queryLengths', system.size('Q'));
    const { output: f } = gruStates(system, embed(system, 'document', We, documents), 'document.', documents);
    const { last: g } = gruStates(system, embed(system, 'query', We, queries), 'query.', queries);
    const words = new DocumentWords(fovea, system.ids('document'), documents);

    const scores = matmul(fovea, g, transpose(fovea, f));
    const s = softmax(fovea, add(fovea, scores, documents.forbidden(fovea))).reshape([batch, D]);
    const probability = words.sum(s);
    const each = system.has('candidates') ? system.size('Y') : 0;
    return {
      documentStates: system.record('documentStates', '[\\overrightarrow{f}_i; \\overleftarrow{f}_i]', ['token', 'feature'], f),
      queryState: system.record(
        'queryState',
        '[\\overrightarrow{g}_{|q|}; \\overleftarrow{g}_1]',
        ['feature'],
        g.reshape([batch, g.shape[2]!]),
      ),
      weights: system.record('weights', '\\operatorname{softmax}_i(f_i \\cdot g)', ['token'], s),
      probability: system.record('probability', '\\textstyle\\sum_{i:\\, d_i = w} s_i', ['word'], probability),
      words: new Integers(words.ids, words.shape),
      candidateProbability: system.has('candidates')
        ? words.pick(probability, existingIds(system, 'candidates', Lengths.whole(batch, each), V)).reshape([batch, each])
        : undefined,
      loss: system.has('answer')
        ? words.loss(probability, existingIds(system, 'answer', Lengths.whole(batch, 1), V))
        : undefined,
    };
  }) as unknown as AttentionSumReaderResult;
}
