import { attentionSumReader as compute } from '../mechanisms/attention_sum_reader.ts';
import { system } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { bothWays, SATURATED } from './samples/gru_weights.ts';
import { idsOf, readableWords, sparseMatrix } from './samples/words.ts';

const document = 'the king saw the queen and the queen went'.split(' ');
const withoutSecond = 'the king saw the queen and the dog went'.split(' ');
const query = ['who'];
const kinds = ['noun', 'animate'];
/** A state of the document says whether its word is a noun, and animate; “who” asks for both. */
const H = kinds.length;

/** `others` are words of the vocabulary besides those of the document. */
function sampleIn(document: readonly string[], others: readonly string[], candidates: readonly string[], has?: HasFeature) {
  const { distinct: vocabulary } = readableWords([...document, ...others, ...query]);
  const { vectors: We, axes, axis } = readableWords(vocabulary, kinds, false, has);
  const reads = sparseMatrix(
    axes.length,
    H,
    kinds.map((kind, n) => [axis[kind]!, n, SATURATED]),
  );
  const [who] = idsOf(query, vocabulary) as [number];
  const asks = sparseMatrix(
    axes.length,
    H,
    kinds.map((_, n) => [who, n, SATURATED]),
  );
  return {
    inputs: {
      document: idsOf(document, vocabulary),
      query: idsOf(query, vocabulary),
      candidates: idsOf(candidates, vocabulary),
    },
    params: {
      We,
      document: bothWays({ candidate: reads }),
      query: bothWays({ candidate: asks }),
    },
    labels: {
      document: [document],
      query: [query],
      candidates: [candidates],
      We: [vocabulary, axes],
    },
    sizes: { D: document.length, Q: query.length, E: axes.length, H },
  } satisfies OtherWords;
}

/** The candidates are the nouns of the text, or all of its words where it has none. */
function sampleOf(words: readonly string[], has: HasFeature) {
  const { distinct } = readableWords(words);
  const nouns = distinct.filter((word) => has(word, 'noun'));
  const sample = sampleIn(words, [], nouns.length > 0 ? nouns : distinct, has);
  return { ...sample, contrast: {} };
}
const { sizes, ...sample } = sampleIn(document, ['dog'], ['king', 'queen', 'dog']);
const vocabulary = sample.labels.We[0]!;

export default system({
  id: 'attention_sum_reader',
  family: 'pointing',
  title: { en: 'Attention sum reader', zh: '注意力求和阅读器' },
  aliases: ['AS reader', 'ASR', 'pointer sum attention', '注意力求和'],
  notations: [
    {
      text: 'Kadlec et al. 2016',
      writes: 'P(w | q, d) ∝ Σ_{i ∈ I(w, d)} s_i',
      means: {
        en: 'the weights of all positions of w in the document, which sum to 1 over its words',
        zh: 'w 在文档中各个位置的权重之和；文档的所有词加起来等于 1',
      },
    },
  ],
  paper: {
    authors: 'Kadlec, Schmid, Bajgar, Kleindienst',
    title: 'Text Understanding with the Attention Sum Reader Network',
    year: 2016,
    url: 'https://arxiv.org/abs/1603.01547',
    equations: 'section 4',
  },
  equation: 's_i = \\operatorname{softmax}_i(f_i \\cdot g),\\quad P(w) = \\textstyle\\sum_{i:\\, d_i = w} s_i',
  parent: 'dot',
  slots: { score: 'g^\\top f_i', value: '\\mathbf{1}[d_i = w]' },
  complexity: {
    letters: ['D', 'Q', 'E', 'H'],
    sizes,
    pairs: ({ D }) => D!,
    multiplyAdds: ({ D, Q, E, H }) => 6 * (D! + Q!) * H! * (E! + H!) + 2 * D! * H!,
  },
  code: 'attentionSumReader(fovea, inputs, params)',
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'Three positions answer to “who” and share the weight, 0.32 each. “queen” stands at two of them, so its weights add up to 0.64, and it is the answer.',
        zh: '问“谁”，三个位置平分权重，各 0.32。“王后”占了其中两个位置，权重相加得 0.64，所以它是答案。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        [1, 4, 7].every((place) => isNear(valueAt(trace, 'weights', [place]), 0.32, 0.005)) &&
        isNear(valueAt(trace, 'probability', [3]), 0.64, 0.005),
    },
    contrast: {
      inputs: { ...sample.inputs, document: idsOf(withoutSecond, vocabulary) },
    },
  },
  chineseLabels: { the: '那位', king: '国王', saw: '看见', queen: '王后', and: '，', went: '走了', dog: '狗', who: '谁' },
  sampleOf,
  compute,
});
