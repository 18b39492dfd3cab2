import { list as entries } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

/** “b”, inside two open brackets. */
const INSIDE = 3;

export default {
  question: {
    en: 'How does a network count, when each step fades what came before?',
    zh: '每一步都会冲淡之前的内容，网络怎样才能数数？',
  },
  doThis: {
    en: 'Read the brackets one by one: the state follows the depth and does not fade at “a” and “b”. Then shut the forget gate.',
    zh: '逐个读括号：隐状态跟着层数走，读到 a、b 也不变淡。再把遗忘门关上。',
  },
  live: (trace) => {
    const states = column(trace, 'output');
    return {
      en: `At depth 1 the state is ${show(states[0] ?? 0)}, at depth 2 ${show(states[INSIDE] ?? 0)}.`,
      zh: `一层括号时隐状态是 ${show(states[0] ?? 0)}，两层时是 ${show(states[INSIDE] ?? 0)}。`,
    };
  },
  contrast: {
    id: 'rnn',
    text: {
      en: 'The plain network multiplies its state at each step, so it fades. The cell of the LSTM is added to, and the forget gate decides how long it lasts.',
      zh: '普通循环网络每一步都乘一次状态，所以会变淡。LSTM 的细胞状态是加上去的，留多久由遗忘门决定。',
    },
  },
  history: {
    en: 'In a plain recurrent network gradients vanish over long spans. Hochreiter and Schmidhuber (1997) gave it a cell that adds up. Translation ran on it until 2017, when the Transformer came.',
    zh: '普通循环网络的梯度隔得一远就消失。Hochreiter 与 Schmidhuber（1997）给它加了一个累加的细胞状态。2017 年 Transformer 出现之前，机器翻译主要靠它。',
  },
  predictions: [
    {
      id: 'forget_gate_shut',
      question: {
        en: 'The forget gate is shut. What is the state at “b”, inside two open brackets?',
        zh: '把遗忘门关上。读到 b，外面有两层括号，隐状态是多少？',
      },
      choices: [
        { en: '0.96, as for depth 2', zh: '0.96，两层' },
        { en: '0.76, as for depth 1', zh: '0.76，一层' },
        { en: 'About 0', zh: '约等于 0' },
      ],
      reveal: (fovea) => {
        const { params = {} } = entries().find(({ id }) => id === 'lstm')!.defaults.contrast;
        const [open = 0, shut = 0] = [{}, { params }].map((given) => computed(fovea, 'lstm', 'output', given, column)[INSIDE]);
        const size = Math.abs(shut) < 0.0005 ? { en: 'less than 0.001', zh: '不到 0.001' } : { en: show(shut), zh: show(shut) };
        return {
          right: shut > 0.9 ? 0 : shut > 0.3 ? 1 : 2,
          shown: {
            en: `It is ${size.en}, where an open gate has ${show(open)}: each step throws the count away and keeps only its own sign.`,
            zh: `${size.zh}；门开着时是 ${show(open)}。每一步都把计数丢掉，只剩自己这个符号。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'f_t, i_t, C̃_t and h_t = o_t * tanh(C_t)', zh: '只写 f_t、i_t、C̃_t 与 h_t = o_t * tanh(C_t)' },
      means: {
        en: 'Two lines are missing: o_t = σ(W_o [h_{t−1}, x_t] + b_o), and C_t = f_t * C_{t−1} + i_t * C̃_t.',
        zh: '还缺两行：o_t = σ(W_o [h_{t−1}, x_t] + b_o)，C_t = f_t * C_{t−1} + i_t * C̃_t。',
      },
    },
  ],
} satisfies Lesson;
