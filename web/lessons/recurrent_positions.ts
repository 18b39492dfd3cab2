import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'Can a network count positions for a text of any length?', zh: '网络能为任意长的文本数出位置吗？' },
  doThis: { en: 'Let the cell stand still: all beats become equal.', zh: '让循环单元停住不动：各拍变得一样。' },
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [0, 3]));
    const b = two(valueAt(trace, 'weights', [0, 1]));
    return {
      en: `Beat 1 gives beat 4 ${a} and beat 2 ${b}: the ring of three states finds the beats of the same kind.`,
      zh: `第 1 拍给第 4 拍 ${a}，给第 2 拍 ${b}：三个状态的环找到同类的拍。`,
    };
  },
  contrast: {
    id: 'learned_positions',
    text: {
      en: 'A table needs a row for each position. A recurrent cell makes any number of them from a few weights.',
      zh: '表要为每个位置备一行；循环单元用几个权重就能造出任意多个位置。',
    },
  },
  history: {
    en: 'Tables end, sinusoids cannot learn. Positions made step by step (2020) do both, but one after another; relative and rotary positions are used instead.',
    zh: '表有尽头，正弦不能学习。逐步生成的位置（2020）两者兼得，但只能一个接一个算；如今用相对位置和旋转位置编码。',
  },
} satisfies Lesson;
