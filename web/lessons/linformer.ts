import { approximation } from 'fovea/linear-attention';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const [A, B, C] = [[4, 0, 0], [0, 4, 0], [0, 0, 4]] as const; // prettier-ignore
const SMOOTH = [A, A, B, B, C, C];
const SPIKY = [A, C, B, A, C, B];
/** Means of two neighbors. */
const MEANS = [[0.5, 0.5, 0, 0, 0, 0], [0, 0, 0.5, 0.5, 0, 0], [0, 0, 0, 0, 0.5, 0.5]]; // prettier-ignore

export default {
  question: {
    en: 'If neighbors are alike, why keep every key?',
    zh: '相邻的词元都很像时，何必保留每一个键？',
  },
  doThis: {
    en: 'Raise the rank step by step and watch the error. Then shuffle the months and do it again.',
    zh: '一步步提高秩，看误差怎样变。再把月份打乱，重做一遍。',
  },
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const all = trace.find(({ name }) => name === 'weights')?.data.length ?? 0;
    return {
      en: `The first month gives its mixtures ${shown.en}. In all there are ${all} weights.`,
      zh: `第一个月给各个混合的权重是 ${shown.zh}。一共有 ${all} 个权重。`,
    };
  },
  contrast: {
    id: 'performer',
    text: {
      en: 'Performer replaces the exponential and takes texts of any length. Linformer shortens the text: n keys become r, n is fixed beforehand, and a mixture holds later words, so there is no causal form.',
      zh: 'Performer 替换指数函数，文本可长可短。Linformer 缩短文本：n 个键变成 r 个，n 要事先定好；混合里含有后面的词，所以没有因果形式。',
    },
  },
  history: {
    en: 'Weights of trained Transformers are nearly of low rank, yet all n² are computed. Wang (2020) learned r mixtures of the keys. Since it cannot write word by word, FlashAttention and smaller key-value caches took its place.',
    zh: '训练好的 Transformer，权重矩阵近乎低秩，却仍要算满 n² 个。Wang（2020）学习 r 个键的混合。但它无法逐词生成，后来让位于 FlashAttention 和更小的键值缓存。',
  },
  predictions: [
    {
      id: 'same_words_other_order',
      question: {
        en: 'Six words, two of each kind, are averaged in pairs of neighbors. Is the error the same whether equal words stand together or apart?',
        zh: '六个词，每种两个，相邻两个取平均。相同的词放在一起或分开，误差一样吗？',
      },
      choices: [
        { en: 'Yes, they are the same words', zh: '一样，词是相同的' },
        { en: 'No, together there is none', zh: '不一样，放在一起时没有误差' },
        { en: 'No, apart there is none', zh: '不一样，分开时没有误差' },
      ],
      reveal: (fovea) => {
        const [together, apart] = [SMOOTH, SPIKY].map((rows) => {
          const x = rows.map((row) => [...row]);
          return approximation(fovea, x, x, x, { linformer: { E: MEANS } }).relativeFrobenius;
        }) as [number, number];
        return {
          right: Math.abs(together - apart) < 1e-3 ? 0 : together < apart ? 1 : 2,
          shown: {
            en: `Together: relative error ${show(together)}. Apart: ${show(apart)}. A mean keeps what its words share.`,
            zh: `放在一起：相对误差 ${show(together)}；分开：${show(apart)}。平均只留下各词共有的东西。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
