import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

export default {
  question: { en: 'Do weights have to sum to 1?', zh: '权重一定要加起来等于 1 吗？' },
  doThis: {
    en: 'Drag all scores below 0: with ReLU nothing is attended to, and the output is 0. Softmax always has to choose.',
    zh: '把所有分数拖到 0 以下：ReLU 什么也不看，输出为 0；而 softmax 总得选一个。',
  },
  live: (trace) => {
    const weights = rowOf(trace, 'weights');
    const shown = list(weights);
    const sum = show(weights.reduce((total, weight) => total + weight, 0));
    return { en: `The weights are ${shown.en}; their sum is ${sum}.`, zh: `权重是 ${shown.zh}，加起来是 ${sum}。` };
  },
  contrast: {
    id: 'scaled_dot',
    text: {
      en: 'With softmax keys compete: one can only gain what others lose. With ReLU each key’s weight depends on its own score.',
      zh: 'softmax 让键互相竞争，此消彼长；ReLU 里每个键的权重只取决于自己的分数。',
    },
  },
  history: {
    en: 'Softmax needs a sum over all keys, which slows hardware and forces a choice. ReLU divided by the number of keys (2023) came near it for images; most language models stayed with softmax.',
    zh: 'softmax 要对所有键求和，拖慢硬件，又逼着作出选择。ReLU 除以键数（2023）在图像上接近 softmax；语言模型多数仍用 softmax。',
  },
  predictions: [
    {
      id: 'leave_polygon',
      question: {
        en: 'Values lie between 1 and 3. Can an output lie outside that range?',
        zh: '各个值都在 1 和 3 之间，输出会跑到这个范围之外吗？',
      },
      choices: [
        { en: 'Never', zh: '都不会' },
        { en: 'With ReLU yes, with softmax no', zh: 'ReLU 会，softmax 不会' },
        { en: 'With both', zh: '两者都会' },
      ],
      reveal: (fovea) => {
        const inputs = { q: [[1]], k: [[8], [6]], v: [[1], [3]] };
        const [relu = 0] = computed(fovea, 'relu', 'output', { inputs });
        const [softmax = 0] = computed(fovea, 'relu', 'output', { inputs, options: { normalizer: 'softmax' } });
        const isOutside = (x: number): boolean => x < 1 || x > 3;
        return {
          right: isOutside(softmax) ? 2 : isOutside(relu) ? 1 : 0,
          shown: {
            en: `For scores 8 and 6 softmax gives ${show(softmax)}, ReLU ${show(relu)}. Weights that sum to 1 cannot leave the polygon of the values.`,
            zh: `分数 8 和 6 时，softmax 给 ${show(softmax)}，ReLU 给 ${show(relu)}。权重之和为 1，输出就出不了值围成的多边形。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'α′ = ReLU(α)', zh: 'α′ = ReLU(α)' },
      means: {
        en: 'Here it is divided by the number of keys besides, so that outputs do not grow with the length of the input.',
        zh: '这里还除以键的个数，使长输入的输出不会越来越大。',
      },
    },
  ],
} satisfies Lesson;
