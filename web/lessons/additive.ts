import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

export default {
  question: { en: 'What can a score do that a product cannot?', zh: '有什么是乘积打分做不到的？' },
  doThis: {
    en: 'Choose another query: the bump moves with it. Then switch the score to the dot product of the same numbers.',
    zh: '换一个查询，峰会跟着移动。再把打分函数换成同样这些数的点积。',
  },
  live: (trace) => {
    const own = show(rowOf(trace, 'weights', 2)[2] ?? 0);
    return {
      en: `Position 3 gives itself ${own}. The first unit has risen there, the second has not: their difference is a bump.`,
      zh: `位置 3 给自己的权重是 ${own}。在那里第一个单元已经升起，第二个还没有，两者之差就是一个峰。`,
    };
  },
  contrast: {
    id: 'concat',
    text: {
      en: 'Concatenation is the same formula with one matrix: W applied to [q; k] is Wq applied to q plus Wk applied to k.',
      zh: '拼接打分是同一个公式的另一种写法：对 [q; k] 乘一个矩阵 W，等于 q 乘 Wq 再加上 k 乘 Wk。',
    },
  },
  history: {
    en: 'A fixed vector had to hold the whole source sentence. Bahdanau (2015) let the decoder look back at each word, with a small network as score. Dot products replaced it: as good, and much faster.',
    zh: '从前编码器要把整句压进一个定长向量。Bahdanau（2015）让解码器回看每个源词，用小网络打分；后来被更快的点积取代。',
  },
  predictions: [
    {
      id: 'product_of_places',
      question: {
        en: 'Positions 1 to 5 are scored by the product q·k. Where does query 2 look most?',
        zh: '用乘积 q·k 给位置 1 到 5 打分，查询 2 最看重哪里？',
      },
      choices: [
        { en: 'At position 2', zh: '位置 2' },
        { en: 'At position 5', zh: '位置 5' },
        { en: 'At all alike', zh: '一样看重' },
      ],
      reveal: (fovea) => {
        const places = [[1], [2], [3], [4], [5]];
        const weights = computed(fovea, 'dot', 'weights', { inputs: { q: [[2]], k: places, v: places } });
        const most = weights.indexOf(Math.max(...weights));
        return {
          right: most === 1 ? 0 : most === 4 ? 1 : 2,
          shown: {
            en: `Position ${most + 1} gets ${show(weights[most] ?? 0)}: a product grows with the key and has no bump.`,
            zh: `位置 ${most + 1} 得到 ${show(weights[most] ?? 0)}：乘积随键增大，不会在中间隆起。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'v⊤ tanh(W x_i + U q)', zh: 'v⊤ tanh(W x_i + U q)' },
      means: { en: 'w = v, Wk = W⊤, Wq = U⊤: rows are tokens here.', zh: '这里 w = v、Wk = W⊤、Wq = U⊤，每一行是一个词元。' },
    },
  ],
} satisfies Lesson;
