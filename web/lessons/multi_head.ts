import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'How can one word ask four questions at once?', zh: '一个词怎样同时问四个问题？' },
  doThis: {
    en: 'Choose “it” and go through the heads; then switch head 3 off and read what is left of the output.',
    zh: '选“它”，逐个看各个头；再关掉头 3，看输出里还剩什么。',
  },
  live: (trace) => {
    const cat = two(valueAt(trace, 'weights', [2, 6, 1]));
    const dog = two(valueAt(trace, 'weights', [2, 6, 4]));
    const prev = two(valueAt(trace, 'weights', [0, 4, 3]));
    return {
      en: `In head 3 “it” gives cat ${cat} and dog ${dog}; in head 1 “dog” gives the word before it ${prev}. W_o adds up what the heads bring.`,
      zh: `头 3 里，“它”给“猫” ${cat}、给“狗” ${dog}；头 1 里，“狗”给前一个词 ${prev}。W_o 把各头带来的加在一起。`,
    };
  },
  contrast: {
    id: 'split_heads',
    text: {
      en: 'Here every head has its own W_q, W_k and W_v. Splitting the vectors gives each head a part of the axes, and no matrix.',
      zh: '这里每个头有自己的 W_q、W_k、W_v。切分向量只给每个头一部分轴，没有矩阵。',
    },
  },
  history: {
    en: 'One softmax averages all that a word needs into one mixture. Several heads (2017) keep the answers apart; today heads often share keys and values to save memory.',
    zh: '一个 softmax 把词需要的一切混成一份；多个头（2017）让答案各归各。如今常让多个头共用键和值，以节省内存。',
  },
  textbook: [
    {
      writes: {
        en: 'Multi-head attention is several queries of the same keys and values',
        zh: '多头 = 多个查询，共用同一组键和值',
      },
      means: {
        en: 'Each head has matrices W_q, W_k, W_v of its own, and W_o joins them. Several queries alone are another page.',
        zh: '每个头有自己的 W_q、W_k、W_v，再由 W_o 合起来；只有多个查询是另一页。',
      },
    },
  ],
} satisfies Lesson;
