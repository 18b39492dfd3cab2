import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'Can a mere fine on distance replace positions?', zh: '只对距离罚分，能代替位置编码吗？' },
  doThis: {
    en: 'Set a slope to 0: the head sees all words alike. Make it steep: only the nearest are left.',
    zh: '把斜率调到 0：这个头对所有词一视同仁；调陡：只剩最近的词。',
  },
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 5, 5]));
    const b = two(valueAt(trace, 'weights', [0, 5, 4]));
    const c = two(valueAt(trace, 'weights', [1, 5, 0]));
    return {
      en: `In head 1 “again” gives itself ${a} and the word before it ${b}; in head 2 even the first word gets ${c}.`,
      zh: `头 1 里“狗”给自己 ${a}，给前一个词 ${b}；头 2 里连首词也得到 ${c}。`,
    };
  },
  contrast: {
    id: 'relative_positions',
    text: {
      en: 'Shaw learns a score for each distance and shares one beyond the edge. ALiBi has one number a head and goes on for ever.',
      zh: 'Shaw 为每个距离学一个分数，出界后共用一个；ALiBi 每个头只有一个数，没有边界。',
    },
  },
  history: {
    en: 'Models trained on short texts fail on long ones. A fine that grows with distance (2022) still works there; RoPE with stretched angles has since become more common.',
    zh: '用短文本训练的模型遇到长文本就失灵；随距离增长的罚分（2022）仍然有效。后来更常用的是拉伸角度的 RoPE。',
  },
} satisfies Lesson;
