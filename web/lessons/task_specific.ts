import { list as entries } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const WORDS = { en: ['I', 'eat', 'apples'], zh: ['我', '吃', '苹果'] };
const EAT = 1;
const SECOND = 1;

export default {
  question: {
    en: 'One translator for two word orders: what must differ?',
    zh: '一个翻译模型，两种词序：哪一部分必须不同？',
  },
  doThis: {
    en: 'Flip the flag between French and Japanese and step through the words: the same encoder and decoder read the source in another order.',
    zh: '在法语和日语之间切换标志，再逐词走一遍：编码器和解码器不变，读原文的顺序变了。',
  },
  live: (trace, language) => {
    const weights = rowOf(trace, 'weights', SECOND);
    const most = Math.max(...weights);
    const word = WORDS[language][weights.indexOf(most)] ?? '';
    return {
      en: `Step 2 reads “${word}” most, with the weight ${show(most)}.`,
      zh: `第 2 步看得最多的是“${word}”，权重 ${show(most)}。`,
    };
  },
  contrast: {
    id: 'bahdanau',
    text: {
      en: 'It is Bahdanau’s additive score, but the flag chooses which Wa, Ua and va are used. All else is shared.',
      zh: '打分函数仍是 Bahdanau 的加性打分，只是由标志选用哪一组 Wa、Ua、va，其余全部共用。',
    },
  },
  history: {
    en: 'One model for many languages had one alignment for all, though their word orders differ. Blackwood (2018) gave each language its own attention. In Transformers a language token and many heads took its place.',
    zh: '多语言模型让所有语言共用一套对齐，可它们的词序各不相同。Blackwood（2018）给每种语言一套自己的注意力。Transformer 里由语言标记和多个头取而代之。',
  },
  predictions: [
    {
      id: 'other_flag',
      covers: ['beside'],
      question: {
        en: 'Japanese puts the verb last, and step 2 reads “apples”. The flag is flipped to French: what does step 2 read?',
        zh: '日语动词在最后，第 2 步看“苹果”。把标志改成法语，第 2 步看什么？',
      },
      choices: [
        { en: 'I', zh: 'I' },
        { en: 'eat', zh: '吃' },
        { en: 'apples, as before', zh: '仍是“苹果”' },
      ],
      reveal: (fovea) => {
        const { inputs = {} } = entries().find(({ id }) => id === 'task_specific')!.defaults.contrast;
        const weights = computed(fovea, 'task_specific', 'weights', { inputs }, (trace, name) => rowOf(trace, name, SECOND));
        return {
          right: weights.indexOf(Math.max(...weights)),
          shown: {
            en: `“eat” gets ${show(weights[EAT] ?? 0)}. The decoder counts its steps as before; only the table that turns a step into a question is another.`,
            zh: `“吃”得到 ${show(weights[EAT] ?? 0)}。解码器照旧数步数，只是把步数变成查询的那张表换了。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
