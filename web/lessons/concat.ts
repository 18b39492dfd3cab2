import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

export default {
  question: {
    en: 'Must a score’s units see the query and the key together?',
    zh: '打分网络的每个单元，必须同时看到查询和键吗？',
  },
  doThis: {
    en: 'Let each unit see only one of the two words, and compare the weights of “is” and “are”.',
    zh: '让每个单元只看到两个词中的一个，比较“一张”与“一条”的权重。',
  },
  live: (trace) => {
    const are = show(rowOf(trace, 'weights', 1)[0] ?? 0);
    return {
      en: `“are” gives “keys” ${are}: the score dips where the two numbers disagree.`,
      zh: `“一条”给“河”的权重是 ${are}：形状不一致时，分数就陷下去。`,
    };
  },
  contrast: {
    id: 'additive',
    text: {
      en: 'Additive attention is the same sum with two matrices, Wq and Wk. Concatenation writes them as the two halves of one.',
      zh: '加性注意力把同一个和写成两个矩阵 Wq、Wk；拼接注意力把它们写成一个矩阵的上下两半。',
    },
  },
  history: {
    en: 'Luong (2015) listed it beside dot and general as the score nearest to Bahdanau’s. It did worst of the three there, and dot products won; graph attention took the idea up again.',
    zh: 'Luong（2015）把它与点积、双线性并列，最接近 Bahdanau 的打分；实验中它最差，点积胜出。图注意力后来又用了这一思路。',
  },
  predictions: [
    {
      id: 'separate_units',
      covers: ['textbook'],
      question: {
        en: 'No unit sees both verb and noun. Are the weights of “is” and “are” then different?',
        zh: '没有一个单元同时看到量词和名词，这时“一张”与“一条”的权重还会不同吗？',
      },
      choices: [
        { en: 'Yes', zh: '会' },
        { en: 'No', zh: '不会' },
      ],
      reveal: (fovea) => {
        const params = { W: [[4, 0], [0, 4]], w: [3, -3], bias: [-4, 4] }; // prettier-ignore
        const verb = (number: number) =>
          computed(fovea, 'concat', 'weights', { params, inputs: { q: [[number]], k: [[1], [-1]], v: [[1], [0]] } });
        const [is, are] = [verb(-1), verb(1)];
        return {
          right: isNear(is, are) ? 1 : 0,
          shown: {
            en: `Both give “keys” ${show(are[0] ?? 0)}. The verb adds the same to all scores, and softmax ignores that.`,
            zh: `两者都给“河” ${show(are[0] ?? 0)}：量词给所有分数加上同一个数，softmax 不予理会。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'w · tanh([q; k])', zh: 'w · tanh([q; k])' },
      means: {
        en: 'Read literally, the query cancels in softmax. A matrix belongs inside: w · tanh([q; k] W).',
        zh: '照字面计算，查询会在 softmax 中抵消；tanh 里应当还有一个矩阵：w · tanh([q; k] W)。',
      },
    },
  ],
} satisfies Lesson;
