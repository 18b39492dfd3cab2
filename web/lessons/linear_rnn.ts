import { linearAttention } from 'fovea/linear-attention';
import type { Lesson } from './lesson.ts';
import { column, list } from './numbers.ts';

const WIDTH = 2;

export default {
  question: {
    en: 'Can attention read word by word, as a recurrent network does?',
    zh: '注意力能不能像循环神经网络那样逐词阅读？',
  },
  doThis: {
    en: 'Go back to the first token and step on: the second apple lands on the row of the first. Then let each token read all tokens: the future leaks in.',
    zh: '退回第一个词元，再逐个往前：第二个苹果落在第一个的那一行。再让每个词元读全部：未来的内容就漏进来了。',
  },
  live: (trace) => {
    const output = list(column(trace, 'output'));
    return {
      en: `After each token its query reads ${output.en}: the first price, another key’s, and the mean of both apples.`,
      zh: `每个词元之后，它的查询依次读出 ${output.zh}：第一个价格，另一个键的价格，以及两个苹果的平均。`,
    };
  },
  contrast: {
    id: 'delta_rule',
    text: {
      en: 'These sums only ever add: a key that comes again reads the mean of its values. The delta rule first takes away what the key read, so the new value replaces the old.',
      zh: '这里的和只会增加：键再次出现时，读到的是各次的平均。delta 规则先减去这个键读出的值，新值就取代旧值。',
    },
  },
  history: {
    en: 'A Transformer that writes looks back at all keys and values, so every word costs more than the last. Katharopoulos (2020) kept two sums instead. Retention (RetNet), gates and state space models made such states forget.',
    zh: 'Transformer 每写一个词，都要回看全部的键和值，越写越慢。Katharopoulos（2020）只保存两个和。后来 RetNet、门控和状态空间模型又让这种状态学会遗忘。',
  },
  predictions: [
    {
      id: 'state_after_many',
      covers: ['kept', 'count'],
      question: {
        en: 'How much larger is the state after 1000 tokens than after 10?',
        zh: '读完 1000 个词元后，状态比读完 10 个时大多少？',
      },
      choices: [
        { en: 'Just as large', zh: '一样大' },
        { en: '100 times', zh: '100 倍' },
        { en: '10000 times', zh: '10000 倍' },
      ],
      reveal: (fovea) => {
        const [few, many] = [10, 1000].map((tokens) => {
          const x = { data: new Float32Array(tokens * WIDTH), shape: [tokens, WIDTH] };
          const { s, z } = linearAttention(fovea, x, x, x, { causal: true, returnState: true }).state;
          return s.data.length + (z?.data.length ?? 0);
        }) as [number, number];
        return {
          right: [1, 100, 10000].indexOf(many / few),
          shown: {
            en: `${few} numbers after 10 tokens, ${many} after 1000. Keys and values would be ${2 * 10 * WIDTH} and ${2 * 1000 * WIDTH} numbers.`,
            zh: `10 个词元后有 ${few} 个数，1000 个后有 ${many} 个。若保存键和值，则是 ${2 * 10 * WIDTH} 个和 ${2 * 1000 * WIDTH} 个。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
