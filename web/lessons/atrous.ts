import { pattern } from 'fovea/pattern';
import { reachOf } from '../patterns/reach.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [WORDS, STRIDE] = [9, 3];

export default {
  question: { en: 'Can a word skip its neighbors and still see far?', zh: '跳过邻居，能不能看得更远？' },
  doThis: {
    en: 'Choose a pair that is hatched and move the layers on: it stays hatched. Then combine the pattern with a window of 1.',
    zh: '选一个画斜线的格子，再增加层数：它一直是斜线。然后选“组合”，加上左右各一个词的窗口。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'weights', 1);
    const seen = list(row.filter((weight) => weight > 0).slice(0, 4));
    return {
      en: `The second word has ${row.filter((weight) => weight > 0).length} keys, three places apart, with weights ${seen.en}. The words between them get nothing.`,
      zh: `第 2 个词有 ${row.filter((weight) => weight > 0).length} 个键，彼此相隔三个位置，权重 ${seen.zh}；中间的词什么也分不到。`,
    };
  },
  contrast: {
    id: 'sparse_transformer',
    text: {
      en: 'With a stride alone the text falls into separate groups. The Sparse Transformer adds the neighbors, and the groups join.',
      zh: '只有步幅，文本就分成互不相通的几组；Sparse Transformer 加上邻居，各组才连通起来。',
    },
  },
  history: {
    en: 'It takes the holes of dilated convolution over to attention, against the narrow view of a window. Alone it is not used; joined with a window it became the Sparse Transformer’s pattern.',
    zh: '它把膨胀卷积的“空洞”用到注意力上，弥补窗口视野窄的缺点。单独使用的不多，与窗口合在一起就是 Sparse Transformer 的做法。',
  },
  predictions: [
    {
      id: 'reach_of_a_stride',
      question: {
        en: 'Every third word is seen. After how many layers does the second word reach the first?',
        zh: '每三个词看一个。经过几层，第 2 个词才能到达第 1 个词？',
      },
      choices: [
        { en: '2 layers', zh: '2 层' },
        { en: '3 layers', zh: '3 层' },
        { en: 'Never', zh: '永远不能' },
      ],
      reveal: (fovea) => {
        const { layers } = reachOf(fovea, pattern.atrous(STRIDE), WORDS);
        const needed = layers[WORDS] ?? 0;
        const joined = reachOf(fovea, pattern.atrous(STRIDE).or(pattern.local(1)), WORDS).depth;
        return {
          right: needed === 0 ? 2 : needed - 2,
          shown: {
            en: `${layers.filter((layer) => layer > 0).length} of 81 pairs are ever reached: ${STRIDE} groups that never meet. With a window of 1 added, all of them within ${joined} layers.`,
            zh: `81 对中能到达的只有 ${layers.filter((layer) => layer > 0).length} 对：分成 ${STRIDE} 组，互不相通。加上左右各一个词的窗口，${joined} 层之内全部可达。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: {
        en: 'dilated or “holed” self-attention: distances k, 2k, 3k, … with k > 1',
        zh: '膨胀、空洞、带孔自注意力：只看相对距离为 k, 2k, 3k, … 的元素，k > 1',
      },
      means: {
        en: 'Three names for one thing. The distance 0, the word itself, is seen as well.',
        zh: '三个名字指同一件事。距离 0，也就是词自己，同样看得到。',
      },
    },
  ],
} satisfies Lesson;
