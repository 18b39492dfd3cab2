import { emAttention } from 'fovea/mechanisms';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const X = [[1, 0, 0], [0.8, 0.1, 0], [0, 0, 1], [0, 0.1, 0.8]]; // prettier-ignore
const GRAYS = [[0.6, 0.5, 0.4], [0.4, 0.5, 0.6]]; // prettier-ignore

export default {
  question: {
    en: 'Which few colors describe a whole picture?',
    zh: '用哪几种颜色，就能说清整幅图？',
  },
  doThis: {
    en: 'Go back to iteration 1 and step on: two grays walk to the reds and the blues. Then set λ to 0 and step on again.',
    zh: '退回第 1 次迭代再往前：两个灰色分别走向红色和蓝色。再把 λ 设为 0，重新迭代一遍。',
  },
  live: (trace) => {
    const [red, blue] = [list(rowOf(trace, 'mu', 0), 2), list(rowOf(trace, 'mu', 1), 2)];
    return {
      en: `Six pixels are described by two bases, in red, green and blue: ${red.en} and ${blue.en}.`,
      zh: `六个像素由两个基来表示，按红、绿、蓝是：${red.zh}；${blue.zh}。`,
    };
  },
  contrast: {
    id: 'linformer',
    text: {
      en: 'Linformer’s mixtures are learned once and stay for all texts. The bases here are fitted to each picture, in a few steps of EM, so their number does not depend on its size.',
      zh: 'Linformer 的混合学好之后，对所有文本都一样。这里的基对每幅图重新拟合，只需几步 EM，个数与图的大小无关。',
    },
  },
  history: {
    en: 'Comparing all pairs of pixels is too much for segmentation. Li (2019) let pixels attend to a few bases that EM fits within the call. Slot attention and Mask2Former’s learned queries took up the idea.',
    zh: '做图像分割时，让所有像素两两比较代价太大。Li（2019）让像素只注意几个基，由 EM 在计算中拟合。Slot attention 和 Mask2Former 的可学习查询延续了这一思想。',
  },
  predictions: [
    {
      id: 'lambda_zero',
      question: {
        en: 'With λ = 0 every pixel gives all bases the same weight. Where do the two bases go?',
        zh: 'λ = 0 时，每个像素给各个基的权重都相同。两个基会到哪里？',
      },
      choices: [
        { en: 'They stay where they began', zh: '留在原处' },
        { en: 'Both to the mean of all pixels', zh: '都到全部像素的平均处' },
        { en: 'One to the reds, one to the blues', zh: '一个到红色，一个到蓝色' },
      ],
      reveal: (fovea) => {
        const options = { iterations: 3, lambda: 0, normalize: 'none', residual: false } as const;
        const { mu } = emAttention(fovea, { X }, { mu: GRAYS }, options) as { mu: { data: Float32Array } };
        const [first, second] = [Array.from(mu.data.slice(0, 3)), Array.from(mu.data.slice(3))];
        const same = first.every((x, c) => Math.abs(x - (second[c] ?? 0)) < 1e-6);
        const stayed = first.every((x, c) => Math.abs(x - (GRAYS[0]![c] ?? 0)) < 1e-6);
        const [a, b] = [list(first, 2), list(second, 2)];
        return {
          right: stayed ? 0 : same ? 1 : 2,
          shown: {
            en: `${a.en} and ${b.en}: without a choice, both are the mean.`,
            zh: `${a.zh}；${b.zh}：没有选择，两个都成了平均。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
