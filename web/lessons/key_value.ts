import type { TraceStage } from 'fovea';
import type { Lesson } from './lesson.ts';
import { computed, list, rowOf, show } from './numbers.ts';

const list3 = (trace: readonly TraceStage[]) =>
  list(
    [0, 1, 2].map((row) => rowOf(trace, 'output', row)[0] ?? 0),
    2,
  );

export default {
  question: { en: 'Why must what is found differ from what is compared?', zh: '为什么“用来比较的”和“取出来的”要分开？' },
  doThis: {
    en: 'Ask for “pear” and read its price. Then tie V = K and ask again.',
    zh: '查询“梨”，读出它的价格。再把 V 绑定为 K，重新查一次。',
  },
  live: (trace) => {
    const outputs = list3(trace);
    return {
      en: `The outputs for the three fruits are ${outputs.en}.`,
      zh: `依次查询三种水果，输出是 ${outputs.zh}。`,
    };
  },
  contrast: {
    id: 'dot',
    text: {
      en: 'In plain dot-product attention the word is both key and value. Here the key says when a slot is read, the value says what is read.',
      zh: '普通的点积注意力里，词既是键又是值。这里键决定何时被读到，值决定读到什么。',
    },
  },
  history: {
    en: 'One vector had to serve for finding and for telling. Key-value memory networks (2016) split the two; the Transformer made keys and values by two projections of each token.',
    zh: '一个向量既要被查找又要被读取，两头兼顾不好。键值记忆网络（2016）把两者分开；Transformer 用两个投影分别得到键和值。',
  },
  predictions: [
    {
      id: 'tied_values',
      question: { en: 'V is tied to K. What does the query “pear” return?', zh: '把 V 绑定为 K 之后，查询“梨”会得到什么？' },
      choices: [
        { en: 'Its price, 5', zh: '它的价格 5' },
        { en: 'The vector of “pear” itself', zh: '“梨”自己的向量' },
        { en: 'The mean of all fruits', zh: '所有水果的平均' },
      ],
      reveal: (fovea) => {
        const fruits = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // prettier-ignore
        const output = computed(fovea, 'key_value', 'output', { inputs: { q: [[0, 1, 0]], k: fruits, v: fruits } });
        const shown = output.map((x) => show(x)).join(' ');
        return {
          right: output.length === 1 ? 0 : (output[1] ?? 0) > 0.9 ? 1 : 2,
          shown: {
            en: `The output is (${shown}): the key you asked with.`,
            zh: `输出是（${shown}）：正是你用来查询的键。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'H = V softmax(KᵀQ)', zh: 'H = V softmax(KᵀQ)' },
      means: {
        en: 'There a column is a token; here a row is. It is the transpose of softmax(QKᵀ)V.',
        zh: '那里每一列是一个词元，这里每一行是一个词元；它是 softmax(QKᵀ)V 的转置。',
      },
    },
  ],
} satisfies Lesson;
