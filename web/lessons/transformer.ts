import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';

export default {
  question: { en: 'How do two layers continue a repeated phrase?', zh: '两层注意力怎样接着重复的话说下去？' },
  doThis: {
    en: 'Feed another phrase with the buttons, a repeated one or a new one; then switch positions off.',
    zh: '用按钮输入别的短语，重复的或全新的；再关掉位置。',
  },
  live: (trace) => {
    const w = two(valueAt(trace, 'decoderWeights', [1, 0, 6, 3]));
    const p = two(valueAt(trace, 'probability', [6, 3]));
    return {
      en: `In layer 2 the last “chase” looks at “mice” with weight ${w}, so “mice” comes next with probability ${p}. Layer 1 told each word which one stood before it.`,
      zh: `第 2 层里，最后的“追”看向“老鼠”，权重 ${w}，所以接下来是“老鼠”的概率是 ${p}。第 1 层告诉了每个词前面是谁。`,
    };
  },
  contrast: {
    id: 'transformer_generate',
    text: {
      en: 'Here all words of the target are there at once, behind a causal mask. Generation writes them one after another.',
      zh: '这里目标句的词同时都在，用因果掩码遮住后面；生成时则一个接一个地写。',
    },
  },
  history: {
    en: 'Recurrent encoder-decoders read one word after another. The Transformer (2017) trains on all positions at once; language models of today keep its decoder alone.',
    zh: '循环的编码器-解码器逐词读；Transformer（2017）训练时所有位置同时算。如今的语言模型多只保留解码器。',
  },
} satisfies Lesson;
