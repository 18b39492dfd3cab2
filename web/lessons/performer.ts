import { approximation } from 'fovea/linear-attention';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const DRAWS = 20;
const [FEW, MANY] = [64, 256];
const WORDS = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]; // prettier-ignore

export default {
  question: {
    en: 'Can random numbers stand in for softmax?',
    zh: '随机数能代替 softmax 吗？',
  },
  doThis: {
    en: 'Halve the features again and again, and draw again each time: the fewer there are, the more the error depends on luck.',
    zh: '不断把特征数减半，每次都重新抽取几遍：特征越少，误差越靠运气。',
  },
  live: (trace) => {
    const find = (name: string) => trace.find((stage) => stage.name === name);
    const [exact, weights] = [find('exactWeights')?.data, find('weights')?.data];
    const errors = Array.from(weights ?? [], (weight, n) => Math.abs(weight - (exact?.[n] ?? 0)));
    const [largest, mean] = [Math.max(...errors), errors.reduce((sum, x) => sum + x, 0) / errors.length];
    const first = weights?.[0] ?? NaN;
    const features = find('queryFeatures')?.shape.at(-1) ?? 0;
    return {
      en: `With ${features} random features the largest error of a weight is ${show(largest)}, the mean ${show(mean)}. The first weight: ${show(first)}.`,
      zh: `用 ${features} 个随机特征，单个权重的最大误差是 ${show(largest)}，平均 ${show(mean)}。第一个权重：${show(first)}。`,
    };
  },
  contrast: {
    id: 'linear',
    text: {
      en: 'elu + 1 gives weights of its own, whatever softmax would give. Performer’s features have softmax as their mean: with enough of them its weights come back.',
      zh: 'elu + 1 有自己的一套权重，与 softmax 无关。Performer 的特征平均起来正是 softmax：特征足够多，就回到它的权重。',
    },
  },
  history: {
    en: 'A Transformer trained with softmax cannot take elu + 1 instead. Choromanski (2020) drew features whose products have e^(q·k) as their mean. Their error falls slowly; exact attention made fast (FlashAttention, 2022) replaced them.',
    zh: '用 softmax 训练好的 Transformer 不能直接换成 elu + 1。Choromanski（2020）抽取随机特征，其乘积的平均是 e^(q·k)。但误差降得慢，后来被加速后的精确注意力（FlashAttention，2022）取代。',
  },
  predictions: [
    {
      id: 'four_times_the_features',
      question: {
        en: 'Four times as many random features: how much smaller is the error, on average?',
        zh: '随机特征增加到四倍，误差平均缩小到多少？',
      },
      choices: [
        { en: 'About one half', zh: '约二分之一' },
        { en: 'About one quarter', zh: '约四分之一' },
        { en: 'About one sixteenth', zh: '约十六分之一' },
      ],
      reveal: (fovea) => {
        const [few, many] = [FEW, MANY].map((features) => {
          const errors = Array.from({ length: DRAWS }, (_, seed) => {
            const linear = { featureMap: 'favor+', features, seed } as const;
            return approximation(fovea, WORDS, WORDS, WORDS, { linear }).relativeFrobenius;
          });
          return errors.reduce((sum, x) => sum + x, 0) / DRAWS;
        }) as [number, number];
        const ratio = many / few;
        return {
          right: ratio > 0.35 ? 0 : ratio > 0.12 ? 1 : 2,
          shown: {
            en: `Over ${DRAWS} draws the mean error goes from ${show(few)} to ${show(many)}, to ${show(ratio, 2)} of it: by the square root.`,
            zh: `${DRAWS} 次抽取的平均误差从 ${show(few)} 降到 ${show(many)}，是原来的 ${show(ratio, 2)}：按平方根下降。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
