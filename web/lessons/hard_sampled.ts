import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

export default {
  question: {
    en: 'How can chance choose a key and be fair to all of them?',
    zh: '每次只能读一个键，怎样用随机让每个键都公平？',
  },
  doThis: {
    en: 'Take 1, 10 and 100 draws, then draw again: the mean settles near the soft weights.',
    zh: '依次看 1、10、100 次采样，再重新采样：平均值逐渐靠近软性注意力的权重。',
  },
  live: (trace) => {
    const draws = Array.from({ length: 100 }, (_, draw) => rowOf(trace, 'weights', draw)[1] ?? 0);
    const mean = show(draws.reduce((sum, x) => sum + x, 0) / draws.length, 2);
    return {
      en: `A share of ${mean} of 100 draws took the second key; its soft weight is 0.47.`,
      zh: `100 次采样中，取到第二个键的比例是 ${mean}；它的软性权重是 0.47。`,
    };
  },
  contrast: {
    id: 'hard',
    text: {
      en: 'Argmax takes the best key every time. Sampling takes each key as often as its weight says, so the mean is right.',
      zh: '取最大每次都选同一个键；采样按权重的大小决定选中的频率，因此平均值是对的。',
    },
  },
  history: {
    en: 'Argmax gives no gradient. Show, Attend and Tell (2015) sampled the position and trained by policy gradient, whose noise is large; soft attention trains plainly and replaced it nearly everywhere.',
    zh: '取最大没有梯度。Show, Attend and Tell（2015）改为采样位置，用策略梯度训练，但方差很大；软性注意力可直接训练，几乎全面取而代之。',
  },
  predictions: [
    {
      id: 'one_draw',
      question: {
        en: 'One draw is taken. Can its output be a mixture of two values?',
        zh: '只采样一次，输出会是两个值的混合吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const weights = computed(fovea, 'hard_sampled', 'weights');
        const mixed = weights.filter((weight) => weight !== 0).length > 1;
        const key = weights.indexOf(1) + 1;
        return {
          right: mixed ? 0 : 1,
          shown: {
            en: `This draw took key ${key} alone, with weight ${show(weights[key - 1] ?? 0)}. Only the mean is a mixture.`,
            zh: `这一次只取了键 ${key}，权重为 ${show(weights[key - 1] ?? 0)}。只有平均值才是混合。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
