import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: {
    en: 'Can weights that sum to 1 be exactly 0 for what does not matter?',
    zh: '权重之和为 1，能不能让无关的键恰好得 0？',
  },
  doThis: {
    en: 'Drag the third score upward: its weight stays exactly 0 until it comes within reach of the best.',
    zh: '把第三个分数往上拖：在接近最高分之前，它的权重一直恰好是 0。',
  },
  live: (trace) => {
    const [scores, weights] = [list(rowOf(trace, 'scores')), list(rowOf(trace, 'weights'))];
    return { en: `Scores ${scores.en} become ${weights.en}.`, zh: `分数 ${scores.zh} 变成 ${weights.zh}。` };
  },
  contrast: {
    id: 'entmax',
    text: {
      en: 'Sparsemax is straight with a corner at 0. Entmax with α = 1.5 bends into it: fewer zeros, smoother gradients.',
      zh: 'sparsemax 是折线，在 0 处有拐角；α = 1.5 的 entmax 平滑地弯下去：零更少，梯度更光滑。',
    },
  },
  history: {
    en: 'Softmax never gives 0, so a reader cannot tell what was ignored. Sparsemax (2016) projects the scores onto the probabilities. Entmax generalized it; large models kept softmax, which is faster.',
    zh: 'softmax 从不给 0，看不出忽略了什么。sparsemax（2016）把分数投影到概率单纯形上；entmax 推广了它，大模型为速度仍用 softmax。',
  },
  predictions: [
    {
      id: 'lower_still',
      question: {
        en: 'Scores 1, ½, −1: the last falls to −5. Do the other two weights change?',
        zh: '分数是 1、½、−1，最后一个降到 −5，另外两个权重会变吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const weights = (last: number) =>
          computed(fovea, 'sparsemax', 'weights', { inputs: { q: [[1]], k: [[1], [0.5], [last]], v: [[1], [0.5], [last]] } });
        const [before, after] = [weights(-1), weights(-5)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: {
            en: `Still ${shown.en}: a key at 0 has nothing more to give.`,
            zh: `仍是 ${shown.zh}：已经是 0 的键再也分不出什么。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
