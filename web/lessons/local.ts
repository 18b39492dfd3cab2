import { pattern } from 'fovea/pattern';
import { reachOf } from '../patterns/reach.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const WORDS = 9;

export default {
  question: { en: 'What if a word looks only at its neighbors?', zh: '如果每个词只看自己的邻居，会怎样？' },
  doThis: {
    en: 'Move the layers on: each layer reaches one word farther on both sides. Then widen the window to 2 and count how many layers are left out.',
    zh: '逐层增加层数：每多一层，两侧各多看到一个词。再把窗口加宽到 2，看看少用了几层。',
  },
  live: (trace) => {
    const [middle, first] = [list(rowOf(trace, 'weights', 4).slice(3, 6)), list(rowOf(trace, 'weights', 0).slice(0, 2))];
    return {
      en: `“dog” shares its weight among the word before, itself and the word after: ${middle.en}. The first word has only two keys: ${first.en}.`,
      zh: `“狗”的权重分给前一个词、自己和后一个词：${middle.zh}；第一个词只有两个键：${first.zh}。`,
    };
  },
  contrast: {
    id: 'atrous',
    text: {
      en: 'The window is dense nearby and blind far away. Atrous attention is the opposite: it steps over its neighbors.',
      zh: '窗口近处看得密，远处完全看不到。空洞自注意力正好相反：跳过邻居，看得远。',
    },
  },
  history: {
    en: 'A minute of speech has 6000 frames, too many to compare all pairs. Truncated self-attention (2019) keeps a range set by hand; sliding windows inside long-context models continue it.',
    zh: '一分钟语音有 6000 帧，无法比较所有配对。截断自注意力（2019）只看人为设定的一个范围；今天长文本模型里的滑动窗口延续了这个做法。',
  },
  predictions: [
    {
      id: 'reach_of_a_window',
      question: {
        en: 'Nine words, now two neighbors on each side. After how many layers can the last word know something of the first?',
        zh: '九个词，改为左右各看两个邻居。经过几层，最后一个词才能知道第一个词的内容？',
      },
      choices: [
        { en: '2 layers', zh: '2 层' },
        { en: '4 layers', zh: '4 层' },
        { en: '8 layers, as with one', zh: '8 层，与看一个时相同' },
      ],
      reveal: (fovea) => {
        const { layers } = reachOf(fovea, pattern.local(2), WORDS);
        const needed = layers[(WORDS - 1) * WORDS] ?? 0;
        return {
          right: [2, 4, 8].indexOf(needed),
          shown: {
            en: `${needed} layers: each one carries what a word holds two words on. With one neighbor on each side it takes ${reachOf(fovea, pattern.local(1), WORDS).depth}.`,
            zh: `${needed} 层：每一层把内容往前传两个词。左右各看一个邻居时，需要 ${reachOf(fovea, pattern.local(1), WORDS).depth} 层。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'Attention beyond the distance k is “set to 0”.',
        zh: '相对距离超过 k 的注意力都直接设为 0。',
      },
      means: {
        en: 'The weight is 0, that is score −∞. A score of 0 would still get a share, as e⁰ = 1.',
        zh: '是权重为 0，也就是分数为 −∞。分数为 0 时 e⁰ = 1，仍会分到权重。',
      },
    },
  ],
} satisfies Lesson;
