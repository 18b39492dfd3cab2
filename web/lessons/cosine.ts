import type { Lesson } from './lesson.ts';
import { computed, isNear, list, rowOf } from './numbers.ts';

export default {
  question: { en: 'Should a long vector get more attention for being long?', zh: '一个向量只因为长，就该得到更多注意力吗？' },
  doThis: {
    en: 'Drag the query, or move it with the arrow keys, and watch the weights. Then switch to the dot product.',
    zh: '拖动查询，或用方向键移动它，看权重怎样变。再换成点积比较。',
  },
  live: (trace) => {
    const weights = list(rowOf(trace, 'weights'));
    return {
      en: `The texts “cat”, “cat cat cat” and “dog” get ${weights.en}.`,
      zh: `“猫”“猫 猫 猫”“狗”三段文本的权重是 ${weights.zh}。`,
    };
  },
  contrast: {
    id: 'scaled_dot',
    text: {
      en: 'Dividing by √d treats all vectors alike, so longer ones still score higher.',
      zh: '除以 √d 对所有向量一视同仁，长的分数仍然高。',
    },
  },
  history: {
    en: 'Neural Turing Machines (2014) read memory by content, whatever its size, and learned how sharply. Dot products became usual; normalized queries and keys are back in large models, for stable training.',
    zh: '神经图灵机（2014）按内容读取记忆，不受数值大小影响，尖锐程度由学习得到。后来点积成为主流；大模型为训练稳定又重新归一化查询和键。',
  },
  predictions: [
    {
      id: 'longer_query',
      question: { en: 'The query is made twice as long. Do its weights change?', zh: '把查询的长度加倍，权重会变吗？' },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const keys = [[1, 0], [3, 0], [0, 1]]; // prettier-ignore
        const weights = (length: number) =>
          computed(fovea, 'cosine', 'weights', { inputs: { q: [[length, 0]], k: keys, v: keys } });
        const [before, after] = [weights(1), weights(2)];
        const shown = list(after);
        return {
          right: isNear(before, after) ? 1 : 0,
          shown: {
            en: `Still ${shown.en}: each vector is divided by its length.`,
            zh: `仍是 ${shown.zh}：每个向量都先除以自己的长度。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
