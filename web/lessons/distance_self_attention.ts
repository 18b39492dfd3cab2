import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'Two words are equal: which one wins, the near or the far?', zh: '两个同样的词，近的赢还是远的赢？' },
  doThis: { en: 'Lower α to 0: near and far copies get equal weights.', zh: '把 α 降到 0：远近两个同词的权重相等。' },
  live: (trace) => {
    const near = two(valueAt(trace, 'forwardWeights', [0, 7, 4]));
    const far = two(valueAt(trace, 'forwardWeights', [0, 7, 1]));
    const man = two(valueAt(trace, 'forwardWeights', [0, 10, 0]));
    return {
      en: `The last “cat” gives the near one ${near} and the far one ${far}; the last “man” still gives its only copy ${man}.`,
      zh: `最后一个“猫”给近的 ${near}、给远的 ${far}；最后的“男人”仍给它唯一的同词 ${man}。`,
    };
  },
  contrast: {
    id: 'alibi',
    text: {
      en: 'Both take the distance off the score. ALiBi has a fixed slope for each head and looks back only; here α is one number, in two directions.',
      zh: '两者都从分数里减去距离。ALiBi 每个头一个固定斜率，只往前看；这里 α 是一个数，两个方向都看。',
    },
  },
  history: {
    en: 'DiSAN sees the direction but not how far. A mask of −α·distance (2017) adds it; ALiBi brought the idea back in 2022.',
    zh: 'DiSAN 只知道方向，不知道远近；−α·距离 的掩码（2017）补上了它。2022 年 ALiBi 又用了这个想法。',
  },
  textbook: [
    {
      writes: { en: 'e^{−∞} = 0 as the reason for the distance mask', zh: '用 e^{−∞} = 0 解释距离掩码' },
      means: {
        en: 'Its entries are −distance, which is finite: far words are weakened, not excluded.',
        zh: '它的元素是 −距离，是有限的：远处的词被减弱，而不是被排除。',
      },
    },
    {
      writes: { en: 'S^F and H^F, not defined', zh: 'S^F、H^F 没有定义' },
      means: { en: 'Linear maps of s and h, before the fusion gate.', zh: '是 s 和 h 的线性映射，用在融合门之前。' },
    },
  ],
} satisfies Lesson;
