import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

export default {
  question: { en: 'Is there something between softmax and sparsemax?', zh: 'softmax 与 sparsemax 之间，还有折中的办法吗？' },
  doThis: {
    en: 'Drag the last score and follow the curve: it leaves 0 smoothly. Compare softmax and sparsemax with the switch.',
    zh: '拖动最后一个分数，看曲线怎样平滑地离开 0。用开关与 softmax、sparsemax 比较。',
  },
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return {
      en: `Scores ${scores.en} become weights ${weights.en}.`,
      zh: `分数 ${scores.zh} 变成权重 ${weights.zh}。`,
    };
  },
  contrast: {
    id: 'sparsemax',
    text: {
      en: 'Sparsemax would give 0.75 and 0.25 here. Entmax keeps more for the second key and still gives the last exactly 0.',
      zh: '这里 sparsemax 给 0.75 和 0.25。entmax 给第二个键多留一些，最后一个仍恰好是 0。',
    },
  },
  history: {
    en: 'Sparsemax often keeps one key only. The entmax family (2019) has a number α from softmax at 1 to sparsemax at 2; 1.5 has a fast exact algorithm. It can even be learned for each head.',
    zh: 'sparsemax 常常只剩一个键。entmax（2019）用 α 从 softmax（α = 1）过渡到 sparsemax（α = 2）；1.5 有快速精确算法，每个头还可以各学一个 α。',
  },
  predictions: [
    {
      id: 'far_below',
      question: {
        en: 'Two keys score 3 and 0. How much does entmax give the second?',
        zh: '两个键的分数是 3 和 0，entmax 给第二个多少？',
      },
      choices: [
        { en: 'About 0.05, as softmax does', zh: '约 0.05，同 softmax 一样' },
        { en: 'A little, below 0.01', zh: '一点点，不到 0.01' },
        { en: 'Exactly 0', zh: '恰好 0' },
      ],
      reveal: (fovea) => {
        const second = computed(fovea, 'entmax', 'weights', { inputs: { q: [[1]], k: [[3], [0]], v: [[3], [0]] } })[1] ?? 0;
        return {
          right: second === 0 ? 2 : second < 0.01 ? 1 : 0,
          shown: {
            en: `It gives ${show(second)}. A score 2 below the best is already out.`,
            zh: `给 ${show(second)}。分数比最高的低 2 就已出局。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
