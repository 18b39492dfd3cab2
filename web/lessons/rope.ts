import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'How do rotated vectors know their distance?', zh: '旋转过的向量怎么知道彼此的距离？' },
  doThis: {
    en: 'Move the first position: all arrows turn, the angle between them stays, and so do the weights.',
    zh: '移动首个位置：箭头都转动，夹角不变，权重也不变。',
  },
  live: (trace) => {
    const w = two(valueAt(trace, 'weights', [4, 3]));
    return {
      en: `Token 4 gives the one before it ${w}, although all queries are equal and all keys are equal.`,
      zh: `所有查询相同、所有键也相同，第 4 个词元仍给前一个 ${w}。`,
    };
  },
  contrast: {
    id: 'sinusoidal',
    text: {
      en: 'Sinusoids are added to the words once. RoPE rotates queries and keys in every layer, and leaves the values alone.',
      zh: '正弦只在开头加到词上一次；RoPE 在每一层转动查询和键，不动值。',
    },
  },
  history: {
    en: 'Added positions mix with the words’ meaning. Rotation (2021) puts distance into the score alone; most language models of today use it.',
    zh: '加上去的位置会与词义混在一起；旋转（2021）只把距离放进分数，如今多数语言模型都用它。',
  },
} satisfies Lesson;
