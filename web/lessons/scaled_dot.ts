import type { Lesson } from './lesson.ts';
import { isNear, list, rowOf, show, weightsOf } from './numbers.ts';

export default {
  question: { en: 'Why are scores divided by √d before softmax?', zh: '为什么在 softmax 之前，要把分数除以 √d？' },
  doThis: {
    en: 'Divide by 1 instead of √3 and look at the third query: its largest weight rises from 0.755 to 0.881. Then drag a score and follow its weight.',
    zh: '把“分数除以”从 √3 换成 1，看第三个查询：最大的权重从 0.755 升到 0.881。再拖动一个分数，看它的权重怎样变化。',
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
      en: 'The plain dot product does not divide. With long vectors its scores grow like √d, and softmax leaves nearly everything to one key.',
      zh: '点积注意力不除以 √d。向量越长，分数的波动越大（标准差为 √d），softmax 就几乎把全部权重给了一个键。',
    },
  },
  history: {
    en: 'Luong’s dot product did worse than additive attention for wide vectors. The Transformer (2017) divided it by √d and kept its speed; it is the default of nearly all models since.',
    zh: '维度大时，Luong 的点积不如加性注意力。Transformer（2017）把点积除以 √d，既快又稳，此后几乎成为所有模型的默认选择。',
  },
  predictions: [
    {
      id: 'equal_scores',
      question: {
        en: 'A query scores 2, 4 and 4. Which weight is the largest?',
        zh: '一个查询的分数是 2、4、4，哪个权重最大？',
      },
      choices: [
        { en: 'The second', zh: '第二个' },
        { en: 'The third', zh: '第三个' },
        { en: 'The second and the third are equal', zh: '第二个和第三个相等' },
      ],
      reveal: (fovea) => {
        const weights = weightsOf(fovea, [2, 4, 4]);
        const shown = list(weights);
        const [, second = 0, third = 0] = weights;
        return {
          right: second === third ? 2 : second > third ? 0 : 1,
          shown: {
            en: `Softmax gives ${shown.en}. It looks at the scores only, not at their order.`,
            zh: `softmax 给出 ${shown.zh}。它只看分数，不看先后。`,
          },
        };
      },
    },
    {
      id: 'double_scores',
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
