import { list as mechanisms } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { column, computed, list, show } from './numbers.ts';

const HAS = 8;
/** What a word has of a topic that is not its own. */
const LITTLE = 0.05;

export default {
  question: {
    en: 'Can a query choose among topics instead of words?',
    zh: '查询能不能在主题之间选择，而不是在词之间选择？',
  },
  doThis: {
    en: 'Press the 0 of “cat” under positive and read the column of the topic again. Then ask for both topics.',
    zh: '点“猫”在“褒义”一列（column）的数字，再看这一列。然后让查询两个主题都要。',
  },
  live: (trace, language) => {
    const words = mechanisms().find(({ id }) => id === 'efficient_attention')?.samples[language].labels['k']?.[0] ?? [];
    const [positive, negative] = [0, 1].map((topic) =>
      column(trace, 'keyFeatures', topic)
        .flatMap((share, n) => (share > LITTLE ? `${words[n]} ${show(share, 2)}` : []))
        .join(', '),
    ) as [string, string];
    return {
      en: `The topic “positive” lies on ${positive}; “negative” on ${negative}. A query only mixes these two columns.`,
      zh: `主题“褒义”落在 ${positive.replaceAll(', ', '、')}，“贬义”落在 ${negative.replaceAll(', ', '、')}。查询只需混合这两列。`,
    };
  },
  contrast: {
    id: 'linear',
    text: {
      en: 'elu + 1 divides by φ(q)·z for each query. Here softmax is taken twice beforehand, over the topics of a query and over the words of a topic, so nothing is left to divide.',
      zh: 'elu + 1 要为每个查询除以 φ(q)·z。这里事先做两次 softmax：查询在主题上，主题在词上，之后就不用再除。',
    },
  },
  history: {
    en: 'The pixels of an image are too many for pairs. Shen (2018) took softmax of queries and keys apart, so that they meet in a small table of topics. In language models exact attention made fast (FlashAttention) is used instead.',
    zh: '图像的像素太多，无法两两比较。Shen（2018）对查询和键分别做 softmax，让它们在一张小小的主题表里相遇。语言模型则改用加速后的精确注意力（FlashAttention）。',
  },
  predictions: [
    {
      id: 'third_word',
      question: {
        en: 'Two words have half of a topic each. A third word gets the same feature. What share has each of them now?',
        zh: '两个词各占一个主题的一半。第三个词也有了同样的特征，每个词现在占多少？',
      },
      choices: [
        { en: 'One half', zh: '二分之一' },
        { en: 'One third', zh: '三分之一' },
        { en: 'The new word nothing', zh: '新词什么也没有' },
      ],
      reveal: (fovea) => {
        const k = [[HAS, 0], [HAS, 0], [HAS, 0], [0, HAS], [0, 0], [0, 0]]; // prettier-ignore
        const shares = computed(fovea, 'efficient_attention', 'keyFeatures', { inputs: { q: [[HAS, 0]], k, v: k } }, column);
        const [, , third = NaN] = shares;
        const shown = list(shares.slice(0, 3));
        return {
          right: third > 0.4 ? 0 : third > 0.1 ? 1 : 2,
          shown: {
            en: `${shown.en}: softmax runs down the column, so the words of a topic share it.`,
            zh: `${shown.zh}：softmax 沿着这一列进行，同一主题的词一起分享。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'The special case φ(q) = softmax(q), ϕ(k) = e^k',
        zh: '对应于 φ(q) = softmax(q)、ϕ(k) = e^k 的特例',
      },
      means: {
        en: 'ϕ(k) is e^k divided by its sum over the tokens. With e^k alone the outputs are others: every topic would count by its size.',
        zh: 'ϕ(k) 是 e^k 除以它在所有词元上的和。只用 e^k 时输出不同：主题会按大小计入。',
      },
    },
  ],
} satisfies Lesson;
