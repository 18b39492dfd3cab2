import { list as entries } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

const [FIRST, THIRD] = [0, 2];

export default {
  question: {
    en: 'How can a state be kept unchanged over words that do not matter?',
    zh: '遇到无关紧要的词，隐状态怎样才能保持不变？',
  },
  doThis: {
    en: 'Read the words one by one: the state changes only where “write” is 1. Then leave the gate half open.',
    zh: '逐词往下读：只有“写入”为 1 时隐状态才变。再让门一直半开。',
  },
  live: (trace) => {
    const states = column(trace, 'output');
    return {
      en: `After “on” the state is ${show(states[FIRST] ?? 0)}, after “then” ${show(states[THIRD] ?? 0)}.`,
      zh: `读完“开”隐状态是 ${show(states[FIRST] ?? 0)}，读完“再”是 ${show(states[THIRD] ?? 0)}。`,
    };
  },
  contrast: {
    id: 'lstm',
    text: {
      en: 'One gate decides between keep and write, so the state cannot grow. The LSTM has a gate for each, and its cell can add up.',
      zh: '一个门在“保留”与“写入”之间二选一，所以状态不会累积。LSTM 两件事各有一个门，细胞状态可以累加。',
    },
  },
  history: {
    en: 'The LSTM has three gates and two states. Cho (2014) managed with two gates and one state for the first encoder-decoders; Bahdanau’s decoder is such a unit. Attention alone replaced both.',
    zh: 'LSTM 有三个门、两个状态。Cho（2014）在最早的编码器-解码器里只用两个门、一个状态；Bahdanau 的解码器用的就是它。后来两者都被纯注意力取代。',
  },
  predictions: [
    {
      id: 'half_open_gate',
      question: {
        en: 'The update gate is half open at every word. What is the state after “on and then”?',
        zh: '更新门对每个词都半开。读完“开”“接着”“再”，隐状态是多少？',
      },
      choices: [
        { en: 'Still 0.76', zh: '仍是 0.76' },
        { en: 'Smaller', zh: '更小' },
        { en: 'Larger', zh: '更大' },
      ],
      reveal: (fovea) => {
        const { params = {} } = entries().find(({ id }) => id === 'gru')!.defaults.contrast;
        const [kept = 0, mixed = 0] = [{}, { params }].map((given) => computed(fovea, 'gru', 'output', given, column)[THIRD]);
        return {
          right: Math.abs(mixed - kept) < 0.005 ? 0 : mixed < kept ? 1 : 2,
          shown: {
            en: `${show(mixed)} in place of ${show(kept)}: at each word half of the state makes way for the new number.`,
            zh: `是 ${show(mixed)}，而不是 ${show(kept)}：每来一个词，状态就有一半让给新的数。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'r_t is the forget gate', zh: 'r_t 是遗忘门' },
      means: {
        en: 'r_t is the reset gate. Texts differ in the sign of z: here, as in PyTorch, z = 1 keeps the old state.',
        zh: 'r_t 是重置门。各书对 z 的约定不同：这里与 PyTorch 一致，z = 1 表示保留旧状态。',
      },
    },
  ],
} satisfies Lesson;
