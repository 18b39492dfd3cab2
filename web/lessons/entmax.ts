import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

/** Almost as far below as it takes. */
const NEARLY = 1.9;

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
        en: 'There are two keys. How far below the best must the second score, so that entmax gives it exactly 0?',
        zh: '有两个键。第二个的分数要比最高的低多少，entmax 才恰好给它 0？',
      },
      choices: [
        { en: '2 or more', zh: '低 2 以上' },
        { en: '10 or more', zh: '低 10 以上' },
        { en: 'It never gives exactly 0', zh: '永远不会恰好是 0' },
      ],
      reveal: (fovea) => {
        const second = (below: number): number => {
          const scores = [[0], [-below]];
          return computed(fovea, 'entmax', 'weights', { inputs: { q: [[1]], k: scores, v: scores } })[1] ?? NaN;
        };
        return {
          right: second(2) === 0 && second(NEARLY) > 0 ? 0 : second(10) === 0 ? 1 : 2,
          shown: {
            en: `${NEARLY} below the best the second weight is ${show(second(NEARLY), 4)}, 2 below it is ${show(second(2))}.`,
            zh: `低 ${NEARLY} 时第二个权重是 ${show(second(NEARLY), 4)}，低 2 时是 ${show(second(2))}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
