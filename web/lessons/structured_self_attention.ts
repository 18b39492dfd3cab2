import type { TraceStage } from 'fovea';
import { run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

/** A number without axes. */
const penaltyOf = (trace: readonly TraceStage[]): number => trace.find(({ name }) => name === 'penalty')?.data[0] ?? NaN;
const CHOICES = [0, 3, 6];

export default {
  question: { en: 'Can one sentence need several summaries?', zh: '一句话会不会需要好几份摘要？' },
  doThis: {
    en: 'Make hop 2 equal to hop 1, and compare A·Aᵀ and the penalty before and after.',
    zh: '让第 2 跳与第 1 跳相同，比较前后的 A·Aᵀ 和惩罚项。',
  },
  live: (trace) => {
    const good = show(rowOf(trace, 'A', 0)[1] ?? NaN, 2);
    const cat = show(rowOf(trace, 'A', 2)[2] ?? NaN, 2);
    const penalty = show(penaltyOf(trace), 2);
    return {
      en: `Hop 1 gives “good” ${good}, hop 3 gives “cat” ${cat} and shares the rest. The penalty is ${penalty}.`,
      zh: `第 1 跳给“好” ${good}，第 3 跳给“猫” ${cat}，其余分给别的词。惩罚项是 ${penalty}。`,
    };
  },
  contrast: {
    id: 'hierarchical_attention',
    text: {
      en: 'Here one sentence gets several rows side by side. Hierarchical attention has one row a level: words first, then sentences.',
      zh: '这里一句话有并列的好几行权重；层次注意力每层只有一行，先词后句。',
    },
  },
  history: {
    en: 'The last state of an LSTM squeezes a sentence into one vector. This embedding (2017) keeps several rows and punishes equal ones. Multi-head self-attention gives every word such rows, and replaced it.',
    zh: 'LSTM 的最后一个状态把整句压进一个向量。这种嵌入（2017）留下多行，并惩罚雷同的行。后来多头自注意力给每个词都配上这样的几行，取代了它。',
  },
  predictions: [
    {
      id: 'equal_hops',
      question: {
        en: 'All three hops look at “good” alone. How large is the penalty ‖A·Aᵀ − I‖²?',
        zh: '三跳都只看“好”一个词，惩罚项 ‖A·Aᵀ − I‖² 是多少？',
      },
      choices: CHOICES.map((choice) => ({ en: String(choice), zh: String(choice) })),
      reveal: (fovea) => {
        const H = [
          [0, 0],
          [1, 0],
          [0, 1],
        ];
        const params = { Ws1: [[2], [0]], Ws2: [[20, 20, 20]] };
        const { trace } = run(fovea, 'structured_self_attention', { H }, params);
        const total = penaltyOf(trace);
        return {
          right: CHOICES.findIndex((choice) => Math.abs(choice - total) < 0.5),
          shown: {
            en: `${show(Number(total.toFixed(3)))}: A·Aᵀ has a 1 everywhere, so six of its nine numbers miss the identity by 1.`,
            zh: `${show(Number(total.toFixed(3)))}：A·Aᵀ 处处是 1，九个数里有六个与单位矩阵差 1。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
