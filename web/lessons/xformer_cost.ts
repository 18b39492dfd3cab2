import { xformerCost } from 'fovea/mechanisms';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

const [SHORT, WIDTH, FEATURES] = [64, 64, 128];
const count = (x: number): string => x.toLocaleString('en', { maximumFractionDigits: 1 });

export default {
  question: { en: 'From which length on does leaving out pay?', zh: '文本多长时，省略配对才划算？' },
  doThis: {
    en: 'Choose a kind, then move the length: where its curve crosses that of full attention, it begins to save work.',
    zh: '选一种机制，再移动长度：它的曲线与完整注意力相交之处，才开始省下计算量。',
  },
  live: (trace) => {
    const [full = 0, local = 0] = rowOf(trace, 'pairs');
    return {
      en: `Full attention scores ${count(full)} pairs, the window ${count(local)}: a ratio of ${count(full / local)}.`,
      zh: `完整注意力要算 ${count(full)} 对，窗口只算 ${count(local)} 对，前者是后者的 ${count(full / local)} 倍。`,
    };
  },
  contrast: {
    id: 'reformer',
    text: {
      en: 'Reformer’s count includes the hashing, which is work without pairs. Counts are not time: how regular the pairs are matters as much.',
      zh: 'Reformer 的计数包括哈希，那是不产生配对的计算。计数不等于时间：配对排得是否规整同样要紧。',
    },
  },
  history: {
    en: 'Dozens of x-formers promised less than n². Long Range Arena (2020) compared them on the same tasks. Most large models stayed with exact attention made faster, and with windows.',
    zh: '几十种 xxformer 都声称少于 n²。Long Range Arena（2020）在相同任务上比较了它们。多数大模型仍用加速过的精确注意力，再配上窗口。',
  },
  predictions: [
    {
      id: 'short_text_cost',
      question: {
        en: '64 words, vectors of 64. Which needs fewer multiply-adds: full attention, or Performer with 128 features?',
        zh: '64 个词，向量 64 维。哪个的乘加次数更少：完整注意力，还是 128 个特征的 Performer？',
      },
      choices: [
        { en: 'Full attention', zh: '完整注意力' },
        { en: 'Performer', zh: 'Performer' },
        { en: 'Both alike', zh: '一样多' },
      ],
      reveal: (fovea) => {
        const { full, performer } = xformerCost(
          fovea,
          {},
          {},
          { n: SHORT, d: WIDTH, kinds: { full: {}, performer: { features: FEATURES } } },
        );
        const [a, b] = [full.multiplyAdds, performer.multiplyAdds];
        return {
          right: a < b ? 0 : a > b ? 1 : 2,
          shown: {
            en: `Full attention ${count(a)}, Performer ${count(b)}. With fewer words than features, linear attention costs more than it saves.`,
            zh: `完整注意力 ${count(a)} 次，Performer ${count(b)} 次。词数少于特征数时，线性注意力得不偿失。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'Many kinds of “xxformer”', zh: '各种各样的 xxformer' },
      means: {
        en: 'Kinds of attention with less work than n², each named after its Transformer.',
        zh: '指计算量小于 n² 的各种注意力，各以自己的 Transformer 命名。',
      },
    },
  ],
} satisfies Lesson;
