import { attention, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { both, texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords } from './samples/words.ts';

const questions = ['who', 'does what', 'where'];
const features = ['animate', 'verb', 'place'];

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, axis } = readableWords(words, features, false, has);
  const asks = features.map((feature) => axes.map((_, n) => Number(n === axis[feature])));
  /** Their mean, asked three times. */
  const one = asks.map(() => axes.map((_, n) => asks.reduce((sum, q) => sum + q[n]!, 0) / 3));
  const v = identityMatrix(words.length);
  return {
    inputs: { q: asks, k: vectors, v },
    labels: { q: [questions, axes], k: [words, axes], v: [words, words] },
    contrast: { inputs: { q: one, k: vectors, v } },
    sizes: { Tk: words.length, D: axes.length, Dv: words.length },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['the', 'cat', 'chases', 'home']);

export default option({
  id: 'multi_query',
  family: 'selfAttention',
  title: { en: 'Several queries (heads without projections)', zh: '多个查询（不带投影的多头）' },
  aliases: [
    'multi-query attention',
    'MQA',
    'grouped-query attention',
    'GQA',
    '多查询注意力',
    '分组查询注意力',
    'att((K, V), Q)',
    '多查询',
    '多个查询的多头注意力',
  ],
  notations: [
    {
      text: both(texts.survey, texts.notes),
      writes: {
        en: 'multi-head attention: att((K, V), q_1) ⊕ … ⊕ att((K, V), q_M)',
        zh: '多头注意力: att((K, V), q_1) ⊕ … ⊕ att((K, V), q_M)',
      },
      means: {
        en: 'several queries of one set of keys and values; multi-head attention has matrices of each head besides',
        zh: '多个查询共用一组键和值；多头注意力的每个头还有自己的矩阵',
      },
    },
  ],
  paper: null,
  year: 2017,
  equation: '\\operatorname{att}((K, V), q_1) \\oplus \\cdots \\oplus \\operatorname{att}((K, V), q_M)',
  parent: 'key_value',
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 3, ...sizes } },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'fovea.attention(q, k, v, { scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { scale: 6 },
    claim: {
      text: {
        en: 'Three questions to one sentence, each answered by itself: “who” weighs “cat” 0.99, “does what” weighs “chases” 0.99, “where” weighs “home” 0.99. As one question, their mean, the three answers run together.',
        zh: '向同一个句子提三个问题，各答各的：“谁”给“猫”、“做什么”给“跑回”、“哪里”给“家”的权重都是 0.99。若把三个问题平均成一个来问，答案就混在一起了。',
      },
      tolerance: 0.005,
      holds: (trace) => questions.every((_, m) => isNear(valueAt(trace, 'weights', [m, m + 1]), 0.99, 0.005)),
    },
  },
  chineseLabels: { who: '谁', 'does what': '做什么', where: '哪里', the: '那', cat: '猫', chases: '跑回', home: '家' },
  sampleOf,
  compute: attention,
});
