import { pattern } from 'fovea/pattern';
import { reachOf } from '../patterns/reach.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf } from './numbers.ts';

const [WORDS, STRIDE] = [9, 3];

export default {
  question: { en: 'Can a word skip its neighbors and still see far?', zh: '跳过邻居，能不能看得更远？' },
  doThis: {
    en: 'Choose a pair that is hatched and move the layers on. Then combine the pattern with a window of 1.',
    zh: '选一个画斜线的格子，再增加层数。然后选“组合”，加上左右各一个词的窗口。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'weights', 1);
    const seen = list(row.filter((weight) => weight > 0).slice(0, 4));
    return {
      en: `The second word has ${row.filter((weight) => weight > 0).length} keys, three words apart, with weights ${seen.en}. The words between them get nothing.`,
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
        en: 'Every third word is seen, and from now on its direct neighbors, too. After how many layers has every word something of all nine?',
        zh: '每三个词看一个，现在再加上左右各一个邻居。经过几层，每个词才含有全部九个词的内容？',
      },
      choices: [
        { en: '3 layers', zh: '3 层' },
        { en: '8 layers, as with the neighbors alone', zh: '8 层，与只看邻居时相同' },
        { en: 'Never', zh: '永远不能' },
      ],
      reveal: (fovea) => {
        const alone = reachOf(fovea, pattern.atrous(STRIDE), WORDS).layers.filter((layer) => layer > 0).length;
        const joined = reachOf(fovea, pattern.atrous(STRIDE).or(pattern.local(1)), WORDS).depth;
        return {
          right: [3, WORDS - 1].indexOf(joined),
          shown: {
            en: `${joined} layers. The stride alone reaches ${alone} of the 81 pairs, in ${STRIDE} groups that never meet; the neighbors join them.`,
            zh: `${joined} 层。只有步幅时，81 对中只能到达 ${alone} 对，分成 ${STRIDE} 组，互不相通；邻居把它们连了起来。`,
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
