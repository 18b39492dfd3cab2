/** Hierarchical attention: a document read word by word, then sentence by sentence. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, matmul, softmax, tanh } from '../ops/index.ts';
import type { IntegerInput } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { affine, recurrent } from './system/layers.ts';
import type { Lengths, LengthsOption, PartLengthsOption } from './system/lengths.ts';
import { classLoss } from './system/loss.ts';
import type { ParamInput } from './system/params.ts';
import { weightedSum } from './system/pooling.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'hierarchicalAttention',
  inputs: { words: 'L T E' },
  ids: { 'target?': '' },
  params: {
    ...{ 'word.Ww': 'Dw Aw', 'word.bw': 'Aw', 'word.uw': 'Aw' },
    ...{ 'sentence.Ws': 'Ds As', 'sentence.bs': 'As', 'sentence.us': 'As' },
    ...{ Wc: 'Ds C', bc: 'C' },
  },
  groups: ['word.gru.', 'sentence.gru.'],
  options: ['wordLengths', 'documentLengths'],
} as const satisfies Declaration;

export interface HierarchicalAttentionInputs<A extends ArrayInput = ArrayInput> {
  /** [L, T, E] or [B, L, T, E]: the embedded words of each sentence. */
  readonly words: A;
  /** [] or [B]: the class of the document. */
  readonly target?: IntegerInput | number | undefined;
}

export interface HierarchicalAttentionOptions {
  /** Words of each sentence, [L] or [B][L], or one number for all; default T. */
  readonly wordLengths?: PartLengthsOption;
  /** Sentences of each document; default L. */
  readonly documentLengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface HierarchicalAttentionResult<A> {
  /** [B, L, T, 2H]. */
  wordStates: A;
  /** [B, L, T]. */
  wordWeights: A;
  /** [B, L, 2H]. */
  sentences: A;
  /** [B, L, 2H']. */
  sentenceStates: A;
  /** [B, L]. */
  sentenceWeights: A;
  /** [B, 2H']. */
  document: A;
  /** [B, C]. */
  logits: A;
  /** [B, C]. */
  probability: A;
  /** [B]: with a target. */
  loss?: A;
  trace?: TraceStage[];
}

/**
 * Hierarchical attention network: each sentence is the sum of its words' states by the weights of a learned query, and the document
 * the sum of its sentences' states by those of another.
 *
 *     h_i = biGRU(words_i),   wordWeights_i = softmax_t(tanh(h_it Ww + bw)·uw),   s_i = Σ_t wordWeights_it h_it
 *     h = biGRU(s),   sentenceWeights = softmax_i(tanh(h_i Ws + bs)·us),   v = Σ_i sentenceWeights_i h_i
 *     probability = softmax(v Wc + bc),   loss = -ln probability[target]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `words`, `target`.
 * @param params `word.gru.…` and `sentence.gru.…`, PyTorch's state dicts of two directions; word.Ww [2H, A], word.bw [A], word.uw [A];
 *   sentence.Ws [2H', A'], sentence.bs [A'], sentence.us [A']; Wc [2H', C], bc [C].
 * @param options `wordLengths`, `documentLengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * A sentence without words is 0, and a step of the second GRU like any other; a document without sentences is 0. Source: Yang, Yang, Dyer,
 * He, Smola, Hovy 2016, ACL N16-1174 §2.2 eq. 5 to 12; the paper's z is 1 - z of PyTorch's GRU.
 */
export function hierarchicalAttention<A extends ArrayInput>(
  fovea: Fovea,
  inputs: HierarchicalAttentionInputs<A>,
  params: ParamInput,
  options?: HierarchicalAttentionOptions,
): HierarchicalAttentionResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [B, L, T, E] = [system.batch, system.size('L'), system.size('T'), system.size('E')];
    const documents = system.lengths('documentLengths', L);
    const words = system.partLengths('wordLengths', documents, T);
    const { Wc, bc } = system.params;

    const h = recurrent(system, 'gru', words.masked(system.input('words').reshape([B * L, T, E])), 'word.gru.', words);
    const [wordWeights, s] = attend(system, h, ['word.Ww', 'word.bw', 'word.uw'], words);
    const width = system.size('Dw');
    const read = {
      wordStates: record(system, 'wordStates', '\\operatorname{biGRU}(x_i)', h.reshape([B, L, T, width])),
      wordWeights: record(
        system,
        'wordWeights',
        '\\operatorname{softmax}_t(u_{it} \\cdot u_w)',
        wordWeights.reshape([B, L, T]),
      ),
      sentences: record(system, 'sentences', '\\textstyle\\sum_t \\alpha_{it} h_{it}', s.reshape([B, L, width])),
    };
    const sentenceStates = recurrent(system, 'gru', read.sentences, 'sentence.gru.', documents);
    const [sentenceWeights, v] = attend(system, sentenceStates, ['sentence.Ws', 'sentence.bs', 'sentence.us'], documents);
    record(system, 'sentenceStates', '\\operatorname{biGRU}(s)', sentenceStates);
    record(system, 'sentenceWeights', '\\operatorname{softmax}_i(u_i \\cdot u_s)', sentenceWeights);
    record(system, 'document', '\\textstyle\\sum_i \\alpha_i h_i', v);
    const logits = record(system, 'logits', 'v W_c + b_c', affine(fovea, v, Wc!, bc));
    return {
      ...read,
      ...{ sentenceStates, sentenceWeights, document: v, logits },
      probability: record(system, 'probability', '\\operatorname{softmax}(v W_c + b_c)', softmax(fovea, logits)),
      loss: system.has('target') ? classLoss(system, logits, 'target') : undefined,
    };
  }) as unknown as HierarchicalAttentionResult<ResultArray<A>>;
}

/** The weights [N, T] of softmax_t(tanh(h W + b)·u), and the sums of h [N, T, D] by them. */
function attend(system: System, h: Tensor, [W, b, u]: readonly [string, string, string], lengths: Lengths): [Tensor, Tensor] {
  const { fovea, params } = system;
  const scores = matmul(fovea, tanh(fovea, affine(fovea, h, params[W]!, params[b])), params[u]!);
  const [sequences, tokens] = h.shape as [number, number];
  const weights = softmax(fovea, add(fovea, scores, lengths.forbidden(fovea).reshape([sequences, tokens])));
  return [weights, weightedSum(system, weights, h)];
}

const AXES = {
  wordStates: ['sentence', 'token', 'feature'],
  wordWeights: ['sentence', 'token'],
  sentences: ['sentence', 'feature'],
  sentenceStates: ['sentence', 'feature'],
  sentenceWeights: ['sentence'],
  document: ['feature'],
  logits: ['class'],
  probability: ['class'],
} as const;

function record(system: System, name: keyof typeof AXES, formula: string, array: Tensor): Tensor {
  return system.record(name, formula, AXES[name], array);
}
