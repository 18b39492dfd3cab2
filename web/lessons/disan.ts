import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'Must all features of a word look at the same position?', zh: '一个词的所有特征都得看同一处吗？' },
  doThis: {
    en: 'For “king” compare feature 1 (royal) with feature 2 (male); then give both the same weights.',
    zh: '选“国王”，比较特征 1（王室）与特征 2（男性）；再让两者用相同的权重。',
  },
  live: (trace) => {
    const r = two(valueAt(trace, 'forwardWeights', [7, 1, 0]));
    const m = two(valueAt(trace, 'forwardWeights', [7, 4, 1]));
    return {
      en: `Looking back from “king”, the royal feature gives queen ${r}, the male one gives man ${m}.`,
      zh: `从“国王”往前看，王室特征给“王后” ${r}，男性特征给“男人” ${m}。`,
    };
  },
  contrast: {
    id: 'multi_head',
    text: {
      en: 'A head has one weight for a pair of words. Here each feature of the value has its own.',
      zh: '头对一对词只有一个权重；这里值的每个特征都有自己的权重。',
    },
  },
  history: {
    en: 'A recurrent network reads in one direction at a time. DiSAN (2018) reads both ways with masks and weighs each feature, at the price of n²·d scores; heads are cheaper.',
    zh: '循环神经网络一次只朝一个方向读。DiSAN（2018）用掩码读两个方向，并为每个特征加权，代价是 n²·d 个分数；多头更便宜。',
  },
} satisfies Lesson;
