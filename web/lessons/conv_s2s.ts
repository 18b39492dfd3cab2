import type { TraceStage } from 'fovea';
import { list as entries } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const WORDS = 4;
const LAST = 3;
const SOURCE = { en: ['the', 'black', 'cat', 'sleeps'], zh: ['那只', '黑', '猫', '睡了'] };
/** The row of the last target word in block 2. */
const secondBlock = (trace: readonly TraceStage[], name: string): number[] => rowOf(trace, name, WORDS + LAST);

export default {
  question: {
    en: 'Without a recurrent network, how does a decoder see further back?',
    zh: '没有循环神经网络，解码器怎样看到更前面的词？',
  },
  doThis: {
    en: 'Choose “schläft” and step from block 1 to block 2: it attends one word further back. Then shut the gates and step again.',
    zh: '选中 sleeps（睡了），从第 1 层走到第 2 层：注意力往前多看一个词。再关上门，重走一遍。',
  },
  live: (trace) => {
    const [first, second] = [rowOf(trace, 'weights', LAST)[2] ?? 0, secondBlock(trace, 'weights')[1] ?? 0];
    return {
      en: `For “schläft” block 1 gives “cat” ${show(first)}, block 2 gives “black” ${show(second)}.`,
      zh: `对 sleeps（睡了），第 1 层给“猫” ${show(first)}，第 2 层给“黑” ${show(second)}。`,
    };
  },
  contrast: {
    id: 'bahdanau',
    text: {
      en: 'A recurrent decoder attends once a word and must wait for the word before. Here every block attends, and in training all words are computed at once.',
      zh: '循环解码器每个词只做一次注意力，而且要等前一个词。这里每一层都做一次，训练时所有词同时计算。',
    },
  },
  history: {
    en: 'A recurrent network computes one word after another. Gehring (2017) used convolutions, which see a little more with each block, and attention in every block. Weeks later the Transformer dropped the convolutions too.',
    zh: '循环神经网络只能一个词一个词地算。Gehring（2017）改用卷积，每多一层多看一点，并且每层都有注意力。几周之后，Transformer 连卷积也去掉了。',
  },
  predictions: [
    {
      id: 'gates_shut',
      question: {
        en: 'All gates are shut, so that no convolution passes anything on. Which word does “schläft” attend to in block 2?',
        zh: '所有的门都关上，卷积什么也传不过去。第 2 层里 sleeps（睡了）注意哪个词？',
      },
      choices: [
        { en: 'black', zh: '黑' },
        { en: 'cat', zh: '猫' },
        { en: 'sleeps', zh: '睡了' },
      ],
      reveal: (fovea) => {
        const { params = {} } = entries().find(({ id }) => id === 'conv_s2s')!.defaults.contrast;
        const weights = computed(fovea, 'conv_s2s', 'weights', { params }, secondBlock);
        const most = weights.indexOf(Math.max(...weights));
        return {
          right: Math.max(0, most - 1),
          shown: {
            en: `“${SOURCE.en[most]}” gets ${show(weights[most] ?? 0)}: only the residual connection is left, so the word asks for its own position.`,
            zh: `“${SOURCE.zh[most]}”得到 ${show(weights[most] ?? 0)}：只剩残差连接，词只会问自己的位置。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'gated linear units (GLM)', zh: '门控线性单元（GLM）' },
      means: {
        en: 'GLU: A ⊗ σ(B), half of the outputs gate the other half.',
        zh: '缩写应为 GLU：A ⊗ σ(B)，一半输出给另一半当门。',
      },
    },
  ],
} satisfies Lesson;
