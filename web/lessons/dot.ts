import type { Lesson } from './lesson.ts';
import { isNear, list, rowOf, weightsOf } from './numbers.ts';

export default {
  question: {
    en: 'How can a product of two vectors tell how alike two words are?',
    zh: '两个向量相乘，怎么就能知道两个词有多像？',
  },
  doThis: {
    en: 'In the query’s row take “male” away and add “female”, then take “king” away and add “queen”: the largest weight moves to queen.',
    zh: '在查询那一行（row），去掉“男性”和“国王”，加上“女性”和“王后”：最大的权重就移到“王后”。',
  },
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return {
      en: `The query scores ${scores.en} with the four words; softmax makes weights of them: ${weights.en}.`,
      zh: `查询与四个词的分数：${scores.zh}；经过 softmax 成为权重：${weights.zh}。`,
    };
  },
  contrast: {
    id: 'bilinear',
    text: {
      en: 'The dot product compares axis 1 with axis 1, axis 2 with axis 2. Bilinear attention puts a learned table between them: any axis may match any other.',
      zh: '点积只让同一个轴互相比较。双线性注意力在中间放一张可学习的表，任何轴都可以与任何轴匹配。',
    },
  },
  history: {
    en: 'Additive scores need a small network for every pair. Luong (2015) used one product for all pairs instead: far faster, but queries and keys must have the same width. Scaling it by √d replaced it.',
    zh: '加性打分要对每一对都算一个小网络。Luong（2015）改用一次矩阵乘法，快得多，但查询与键的维度必须相同；后来由缩放点积取代。',
  },
  predictions: [
    {
      id: 'add_hundred',
      question: {
        en: '100 is added to every score of a row. What happens to its weights?',
        zh: '给一行的每个分数都加上 100，权重会怎样？',
      },
      choices: [
        { en: 'Nothing', zh: '不变' },
        { en: 'They become sharper', zh: '更集中' },
        { en: 'They become more even', zh: '更平均' },
      ],
      reveal: (fovea) => {
        const [before, after] = [weightsOf(fovea, [1, 0, 3, 1]), weightsOf(fovea, [101, 100, 103, 101])];
        const [a, b] = [list(before), list(after)];
        return {
          right: isNear(before, after) ? 0 : Math.max(...after) > Math.max(...before) ? 1 : 2,
          shown: {
            en: `Before: ${a.en}. After: ${b.en}. Softmax knows only the differences between scores.`,
            zh: `之前：${a.zh}。之后：${b.zh}。softmax 只看分数之差。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: '“click attention”', zh: '点击注意力、点击模型' },
      means: {
        en: 'A slip of one Chinese character for “dot-product attention”.',
        zh: '应为点积注意力、点积模型；“点击”是笔误。',
      },
    },
    {
      writes: { en: 'α_ij = qⁱ · kⁱ', zh: 'α_ij = qⁱ · kⁱ' },
      means: { en: 'α_ij = qⁱ · kʲ: the key is that of token j.', zh: '应为 α_ij = qⁱ · kʲ，键属于第 j 个词元。' },
    },
  ],
} satisfies Lesson;
