import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'What do three questions get from one sentence?', zh: '向一个句子提三个问题，各得到什么？' },
  doThis: {
    en: 'Ask the three as one, their mean: the answers run together. Then lower the scale.',
    zh: '把三个问题平均成一个来问：答案混在一起。再把缩放调小。',
  },
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 1]));
    const b = two(valueAt(trace, 'weights', [1, 2]));
    const c = two(valueAt(trace, 'weights', [2, 3]));
    return {
      en: `“who” gives cat ${a}, “does what” gives chases ${b}, “where” gives home ${c}.`,
      zh: `“谁”给“猫” ${a}，“做什么”给“跑回” ${b}，“哪里”给“家” ${c}。`,
    };
  },
  contrast: {
    id: 'multi_head',
    text: {
      en: 'Several queries read one set of keys and values. A head of multi-head attention also looks at them through matrices of its own.',
      zh: '多个查询读同一组键和值；多头的每个头还要先通过自己的矩阵来看它们。',
    },
  },
  history: {
    en: 'One query gives one average. Textbooks call several of them multi-head; the heads of 2017 add the projections that this form lacks.',
    zh: '一个查询只得到一份平均。有教材把多个查询叫作多头；2017 年的多头补上了这里没有的投影。',
  },
  textbook: [
    {
      writes: {
        en: '“multi-head attention”: att((K, V), q_1) ⊕ … ⊕ att((K, V), q_M)',
        zh: '多头注意力：att((K, V), q_1) ⊕ … ⊕ att((K, V), q_M)',
      },
      means: {
        en: 'Several queries of one set of keys and values. Multi-head attention has W_q, W_k, W_v for each head besides.',
        zh: '这是多个查询；多头注意力另外还有每个头的 W_q、W_k、W_v。',
      },
    },
  ],
} satisfies Lesson;
