import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: {
    en: 'Must each head start from the words, or can heads share a first query?',
    zh: '每个头都要从词出发吗，还是可以共用第一级查询？',
  },
  doThis: { en: 'Give both heads the same question: their maps become equal.', zh: '让两个头问同一个问题：两张图变得一样。' },
  live: (trace) => {
    const s = two(valueAt(trace, 'weights', [0, 3, 1]));
    const p = two(valueAt(trace, 'weights', [1, 3, 2]));
    return {
      en: `The last “saw” gives the first “saw” ${s} in head 1, and the word before it ${p} in head 2.`,
      zh: `最后一个“画”在头 1 给前一个“画” ${s}，在头 2 给前一个词 ${p}。`,
    };
  },
  contrast: {
    id: 'multi_head',
    text: {
      en: 'Both stages are matrices, so their product is one matrix for each head: multi-head attention, written in two steps.',
      zh: '两级都是矩阵，乘起来就是每个头的一个矩阵：把多头注意力分两步写。',
    },
  },
  history: {
    en: 'A textbook’s way to draw heads: first q, then q¹ and q². Programs multiply both stages into one matrix.',
    zh: '这是教材画多头的方式：先有 q，再有 q¹ 和 q²；程序里把两级乘成一个矩阵。',
  },
} satisfies Lesson;
