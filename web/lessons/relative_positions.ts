import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'What if only the distance between two words counts?', zh: '如果只有两个词之间的距离起作用呢？' },
  doThis: {
    en: 'Move the bump of the table from −1 to +1: all words turn to the one after them.',
    zh: '把表中的高峰从 −1 移到 +1：所有词都转向后一个词。',
  },
  live: (trace) => {
    const p = two(valueAt(trace, 'weights', [3, 2]));
    const a = two(valueAt(trace, 'weights', [3, 0]));
    const b = two(valueAt(trace, 'weights', [3, 1]));
    return {
      en: `The second “I” gives the word before it, “THAT”, the weight ${p}. The first “I” and “BELIEVE” are both two or more words away and share a row of the table: ${a} and ${b}.`,
      zh: `第二个“我”给前面的逗号的权重是 ${p}。第一个“我”和“相信”都在两个词以外，共用表中的一行：${a} 和 ${b}。`,
    };
  },
  contrast: {
    id: 'rope',
    text: {
      en: 'Shaw adds a learned vector for each distance to the keys. RoPE needs no table: it turns queries and keys.',
      zh: 'Shaw 按距离给键加上一个可学习的向量；RoPE 不用表，而是转动查询和键。',
    },
  },
  history: {
    en: 'Absolute positions learn the same habit again at every position. A table by distance (2018) learns it once; ALiBi and RoPE do without the table.',
    zh: '绝对位置要在每处重新学同样的习惯；按距离的表（2018）只学一次。ALiBi 和 RoPE 连表也不用。',
  },
} satisfies Lesson;
