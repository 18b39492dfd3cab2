import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'What does a head see that gets only half of the axes?', zh: '只分到一半轴的头能看见什么？' },
  doThis: {
    en: 'Compare the two heads for the last “saw”; then leave the vectors whole.',
    zh: '对最后一个“画”比较两个头；再试试不切分向量。',
  },
  live: (trace) => {
    const w = two(valueAt(trace, 'weights', [0, 3, 1]));
    const o = two(valueAt(trace, 'weights', [1, 3, 3]));
    return {
      en: `In head 1, which has the axes of words, the last “saw” gives the first one ${w}; in head 2, which has the positions, it gives itself ${o}.`,
      zh: `头 1 有词的轴，最后一个“画”给前一个“画” ${w}；头 2 有位置的轴，它给自己 ${o}。`,
    };
  },
  contrast: {
    id: 'two_stage_heads',
    text: {
      en: 'Splitting takes the axes as they are. A second stage of matrices lets each head choose what its part holds.',
      zh: '切分只能按轴原来的次序；再加一级矩阵，每个头才能选择自己那份里装什么。',
    },
  },
  history: {
    en: 'Code of multi-head attention splits the projected vectors; done without matrices it is a special case, kept because texts explain it so.',
    zh: '多头注意力的代码切分的是投影后的向量；不带矩阵地切分是它的特例，有的教材这样讲。',
  },
} satisfies Lesson;
