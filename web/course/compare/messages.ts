import type { Localized } from '../../shell/localized.ts';

export const messages = {
  title: { en: 'Attention beside what came before it', zh: '注意力与它之前的做法' },
  word: { en: 'word', zh: '词' },
  model: { en: 'model', zh: '模型' },
  change: { en: 'change of the output', zh: '输出的变化' },
  attention: { en: 'attention', zh: '注意力' },
  picture: {
    en: 'One word changes from 0 to 1. Each cell is how much the output at that word changes.',
    zh: '把一个词从 0 改成 1。每个格子是该处的输出改变了多少。',
  },
} satisfies Record<string, Localized>;

export const sliders = {
  words: { label: { en: 'words', zh: '词数' } },
  frames: { label: { en: 'frames', zh: '帧数' } },
  kept: { label: { en: 'weight of the last state', zh: '上一个隐状态的系数' } },
  context: { label: { en: 'frames on each side', zh: '左右各看几帧' } },
  layers: { label: { en: 'layers', zh: '层数' } },
  kernel: { label: { en: 'width of the kernel', zh: '卷积核宽度' } },
};

export const facts = {
  path: { en: 'steps from the changed word to the farthest one', zh: '从被改的词走到最远的词要几步' },
  inTurn: { en: 'steps that must wait for one another', zh: '必须逐个等待的步数' },
  pairs: { en: 'scores to compute', zh: '要计算的分数个数' },
  frames: { en: 'frames that an output sees', zh: '一个输出能看到的帧数' },
  weights: { en: 'numbers to learn (40 numbers a frame, 64 units)', zh: '要学的参数个数（每帧 40 个数，64 个单元）' },
  field: { en: 'words in the receptive field', zh: '感受野里的词数' },
} satisfies Record<string, Localized>;

export const texts = {
  /** Beside the rows of the picture, so they are short. */
  row: {
    attention: { en: 'attention', zh: '注意力' },
    recurrent: { en: 'recurrent', zh: '循环网络' },
    window: { en: 'window', zh: '窗口' },
    layer: (n: number): Localized => ({ en: `layer ${n}`, zh: `第 ${n} 层` }),
  },
  recurrent: {
    title: { en: 'Beside a recurrent network', zh: '与循环神经网络对照' },
    question: { en: 'What is left of the first word at the last one?', zh: '读到最后一个词时，第一个词还剩多少？' },
    other: { en: 'recurrent network', zh: '循环神经网络' },
    body: {
      en: 'A recurrent network hands its state from word to word. Each step multiplies what is left of word 1 again, and must wait for the step before. Attention reads word 1 directly from every position, all at once, and pays with a score for each pair of words.',
      zh: '循环神经网络把隐状态一个词一个词地往后传：每走一步，第 1 个词留下的部分就再乘一次系数，而且必须等前一步算完。注意力在每个位置都能直接读到第 1 个词，所有位置同时计算；代价是每对词都要算一个分数。',
    },
  },
  fullyConnected: {
    title: { en: 'Beside a fully connected window', zh: '与窗口上的全连接网络对照' },
    question: { en: 'Can a window of 11 frames replace attention?', zh: '11 帧的窗口能代替注意力吗？' },
    other: { en: 'fully connected window', zh: '全连接窗口' },
    body: {
      en: 'Five frames on each side make a window of 11. What stands outside it cannot change the output at all. A wider window sees more, and needs more numbers to learn, up to the longest sequence there is. Attention learns three matrices, whatever the length.',
      zh: '左右各看 5 帧，窗口就是 11 帧。窗口外的内容对输出毫无影响。窗口开大能看得更远，但要学的参数也跟着变多，而且要开到最长的序列那么大。注意力无论序列多长，都只学三个矩阵。',
    },
  },
  convolution: {
    title: { en: 'Beside a convolution', zh: '与卷积对照' },
    question: { en: 'How many layers until all words have met?', zh: '要叠几层，所有的词才都见过面？' },
    other: { en: 'convolution', zh: '卷积' },
    body: {
      en: 'A kernel of width 3 sees one neighbor on each side, so every layer widens the receptive field by two. Far words meet only after many layers, and faintly. Attention has the whole sequence in its field in one layer, and the input decides where it looks.',
      zh: '宽度为 3 的卷积核左右各看一个词，所以每多一层，感受野只加宽两个词。相距远的词要隔很多层才能相遇，而且影响已经很弱。注意力一层就能看到整个序列，看哪里由输入决定。',
    },
  },
} as const;
