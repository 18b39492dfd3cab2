import { multiHeadAttention, projectedWork } from './calls/projected_call.ts';
import { option } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { both, texts, vaswani2017 } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const heads = ['previous', 'same word', 'pronoun', 'first'];

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, distinct, axis } = readableWords(words, ['pronoun', 'animate'], true, has);
  const [D, Dv] = [words.length, distinct.length];
  const place = words.map((_, n) => axis[`#${n}`]!);
  const names = (width: number) => heads.flatMap((head) => Array.from({ length: width }, (_, n) => `${head} ${n + 1}`));
  const Wq = sparseMatrix(axes.length, heads.length * D, [
    ...place.slice(1).map((from, n) => [from, n, 8] as const),
    ...distinct.map((_, n) => [n, D + n, 8] as const),
    [axis['pronoun']!, 2 * D, 8],
    ...place.map((from) => [from, 3 * D, 8] as const),
  ]);
  const Wk = sparseMatrix(axes.length, heads.length * D, [
    ...place.map((from, n) => [from, n, 1] as const),
    ...distinct.map((_, n) => [n, D + n, 1] as const),
    [axis['animate']!, 2 * D, 1],
    [place[0]!, 3 * D, 1],
  ]);
  const Wv = sparseMatrix(
    axes.length,
    heads.length * Dv,
    heads.flatMap((_, h) => distinct.map((_, n) => [n, h * Dv + n, 1] as const)),
  );
  const Wo = sparseMatrix(
    heads.length * Dv,
    Dv,
    heads.flatMap((_, h) => distinct.map((_, n) => [h * Dv + n, n, 0.25] as const)),
  );
  return {
    inputs: { X: vectors },
    params: { Wq, Wk, Wv, Wo },
    labels: { X: [words, axes], Wq: [axes, names(D)], Wk: [axes, names(D)], Wv: [axes, names(Dv)], Wo: [names(Dv), distinct] },
    sizes: { T: words.length, E: axes.length, H: heads.length, D, Dv, O: Dv },
  } satisfies OtherWords;
}
const sample = sampleOf(['the', 'cat', 'saw', 'the', 'dog', 'and', 'it']);

export default option({
  id: 'multi_head',
  family: 'selfAttention',
  title: { en: 'Multi-head attention', zh: '多头注意力' },
  aliases: ['MHA', 'multi-head self-attention', '多头自注意力', '多頭注意力'],
  notations: [
    {
      text: both(texts.survey, texts.notes),
      writes: { en: 'multi-head: several queries of the same keys and values', zh: '多头就是用多个查询去查同样的键和值' },
      means: {
        en: 'each head has W_q, W_k and W_v of its own, and W_o joins them',
        zh: '每个头有自己的 W_q、W_k、W_v，由 W_o 合并',
      },
    },
    {
      text: texts.steps,
      writes: 'head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)',
      means: { en: 'columns of W_q, W_k, W_v side by side, head after head', zh: 'W_q、W_k、W_v 的列逐头并排' },
    },
  ],
  paper: { ...vaswani2017, equations: '§3.2.2' },
  equation:
    'O = [\\mathrm{head}_1; \\ldots; \\mathrm{head}_H]\\, W_o,\\quad \\mathrm{head}_h = \\operatorname{softmax}(Q_h K_h^\\top / \\sqrt{d})\\, V_h',
  parent: 'self_attention',
  slots: { score: '(W_{q,h}^\\top x_i)^\\top (W_{k,h}^\\top x_j) / \\sqrt{d}', value: 'W_{v,h}^\\top x_j' },
  complexity: { ...projectedWork, sizes: sample.sizes },
  ranges: { 'options.scale': { from: 0, to: 2, step: 0.1 } },
  code: 'fovea.multiHeadAttention(X, X, X, { Wq, Wk, Wv, Wo }, { heads, scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { heads: 4, scale: 1 },
    claim: {
      text: {
        en: 'Four heads look for four things at once: “dog” weighs the word before it 1.00; the first “the” weighs both “the” 0.50; “it” weighs “cat” and “dog” 0.50; every word weighs the first 1.00. One head would have to choose.',
        zh: '四个头同时找四样东西：“狗”给前一个词 1.00；第一个“那”给两个“那”各 0.50；“它”给“猫”和“狗”各 0.50；每个词给首词 1.00。只有一个头时只能取其一。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        ([[0, 4, 3, 1], [1, 0, 0, 0.5], [1, 0, 3, 0.5], [2, 6, 1, 0.5], [2, 6, 4, 0.5], [3, 5, 0, 1]] as const).every(
          ([head, query, key, weight]) => isNear(valueAt(trace, 'weights', [head, query, key]), weight, 0.005),
        ), // prettier-ignore
    },
    contrast: { options: { heads: 1 } },
  },
  chineseLabels: { the: '那', cat: '猫', saw: '看见', dog: '狗', and: '，', it: '它' },
  sampleOf,
  compute: multiHeadAttention,
});
