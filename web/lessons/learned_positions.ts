import { list, run } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'What makes two equal words different?', zh: '是什么让两个相同的词有所不同？' },
  doThis: {
    en: 'Switch positions off and compare the two words “saw”: first one, then the other.',
    zh: '关掉位置，先选一个“画”，再选另一个，比较两者。',
  },
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [1, 0]));
    const b = two(valueAt(trace, 'weights', [3, 2]));
    return {
      en: `The first “saw” gives “I” ${a}; the second gives “a” ${b}. Each finds the word before it by its row of the table.`,
      zh: `第一个“画”给“我” ${a}，第二个给“一幅” ${b}：各凭表中自己的一行找到前一个词。`,
    };
  },
  contrast: {
    id: 'sinusoidal',
    text: {
      en: 'A table of positions is learned and has as many rows as it has. Sinusoids need no learning and have no end.',
      zh: '位置表要学习，有几行就只到第几个位置；正弦不用学习，也没有尽头。',
    },
  },
  history: {
    en: 'Fixed sinusoids may not suit the task, so the table is learned (2017; BERT and GPT-2 did so). It refuses longer texts; relative and rotary positions do not.',
    zh: '固定的正弦未必合适，于是让表从数据中学（2017，BERT 和 GPT-2 都这样做）。它拒绝更长的文本，相对位置和旋转位置编码则不会。',
  },
  predictions: [
    {
      id: 'outputs_of_saw',
      question: {
        en: 'In “I saw a saw” positions are off. Are the two outputs for saw different?',
        zh: '在“我画一幅画”里关掉位置，两个“画”的输出不同吗？',
      },
      choices: [
        { en: 'Yes, they have different neighbors', zh: '不同，它们的邻词不同' },
        { en: 'No, exactly equal', zh: '完全相等' },
      ],
      reveal: (fovea) => {
        const { contrast } = list().find(({ id }) => id === 'learned_positions')!.defaults;
        const apart = (trace: Parameters<typeof valueAt>[0]): number =>
          Math.max(
            ...[0, 1, 2].map((axis) => Math.abs(valueAt(trace, 'output', [1, axis]) - valueAt(trace, 'output', [3, axis]))),
          );
        const without = apart(run(fovea, 'learned_positions', undefined, contrast.params).trace);
        const withThem = apart(run(fovea, 'learned_positions').trace);
        return {
          right: without === 0 ? 1 : 0,
          shown: {
            en: `Without positions they differ by ${without}: the same word asks the same of the same words. With positions by ${two(withThem)}.`,
            zh: `没有位置时相差 ${without}：同一个词向同样的词问同样的事。有位置时相差 ${two(withThem)}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
