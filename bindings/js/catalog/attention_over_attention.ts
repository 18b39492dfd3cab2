import { attentionOverAttention as compute } from '../mechanisms/attention_over_attention.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { bothWays, SATURATED, type GruDesign } from './samples/gru_weights.ts';
import { idsOf, readableWords, sparseMatrix } from './samples/words.ts';

const document = ['Mary', 'saw', 'Rome', 'Tom', 'saw', 'Paris'];
const query = ['who', 'saw', 'Paris'];
const vocabulary = [...new Set([...document, ...query])];
const { vectors: We, axes, axis } = readableWords(vocabulary, ['name']);
/** Units: whether a name stands here; the word itself, which is only kept for the next step; the next word; the one after it. */
const V = vocabulary.length;
const H = 1 + 3 * V;
const KEPT = 1 / 32;
const isName: GruDesign = { candidate: sparseMatrix(axes.length, H, [[axis['name']!, 0, SATURATED]]) };
const context: GruDesign = {
  candidate: sparseMatrix(axes.length, H, [
    [axis['name']!, 0, SATURATED],
    ...vocabulary.map((_, n) => [n, 1 + n, KEPT] as const),
  ]),
  recurrent: sparseMatrix(H, H, [
    ...vocabulary.map((_, n) => [1 + n, 1 + V + n, SATURATED / KEPT] as const),
    ...vocabulary.map((_, n) => [1 + V + n, 1 + 2 * V + n, SATURATED] as const),
  ]),
};
/** The forward GRU sees a name, the backward one also the two words that follow. */
const reader = bothWays(isName, context);

export default system({
  id: 'attention_over_attention',
  family: 'pointing',
  title: { en: 'Attention-over-attention reader', zh: '注意力之上的注意力' },
  aliases: ['AoA reader', 'attention over attention', 'AoA', '注意力上的注意力', '层叠式注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 's = α^⊤ β',
      means: {
        en: "s = α times the mean of β's rows: the columns of α are the distributions over the document",
        zh: 's = α 乘以 β 各行的平均：α 的每一列是文档上的一个分布',
      },
    },
  ],
  paper: {
    authors: 'Cui, Chen, Wei, Wang, Liu, Hu',
    title: 'Attention-over-Attention Neural Networks for Reading Comprehension',
    year: 2017,
    url: 'https://arxiv.org/abs/1607.04423',
    equations: 'section 3',
  },
  equation:
    '\\alpha_{ij} = \\operatorname{softmax}_i(M_{ij}),\\quad \\beta_{ij} = \\operatorname{softmax}_j(M_{ij}),\\quad s = \\alpha\\, \\tfrac{1}{|D|} \\textstyle\\sum_i \\beta_i',
  parent: 'attention_sum_reader',
  slots: { weightScale: '\\bar\\beta_j' },
  complexity: {
    letters: ['D', 'Q', 'E', 'H'],
    sizes: { D: document.length, Q: query.length, E: axes.length, H },
    pairs: ({ D, Q }) => D! * Q!,
    multiplyAdds: ({ D, Q, E, H }) => 6 * (D! + Q!) * H! * (E! + H!) + 2 * D! * Q! * H! + D! * Q!,
  },
  code: 'attentionOverAttention(fovea, inputs, params)',
  defaults: {
    inputs: { document: idsOf(document, vocabulary), query: idsOf(query, vocabulary) },
    params: { We, document: reader, query: reader },
    labels: { document: [document], query: [query], We: [vocabulary, axes] },
    claim: {
      text: {
        en: 'Who saw Paris? The document itself says that the word that counts is “who” (0.51 of the query’s weight, not a third), so “Tom” gets 0.43 and the next word, “saw”, 0.22.',
        zh: '谁去学校？由文档反过来看，问句里最要紧的是空缺“某人”（占 0.51，而不是三分之一），所以“汤姆”得 0.43，其次的“去”只有 0.22。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isNear(valueAt(trace, 'averageBeta', [0]), 0.51, 0.005) &&
        isNear(valueAt(trace, 'probability', [3]), 0.43, 0.005) &&
        isNear(valueAt(trace, 'probability', [1]), 0.22, 0.005),
    },
    // Without the words that follow, one name is as good as the other.
    contrast: { params: { We, document: reader, query: bothWays(isName) } },
  },
  chineseLabels: { Mary: '玛丽', saw: '去', Rome: '公园', Tom: '汤姆', Paris: '学校', who: '某人' },
  compute,
});
