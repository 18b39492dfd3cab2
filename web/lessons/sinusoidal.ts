import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: {
    en: 'How can a fixed matrix ask for the word before, anywhere?',
    zh: '一个固定的矩阵，怎样在任何位置都能问“前一个词”？',
  },
  doThis: {
    en: 'Stop turning W_q: every token then finds itself. Look at the curve: the dot product of two positions depends on their distance alone.',
    zh: '不让 W_q 转动：每个词就找到自己。看曲线：两个位置的点积只取决于距离。',
  },
  live: (trace) => {
    const w = two(valueAt(trace, 'weights', [4, 3]));
    return {
      en: `Token 4 gives the one before it ${w}. One step is one rotation, the same everywhere.`,
      zh: `第 4 个词元给前一个 ${w}。走一步就是转一个固定的角度，处处相同。`,
    };
  },
  contrast: {
    id: 'learned_positions',
    text: {
      en: 'Sinusoids exist for every position. A learned table ends at its last row.',
      zh: '正弦对任何位置都有值；可学习的表到最后一行为止。',
    },
  },
  history: {
    en: 'Self-attention does not see the order of words. Sinusoids (2017) write it into the vectors; today rotary embedding turns queries and keys instead.',
    zh: '自注意力看不见词序。正弦位置编码（2017）把次序写进向量；如今多改用旋转位置编码去转动查询和键。',
  },
  textbook: [
    {
      writes: { en: 'Figures with a position in each column', zh: '图中一列是一个位置' },
      means: {
        en: 'Here a row is a position and a column an axis: the figure transposed.',
        zh: '本页一行（row）是一个位置，一列（column）是一个轴：正好转置。',
      },
    },
    {
      writes: { en: 'PE between words as in e^i + a^i', zh: 'a^i + e^i' },
      means: {
        en: 'x + E: the position is added to the word, not put beside it.',
        zh: 'x + E：位置编码加到词上，不是接在后面。',
      },
    },
  ],
} satisfies Lesson;
