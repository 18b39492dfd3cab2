import { list as entries } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { computed, show } from './numbers.ts';

export default {
  question: { en: 'Which words of the question deserve to be listened to?', zh: '问题里的哪些词更值得听？' },
  doThis: {
    en: 'Go from 1 to 4: scores, α down the columns, β across the rows, and their product. Then let “who” forget the words after it.',
    zh: '从 1 走到 4：分数，α 竖着归一化，β 横着归一化，再相乘。然后让空缺忘掉后面的词。',
  },
  live: (trace) => {
    const [blank, answer] = [two(valueAt(trace, 'averageBeta', [0])), two(valueAt(trace, 'probability', [3]))];
    return {
      en: `“who” gets ${blank} of the question’s weight, not a third, and “Tom” is the answer with ${answer}.`,
      zh: `空缺“某人”占问题权重的 ${blank}，而不是三分之一；答案“汤姆”得 ${answer}。`,
    };
  },
  contrast: {
    id: 'attention_sum_reader',
    text: {
      en: 'The attention sum reader reads α from one vector of the question. Here β decides how much each word’s column of α counts.',
      zh: '注意力求和阅读器只有问题的一个向量；这里由 β 决定问题里每个词的那一列（column）α 算多少。',
    },
  },
  history: {
    en: 'One vector for the whole question lets unimportant words blur the answer. This reader (2017) weighs the words of the question by the document. Self-attention over question and text together replaced it.',
    zh: '整个问题只用一个向量，无关的词会把答案冲淡。这种阅读器（2017）用文档反过来给问题的词加权；后来把问题和文本拼在一起作自注意力，取代了它。',
  },
  predictions: [
    {
      id: 'blank_forgets',
      question: {
        en: '“who” no longer knows that “saw Paris” follows. Which name wins?',
        zh: '空缺不再知道后面是“去学校”。哪个名字胜出？',
      },
      choices: [
        { en: 'Tom, as before', zh: '还是汤姆' },
        { en: 'Mary, the first', zh: '玛丽，因为在前' },
        { en: 'Both get the same', zh: '两人一样' },
      ],
      reveal: (fovea) => {
        const { params } = entries().find(({ id }) => id === 'attention_over_attention')!.defaults.contrast;
        const probability = computed(fovea, 'attention_over_attention', 'probability', { ...(params ? { params } : {}) });
        const [mary = 0, , , tom = 0] = probability;
        return {
          right: Math.abs(mary - tom) < 0.01 ? 2 : tom > mary ? 0 : 1,
          shown: {
            en: `Mary gets ${show(mary)}, Tom ${show(tom)}: for a question that knows nothing, one name is as good as the other.`,
            zh: `玛丽得 ${show(mary)}，汤姆得 ${show(tom)}：空缺什么也不知道，两个名字就没有差别。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 's = αᵀβ', zh: 's = αᵀβ' },
      means: {
        en: 's is α times the mean of β’s rows: the stated shapes do not fit otherwise.',
        zh: 's 是 α 乘以 β 各行的平均，否则形状对不上。',
      },
    },
  ],
} satisfies Lesson;
