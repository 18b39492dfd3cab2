import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: {
    en: 'What does each written word look at before the next is chosen?',
    zh: '写下一个词之前，刚写出的词在看哪里？',
  },
  doThis: {
    en: 'Write one word more, and follow the arc; then switch positions off.',
    zh: '再写一个词，看弧线指向哪里；然后关掉位置。',
  },
  live: (trace) => {
    const a = two(valueAt(trace, 'logits', [0, 1]));
    const b = two(valueAt(trace, 'logits', [0, 2]));
    return {
      en: `At the first step “cats” scores ${a} and “chase” ${b}: the largest logit is written, then the decoder reads it.`,
      zh: `第一步 cats（猫）的分数是 ${a}，chase（追）是 ${b}：写出分数最大的词，解码器再读它。`,
    };
  },
  contrast: {
    id: 'transformer',
    text: {
      en: 'On the other page all words of the target are there at once. Here each step reads only what has been written; the keys and values of those words are kept, the KV cache.',
      zh: '另一页里目标句的词同时都在；这里每一步只读已写出的词，它们的键和值保留下来，这就是键值缓存。',
    },
  },
  history: {
    en: 'The likeliest word of each step may spoil the sentence, so the Transformer of 2017 kept several (beam search); models of today sample.',
    zh: '每步取最可能的词，整句未必最好，所以 2017 年的 Transformer 用束搜索保留几个候选；如今的模型多用采样。',
  },
} satisfies Lesson;
