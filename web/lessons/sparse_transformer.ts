import { pattern } from 'fovea/pattern';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [SHORT, LONG] = [256, 1024];

export default {
  question: { en: 'How few pairs connect all words within two layers?', zh: '最少保留多少配对，两层就能连通所有的词？' },
  doThis: {
    en: 'Set the layers to 2: every pair below the diagonal is reached. Then lengthen the text to 64 words and set the stride to 8, its square root.',
    zh: '把层数设为 2：对角线以下的每一对都能到达。再把文本加长到 64 个词，步幅设为 8，也就是它的平方根。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'weights', 8);
    const keys = row.filter((weight) => weight > 0);
    return {
      en: `The last word has ${keys.length} keys with weights ${list(keys.slice(0, 5)).en}: all of the nearest, and every third of those farther back.`,
      zh: `最后一个词有 ${keys.length} 个键，权重 ${list(keys.slice(0, 5)).zh}：近处的全看，再往前每三个看一个。`,
    };
  },
  contrast: {
    id: 'local',
    text: {
      en: 'A window alone needs one layer for every width of it. A few far keys more, and two layers are enough.',
      zh: '只有窗口时，每走一个窗口的宽度就要一层；再添几个远处的键，两层就够了。',
    },
  },
  history: {
    en: 'Full attention over images and sound of more than 10,000 steps did not fit into memory. The Sparse Transformer (2019) needs far fewer pairs; later models keep its idea, local and far, with other shapes.',
    zh: '图像和声音有上万步，完整注意力放不进内存。Sparse Transformer（2019）用的配对少得多；后来的模型保留了“近密远疏”的想法，只是换了形状。',
  },
  predictions: [
    {
      id: 'pairs_of_a_root_stride',
      question: {
        en: 'A text four times as long, and a stride twice as long, its square root again. The pairs become …',
        zh: '文本长为四倍，步幅加倍（仍取长度的平方根），配对数变为多少倍？',
      },
      choices: [
        { en: 'about 4 times as many', zh: '约 4 倍' },
        { en: 'about 8 times as many', zh: '约 8 倍' },
        { en: '16 times as many', zh: '16 倍' },
      ],
      reveal: (fovea) => {
        const [few, many] = [SHORT, LONG].map(
          (n) => pattern.strided(Math.sqrt(n)).pairs(fovea, { queries: n, keys: n }).indices.length,
        ) as [number, number];
        const times = many / few;
        return {
          right: times < 6 ? 0 : times < 12 ? 1 : 2,
          shown: {
            en: `${SHORT} words: ${few} pairs. ${LONG} words: ${many}, that is ${times.toFixed(1)} times as many. All pairs would become 16 times as many.`,
            zh: `${SHORT} 个词：${few} 对；${LONG} 个词：${many} 对，是 ${times.toFixed(1)} 倍。所有配对则会变为 16 倍。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'Local and atrous joined, on both sides of a word.',
        zh: '把局部与空洞合为一个，前后两侧都看。',
      },
      means: {
        en: 'The paper is causal: no word sees a later one. Combine the parts “local” or “atrous” for the textbook’s picture.',
        zh: '论文里是因果的：看不到后面的词。想得到教材里的图，用“组合”把局部与空洞用“或”连起来。',
      },
    },
  ],
} satisfies Lesson;
