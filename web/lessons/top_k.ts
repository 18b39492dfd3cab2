import type { Lesson } from './lesson.ts';
import { list, rowOf, weightsOf } from './numbers.ts';

export default {
  question: { en: 'What if only the few best keys may share the weight?', zh: '如果只让最好的几个键分享权重呢？' },
  doThis: {
    en: 'Change k from 1 to 4, then drag the third score above the second: it takes its place.',
    zh: '把 k 从 1 调到 4；再把第三个分数拖到第二个之上，它就取而代之。',
  },
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const kept = weights.filter((weight) => weight > 0).length;
    return {
      en: `The weights are ${shown.en}. Keys that take part: ${kept}.`,
      zh: `权重是 ${shown.zh}：有 ${kept} 个键参加。`,
    };
  },
  contrast: {
    id: 'sparsemax',
    text: {
      en: 'Top-k keeps a fixed number of keys. Sparsemax lets the scores decide how many remain.',
      zh: 'top-k 保留固定个数的键；sparsemax 由分数自己决定留下几个。',
    },
  },
  history: {
    en: 'Over long inputs softmax spreads a little weight over thousands of useless keys. Keeping the k best (2021) needs less memory and loses little; the jump at rank k remains.',
    zh: '输入很长时，softmax 把零碎权重撒在成千上万个无用的键上。只留前 k 个（2021）省内存、损失小；但第 k 名处仍有跳变。',
  },
  predictions: [
    {
      id: 'zero_score',
      question: {
        en: 'Scores 1.2, 0.4 and, for three keys that should not count, 0. Are those three weights 0?',
        zh: '分数是 1.2、0.4，另外三个不该算的键设为 0。它们的权重是 0 吗？',
      },
      choices: [
        { en: 'Yes', zh: '是' },
        { en: 'No', zh: '不是' },
      ],
      reveal: (fovea) => {
        const zero = weightsOf(fovea, [1.2, 0.4, 0, 0, 0]);
        const masked = weightsOf(fovea, [1.2, 0.4, 0, 0, 0], { mask: [[true, true, false, false, false]] });
        const [a, b] = [list(zero), list(masked)];
        return {
          right: zero[2] === 0 ? 0 : 1,
          shown: { en: `Score 0: ${a.en}. Score −∞, a mask: ${b.en}.`, zh: `分数 0：${a.zh}。分数 −∞（掩码）：${b.zh}。` },
        };
      },
    },
    {
      id: 'masked_row',
      question: {
        en: 'All keys of a query are masked. What are its weights?',
        zh: '一个查询的所有键都被掩码，它的权重是什么？',
      },
      choices: [
        { en: 'All the same', zh: '全都相同，平均分配' },
        { en: 'All 0', zh: '全是 0' },
        { en: 'Not a number', zh: '不是数' },
      ],
      reveal: (fovea) => {
        const weights = weightsOf(fovea, [2, 1, 0], { mask: [[false, false, false]] });
        const shown = list(weights);
        return {
          right: weights.some(Number.isNaN) ? 2 : weights.every((weight) => weight === 0) ? 1 : 0,
          shown: {
            en: `${shown.en}: all zero here; many libraries give NaN. The output is 0 as well.`,
            zh: `${shown.zh}：这里全为 0，许多库给出 NaN。输出也是 0。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
