import { list as entries } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { computed, show } from './numbers.ts';

const ID = 'attention_sum_reader';

export default {
  question: {
    en: 'The same word occurs several times: how sure is the answer?',
    zh: '同一个词出现在好几处，答案该有多大把握？',
  },
  doThis: {
    en: 'Choose the second “queen”, put “dog” there and read the sums again.',
    zh: '选中第二个“王后”，换成“狗”，再看各个词的和。',
  },
  live: (trace) => {
    const [one, sum] = [two(valueAt(trace, 'weights', [4])), two(valueAt(trace, 'probability', [3]))];
    return {
      en: `Each word that answers “who” has ${one}. “queen” adds up to ${sum}.`,
      zh: `能回答“谁”的位置各得 ${one}；“王后”的几处加起来是 ${sum}。`,
    };
  },
  contrast: {
    id: 'attention_over_attention',
    text: {
      en: 'Here the question is one vector. Attention over attention lets each word of the question look, and weighs those words too.',
      zh: '这里问题只有一个向量；注意力之上的注意力让问题的每个词各自去看，还给这些词加权。',
    },
  },
  history: {
    en: 'Readers that blend the weighted words into one vector can no longer name one of them. This reader (2016) sums weights instead. Extractive Transformers, which point at the start and end of a span, replaced it.',
    zh: '把加权的词混成一个向量，就说不出是哪个词了。这种阅读器（2016）改为把权重相加；后来由指出答案起止位置的抽取式 Transformer 取代。',
  },
  predictions: [
    {
      id: 'one_queen_less',
      question: {
        en: 'The second “queen” becomes “dog”, an animal, which may answer “who” as well. How likely is “queen” now?',
        zh: '第二个“王后”换成“狗”，动物也可以回答“谁”。“王后”的概率现在是多少？',
      },
      choices: [
        { en: 'About a third', zh: '约三分之一' },
        { en: 'About a half', zh: '约一半' },
        { en: 'Nearly two thirds, as before', zh: '接近三分之二，和之前一样' },
      ],
      reveal: (fovea) => {
        const { inputs = {} } = entries().find(({ id }) => id === ID)!.defaults.contrast;
        const [before = 0, queen = 0] = [{}, { inputs }].map((given) => computed(fovea, ID, 'probability', given)[3]);
        const distances = [1 / 3, 1 / 2, 2 / 3].map((x) => Math.abs(x - queen));
        return {
          right: distances.indexOf(Math.min(...distances)),
          shown: {
            en: `${show(queen)} in place of ${show(before)}: the sum has one weight less. “king” and “dog” have as much.`,
            zh: `从 ${show(before)} 变为 ${show(queen)}：求和时少了一个权重，“国王”和“狗”也一样多。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
