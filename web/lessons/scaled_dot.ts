import type { Lesson } from './lesson.ts';
import { isNear, list, rowOf, show, weightsOf } from './numbers.ts';

export default {
  question: { en: 'Why are scores divided by √d before softmax?', zh: '为什么在 softmax 之前，要把分数除以 √d？' },
  doThis: {
    en: 'Divide by 1 instead of √3 and look at the largest weight of the third query. Then drag a score and follow its weight.',
    zh: '把除数从 √3 换成 1，看第三个查询的最大权重怎样变。再拖动一个分数，看它的权重怎样变。',
  },
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return {
      en: `The first query scores ${scores.en}. Its weights are ${weights.en}: equal scores get equal weights.`,
      zh: `第一个查询的分数是 ${scores.zh}，权重是 ${weights.zh}：分数相同，权重就相同。`,
    };
  },
  contrast: {
    id: 'dot',
    text: {
      en: 'The plain dot product does not divide. With long vectors its scores grow like √d.',
      zh: '点积注意力不除以 √d。向量越长，分数的波动越大（标准差为 √d）。',
    },
  },
  history: {
    en: 'Luong’s dot product did worse than additive attention for wide vectors. The Transformer (2017) divided it by √d and kept its speed; it is the default of nearly all models since.',
    zh: '维度大时，Luong 的点积不如加性注意力。Transformer（2017）把点积除以 √d，既快又稳，此后几乎成为所有模型的默认选择。',
  },
  predictions: [
    {
      id: 'score_rises',
      question: {
        en: 'A query scores 2, 4 and 4, and the second score rises to 6. What becomes of the third weight?',
        zh: '一个查询的分数是 2、4、4，第二个升到 6。第三个权重会怎样？',
      },
      choices: [
        { en: 'It stays, as its score does', zh: '不变，因为它的分数没变' },
        { en: 'It falls', zh: '变小' },
        { en: 'It rises', zh: '变大' },
      ],
      reveal: (fovea) => {
        const [before = 0, after = 0] = [4, 6].map((score) => weightsOf(fovea, [2, score, 4])[2]);
        return {
          right: before === after ? 0 : after < before ? 1 : 2,
          shown: {
            en: `It goes from ${show(before)} to ${show(after)}: the weights sum to 1, so one key gains what the others lose.`,
            zh: `从 ${show(before)} 变为 ${show(after)}：权重之和为 1，一个键多得的，就是别的键失去的。`,
          },
        };
      },
    },
    {
      id: 'double_scores',
      covers: ['textbook'],
      question: {
        en: 'All scores of a row are doubled: 1, 2, 3 become 2, 4, 6. The weights …',
        zh: '把一行分数都乘以 2：1、2、3 变成 2、4、6。权重会怎样？',
      },
      choices: [
        { en: 'stay as they are', zh: '不变' },
        { en: 'become sharper', zh: '更集中' },
        { en: 'become more even', zh: '更平均' },
      ],
      reveal: (fovea) => {
        const [before, after] = [weightsOf(fovea, [1, 2, 3]), weightsOf(fovea, [2, 4, 6])];
        const [first = 0, second = 0] = [before[2], after[2]];
        return {
          right: isNear(before, after) ? 0 : second > first ? 1 : 2,
          shown: {
            en: `The largest weight goes from ${show(first)} to ${show(second)}. Dividing by √d does the opposite.`,
            zh: `最大的权重从 ${show(first)} 变为 ${show(second)}。除以 √d 的作用正好相反。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'The worked example writes softmax(QKᵀ)V, its code divides by √d.',
        zh: '例题写 softmax(QKᵀ)V，代码里却除以 √d。',
      },
      means: {
        en: 'The example has scale 1, with weights 0.0634, 0.4683, 0.4683; with 1/√3 they are 0.1361, 0.4319, 0.4319.',
        zh: '例题的缩放是 1，权重为 0.0634、0.4683、0.4683；缩放 1/√3 时为 0.1361、0.4319、0.4319。',
      },
    },
  ],
} satisfies Lesson;
