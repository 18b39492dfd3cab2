import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'May a model throw words away before it attends?', zh: '模型可以先丢掉一些词再注意吗？' },
  doThis: { en: 'Sample again a few times; then keep all words and compare.', zh: '多采样几次；再留下全部词，作个比较。' },
  live: (trace) => {
    const a = two(valueAt(trace, 'weights', [1, 2, 0]));
    const b = two(valueAt(trace, 'weights', [1, 4, 0]));
    const p = two(valueAt(trace, 'dependentProbability', [1]));
    return {
      en: `“cat” gives chases ${a} and mouse ${b}; it is kept with probability ${p}. A word that is not kept attends to nothing: its row is 0.`,
      zh: `“猫”给“追” ${a}、给“老鼠” ${b}；它被留下的概率是 ${p}。没留下的词什么也不看，整行（row）为 0。`,
    };
  },
  contrast: {
    id: 'disan',
    text: {
      en: 'DiSAN weighs all pairs. ReSA draws which words take part, then runs the same soft attention among them.',
      zh: 'DiSAN 给所有配对加权；ReSA 先抽取参加的词，再在其中作同样的软性注意力。',
    },
  },
  history: {
    en: 'Soft attention spreads over every word. ReSA (2018) selects some by sampling, trained with policy gradient; sparse patterns and sparsemax select without sampling.',
    zh: '软性注意力会分散到每个词；ReSA（2018）用采样选词，以策略梯度训练。稀疏模式和 sparsemax 不用采样也能选。',
  },
  textbook: [
    {
      writes: { en: 'mead_pooling', zh: 'mead_pooling' },
      means: { en: 'Mean pooling.', zh: '应为 mean pooling，即平均汇聚。' },
    },
  ],
} satisfies Lesson;
