import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const [WENT, YESTERDAY, GO] = [1, 1, 2];

export default {
  question: {
    en: 'Can words of two languages be compared by a plain product?',
    zh: '两种语言的词，能直接用点积比较吗？',
  },
  doThis: {
    en: 'Switch the score from general to dot, and look at “visited” again. Back at general, press a cell of Wa to translate a word differently.',
    zh: '把打分函数从 general 换成 dot，再看 visited。然后换回 general，点 Wa 的格子，让一个词对应别的译法。',
  },
  live: (trace) => {
    const weight = show(rowOf(trace, 'weights', WENT)[GO] ?? 0);
    return {
      en: `“visited” gives “去了” the weight ${weight}; the two have different numbers in their lists.`,
      zh: `visited 给“去了”的权重是 ${weight}；这两个词在各自词表里的编号并不相同。`,
    };
  },
  contrast: {
    id: 'luong_local',
    text: {
      en: 'Here every step scores all source words. Local attention scores only a window of them, around a position it chooses.',
      zh: '这里每一步都给所有源词打分。局部注意力只给一个窗口里的词打分，窗口的中心由它自己选定。',
    },
  },
  history: {
    en: 'Bahdanau’s score needs a small network for each pair. Luong (2015) compared by one product and found it as good and simpler. Scaled dot product in the Transformer is the same product, with a table on each side.',
    zh: 'Bahdanau 的打分要为每一对词算一个小网络。Luong（2015）只用一次乘积，更简单，效果不差。Transformer 的缩放点积就是这个乘积，两边各有一张表。',
  },
  predictions: [
    {
      id: 'dot_across_languages',
      question: {
        en: '“visited” is word 2 of its list, “昨天” (yesterday) word 2 of the other, each one-hot. By the score dot, what does “visited” attend to most?',
        zh: 'visited 是英语词表第 2 个词，“昨天”是中文词表第 2 个词，都是独热向量。打分函数用 dot，visited 最注意谁？',
      },
      choices: [
        { en: '去了 (visited)', zh: '去了' },
        { en: '昨天 (yesterday)', zh: '昨天' },
        { en: 'All alike', zh: '都一样' },
      ],
      reveal: (fovea) => {
        const Wc = [...Array(8)].map((_, row) => [...Array(4)].map((_, col) => Number(row === col)));
        const weights = computed(fovea, 'luong', 'weights', { params: { Wc }, options: { score: 'dot' } }, (trace, name) =>
          rowOf(trace, name, WENT),
        );
        const [wrong = 0, right = 0] = [weights[YESTERDAY], weights[GO]];
        return {
          right: right > wrong ? 0 : wrong > right ? 1 : 2,
          shown: {
            en: `“昨天” gets ${show(wrong)}, “去了” ${show(right)}. One-hot words of two lists agree only by number: a table between them has to translate.`,
            zh: `“昨天”得到 ${show(wrong)}，“去了”得到 ${show(right)}。两个词表的独热向量只会编号相同才相乘不为零，中间要有一张表来翻译。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'Σ_{s′} exp(score(h_t, h̄_s))', zh: 'Σ_{s′} exp(score(h_t, h̄_s))' },
      means: {
        en: 'Σ_{s′} exp(score(h_t, h̄_{s′})): the sum runs over all source words, so s′ stands in the score.',
        zh: '应为 Σ_{s′} exp(score(h_t, h̄_{s′}))：对所有源词求和，分数里是 s′。',
      },
    },
  ],
} satisfies Lesson;
