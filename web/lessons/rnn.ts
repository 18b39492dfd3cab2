import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

/** A state that is doubled on its way from word to word. */
const DOUBLED = { weight_ih_l0: [[1]], weight_hh_l0: [[2]] };

export default {
  question: {
    en: 'A sentence is read word by word into one state: what stays of its first word?',
    zh: '把一句话逐词读进一个隐状态：第一个词还留下多少？',
  },
  doThis: {
    en: 'Read the words one by one and watch “not” fade. Then hand nothing on: the state forgets it at the very next word.',
    zh: '逐词往下读，看“不是”怎样变淡。再改成“什么也不传”：下一个词一来就忘光。',
  },
  live: (trace) => {
    const states = column(trace, 'output');
    return {
      en: `At “not” the state is ${show(states[0] ?? 0)}; after the last word ${show(states.at(-1) ?? 0)} is left.`,
      zh: `读到“不是”时隐状态是 ${show(states[0] ?? 0)}，读完最后一个词只剩 ${show(states.at(-1) ?? 0)}。`,
    };
  },
  contrast: {
    id: 'bahdanau',
    text: {
      en: 'The last state has to carry everything. Bahdanau keeps the states of all words, and each step of the decoder reads those it needs.',
      zh: '最后一个隐状态要装下一切。Bahdanau 把每个词的隐状态都留着，解码器每一步读它需要的那些。',
    },
  },
  history: {
    en: 'A window of fixed width knows nothing outside of it. Elman (1990) fed the state back, so that all earlier words have a say. It fades fast; LSTM and GRU keep it longer, and attention looks back directly.',
    zh: '固定宽度的窗口看不到窗外的词。Elman（1990）把隐状态送回网络，让之前的词都能起作用，但淡得很快。LSTM 和 GRU 记得更久，注意力则直接回看。',
  },
  predictions: [
    {
      id: 'doubled_state',
      question: {
        en: 'The state is multiplied by 2 at each word, in place of 0.5. What is it four words after “not”?',
        zh: '每读一个词，隐状态乘以 2 而不是 0.5。“不是”之后四个词，它是多少？',
      },
      choices: [
        { en: 'It has faded', zh: '已经变淡' },
        { en: 'Large, but below 1', zh: '很大，但小于 1' },
        { en: '16 times as large', zh: '变成 16 倍' },
      ],
      reveal: (fovea) => {
        const states = computed(fovea, 'rnn', 'output', { params: DOUBLED }, column);
        const [first = 0, last = 0] = [states[0], states.at(-1)];
        return {
          right: last < first ? 0 : last < 1 ? 1 : 2,
          shown: {
            en: `It goes from ${show(first)} to ${show(last)}: tanh stays below 1. Now nothing fades, and nothing new can be told from the old.`,
            zh: `从 ${show(first)} 变到 ${show(last)}：tanh 总小于 1。旧的不再变淡，新的也就看不出来了。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'the output 0_t', zh: '输出写作 0_t' },
      means: { en: 'O_t, the letter O.', zh: '应为字母 O：O_t。' },
    },
  ],
} satisfies Lesson;
