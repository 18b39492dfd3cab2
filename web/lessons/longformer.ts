import { xformerCost } from 'fovea/mechanisms';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [SHORT, LONG] = [1024, 2048];

export default {
  question: { en: 'Can one token connect a whole document?', zh: '一个词元能把整篇文档连起来吗？' },
  doThis: {
    en: 'Set the layers to 2: everything is reached, by way of [CLS]. Then take its global role away and look again.',
    zh: '把层数设为 2：经过 [CLS]，处处可达。再把全局词元数改为 0，看看有什么变化。',
  },
  live: (trace) => {
    const [all, one] = [rowOf(trace, 'weights', 0), rowOf(trace, 'weights', 4)].map((row) =>
      row.filter((weight) => weight > 0),
    ) as [number[], number[]];
    return {
      en: `[CLS] spreads over ${all.length} keys, ${list(all.slice(0, 1)).en} each. “the” in the middle has ${one.length}: ${list(one.slice(0, 4)).en}.`,
      zh: `[CLS] 看 ${all.length} 个键，各 ${list(all.slice(0, 1)).zh}；中间的“那”只有 ${one.length} 个：${list(one.slice(0, 4)).zh}。`,
    };
  },
  contrast: {
    id: 'bigbird',
    text: {
      en: 'Here all far connections run through one token. BigBird adds pairs drawn at random, so that there is more than one way.',
      zh: '这里所有的远程联系都要经过一个词元；BigBird 另加随机抽取的配对，路就不止一条。',
    },
  },
  history: {
    en: 'BERT stops at 512 tokens. Longformer (2020) reads 4096: a window everywhere, full sight for the few tokens that a task asks about. Faster exact kernels and longer windows followed.',
    zh: 'BERT 最多读 512 个词元。Longformer（2020）读 4096 个：处处用窗口，只让任务用到的少数词元看全文。后来又有了更快的精确算法和更长的窗口。',
  },
  predictions: [
    {
      id: 'pairs_of_longformer',
      question: {
        en: 'A window of 64 and one global token. The text becomes twice as long. The pairs become …',
        zh: '窗口 64，一个全局词元。文本长度加倍，配对数变为多少倍？',
      },
      choices: [
        { en: 'about twice as many', zh: '约 2 倍' },
        { en: 'about three times as many', zh: '约 3 倍' },
        { en: 'four times as many', zh: '4 倍' },
      ],
      reveal: (fovea) => {
        const [few, many] = [SHORT, LONG].map(
          (n) => xformerCost(fovea, {}, {}, { n, d: 1, kinds: { longformer: { window: 64, global: 1 } } }).longformer.pairs,
        ) as [number, number];
        const times = many / few;
        return {
          right: times < 2.5 ? 0 : times < 3.5 ? 1 : 2,
          shown: {
            en: `${few} pairs become ${many}, ${times.toFixed(2)} times as many. A window costs the same for each word, and a global token two pairs a word.`,
            zh: `${few} 对变为 ${many} 对，${times.toFixed(2)} 倍。窗口对每个词的代价不变，一个全局词元给每个词添两对。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'Sparse attention: fewer pairs “by rules or random sampling (Longformer, BigBird)”.',
        zh: '稀疏注意力：“通过规则或随机采样减少计算量（如 Longformer、BigBird）”。',
      },
      means: {
        en: 'Longformer is all rules; the random part is BigBird’s.',
        zh: 'Longformer 全是规则，随机的部分属于 BigBird。',
      },
    },
  ],
} satisfies Lesson;
