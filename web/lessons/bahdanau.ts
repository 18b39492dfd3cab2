import { rnn } from 'fovea/ops';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

/** A recurrent encoder that keeps this part of its state from word to word. */
const KEPT = 0.6;
const WORDS = 8;

export default {
  question: {
    en: 'Another word order: where does each new word come from?',
    zh: '词序变了：每个新词来自原文的哪里？',
  },
  doThis: {
    en: 'Press “Next word” until the sentence is complete and watch the alignment leave the diagonal. Beside it is what a decoder without attention reads: the same vector at every step.',
    zh: '一直点“下一个词”直到译完，看对齐怎样离开对角线。旁边是没有注意力的解码器读到的：每一步都是同一个向量。',
  },
  live: (trace) => {
    const weights = show(rowOf(trace, 'weights', 1).at(-1) ?? 0);
    return {
      en: `Step 2 writes “zone” and gives “Area”, the last source word, the weight ${weights}.`,
      zh: `第 2 步写出 zone，给原文最后一个词“区”的权重是 ${weights}。`,
    };
  },
  contrast: {
    id: 'luong',
    text: {
      en: 'Bahdanau asks with the state before the step, s_{t−1}, by the additive score. Luong asks with the new state h_t, by a product.',
      zh: 'Bahdanau 用这一步之前的状态 s_{t−1} 去查询，打分函数是加性的；Luong 用新状态 h_t 去查询，打分函数是乘积。',
    },
  },
  history: {
    en: 'The encoder-decoder of 2014 pressed a whole sentence into one vector, and long sentences failed. Bahdanau (2015) lets the decoder look back at every step. The Transformer (2017) kept the attention and dropped the recurrent network.',
    zh: '2014 年的编码器-解码器把整句压进一个向量，句子一长就译不好。Bahdanau（2015）让解码器每一步都能回看原文。Transformer（2017）留下注意力，去掉了循环神经网络。',
  },
  predictions: [
    {
      id: 'fixed_vector',
      covers: ['beside'],
      question: {
        en: 'An encoder reads 8 words and keeps 0.6 of its state at each step. How much of the first word is in the last state?',
        zh: '编码器读 8 个词，每一步保留状态的 0.6。最后的状态里，第一个词还剩多少？',
      },
      choices: [
        { en: 'More than a half', zh: '一半以上' },
        { en: 'About a tenth', zh: '约十分之一' },
        { en: 'Less than a twentieth', zh: '不到二十分之一' },
      ],
      reveal: (fovea) => {
        const words = Array.from({ length: WORDS }, (_, t) => [Number(t === 0)]);
        const states = rnn(fovea, words, { weight_ih_l0: [[1]], weight_hh_l0: [[KEPT]] }).output;
        const [first = 1, last = 0] = [states.data[0], states.data[WORDS - 1]];
        const left = last / first;
        return {
          right: left > 0.5 ? 0 : left > 0.05 ? 1 : 2,
          shown: {
            en: `${show(first)} after the first step ${show(last)} is left: ${show(left)} of it. Attention reads the first word as easily as the last.`,
            zh: `第一步之后是 ${show(first)}，最后只剩 ${show(last)}，是它的 ${show(left)}。有了注意力，读第一个词和读最后一个词一样容易。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 's_{i−1}, with step t elsewhere', zh: 's_{i−1}，而别处写 t' },
      means: {
        en: 's_{t−1}: the state before step t. i and t are the same step.',
        zh: 's_{t−1}：第 t 步之前的状态，i 与 t 是同一步。',
      },
    },
  ],
} satisfies Lesson;
