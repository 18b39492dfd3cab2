import { reformer } from 'fovea/mechanisms';
import { valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { show } from './numbers.ts';

const [COUNT, BUCKETS] = [8, 4];

export default {
  question: { en: 'Can similar words find each other without comparing all?', zh: '不比较所有配对，相似的词能找到彼此吗？' },
  doThis: {
    en: 'Set the rounds to 1: marked pairs are close, but fell into different buckets. Add rounds until no pair is marked, or draw again.',
    zh: '把轮数设为 1：标出的配对很近，却落在不同的桶里。增加轮数，直到没有标记；也可以重新抽取。',
  },
  live: (trace) => {
    const weight = valueAt(trace, 'weights', [0, 0, 1]);
    const stage = trace.find(({ name }) => name === 'weights');
    const n = stage?.shape.at(-1) ?? 0;
    const kept = stage?.data.filter((w, at) => w > 0 && at % (n + 1) !== 0).length ?? 0;
    return {
      en: `The token at 0° gives its twin at 10° the weight ${show(weight)}. ${kept} of ${n * (n - 1)} pairs of two tokens are computed.`,
      zh: `0° 的词元给相差 10° 的同伴权重 ${show(weight)}。两两共 ${n * (n - 1)} 对，只算了 ${kept} 对。`,
    };
  },
  contrast: {
    id: 'bigbird',
    text: {
      en: 'BigBird’s pattern is drawn before the text is read. Here the text itself decides who shares a bucket.',
      zh: 'BigBird 的配对在读文本之前就抽好了；这里由文本自己决定谁落在同一个桶里。',
    },
  },
  history: {
    en: 'Softmax gives nearly all weight to a few similar keys, so it is enough to find them. Reformer (2020) did so for 64,000 tokens; sorting and several rounds cost time, and exact fast kernels took over.',
    zh: 'softmax 几乎把权重都给了少数相似的键，找到它们就够了。Reformer（2020）这样处理 64000 个词元；但排序和多轮哈希费时，后来被快速的精确算法取代。',
  },
  predictions: [
    {
      id: 'longer_vector_same_bucket',
      question: {
        en: 'All vectors become twice as long, in the same directions. How many tokens change their bucket?',
        zh: '所有向量的长度加倍，方向不变。有多少词元换了桶？',
      },
      choices: [
        { en: 'None', zh: '一个也没有' },
        { en: 'About half', zh: '约一半' },
        { en: 'All', zh: '全部' },
      ],
      reveal: (fovea) => {
        const turn = (2 * Math.PI) / COUNT;
        const buckets = (length: number): number[] => {
          const x = Array.from({ length: COUNT }, (_, i) => [length * Math.cos(i * turn), length * Math.sin(i * turn)]);
          return Array.from(reformer(fovea, { x }, {}, { lsh: { buckets: BUCKETS, seed: 6 } }).buckets.data);
        };
        const [before, after] = [buckets(3), buckets(6)];
        const moved = before.filter((bucket, i) => bucket !== after[i]).length;
        return {
          right: moved === 0 ? 0 : moved < COUNT ? 1 : 2,
          shown: {
            en: `${moved} of ${COUNT}: buckets ${before.join(', ')} before and after. The largest of the rotated coordinates stays the largest.`,
            zh: `${COUNT} 个中有 ${moved} 个：前后都是桶 ${before.join('、')}。旋转后最大的坐标仍然最大。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
