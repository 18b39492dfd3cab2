import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

export default {
  question: {
    en: 'How can “France” find “Paris” if the two share nothing?',
    zh: '“法国”与“巴黎”毫无共同点，怎样才能找到它？',
  },
  doThis: {
    en: 'Press the cell France–Tokyo in W: a weight moves to Tokyo. Then take W = I.',
    zh: '点一下 W 中“法国”与“东京”那一格，权重就分给“东京”。再换成 W = I 看看。',
  },
  live: (trace) => {
    const weights = list(rowOf(trace, 'weights'));
    return {
      en: `“France” gives Tokyo, Beijing and Paris the weights ${weights.en}.`,
      zh: `“法国”给“东京”“北京”“巴黎”的权重是 ${weights.zh}。`,
    };
  },
  contrast: {
    id: 'dot',
    text: {
      en: 'The dot product has no table: it compares each axis with itself alone.',
      zh: '点积没有这张表：每个轴只与自己相比。',
    },
  },
  history: {
    en: 'The dot product compares like with like only, and needs equal widths. Luong’s “general” score (2015) learns what goes with what. Separate projections of queries and keys (2017) replaced W: W = Wq Wk⊤.',
    zh: '点积只能同类相比，且维度必须相等。Luong 的 general 打分（2015）学习“什么配什么”；2017 年起由 Wq、Wk 两个投影代替，即 W = Wq Wk⊤。',
  },
  predictions: [
    {
      id: 'identity_table',
      question: { en: 'With W = I, how much does “Japan” give to “Tokyo”?', zh: '若 W = I，“日本”给“东京”多少权重？' },
      choices: [
        { en: 'Nearly all', zh: '几乎全部' },
        { en: 'A third', zh: '三分之一' },
        { en: 'Nothing', zh: '没有' },
      ],
      reveal: (fovea) => {
        const W = Array.from({ length: 6 }, (_, row) => Array.from({ length: 6 }, (_, col) => Number(row === col)));
        const weight = computed(fovea, 'bilinear', 'weights', { params: { W } })[0] ?? 0;
        return {
          right: weight > 0.9 ? 0 : weight > 0.1 ? 1 : 2,
          shown: {
            en: `${show(weight)}: all three scores are 0, and equal scores get equal weights.`,
            zh: `${show(weight)}：三个分数都是 0，分数相同权重就相同。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
