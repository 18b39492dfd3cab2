import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { computed, show } from './numbers.ts';

export default {
  question: {
    en: 'The same word stands at several places: how sure is the answer?',
    zh: '同一个词出现在好几处，答案该有多大把握？',
  },
  doThis: {
    en: 'Choose the second “queen” and put “dog” there. One weight leaves the sum, and the answer is no longer clear.',
    zh: '选中第二个 queen，换成 dog：求和时少了一个权重，答案就不明确了。',
  },
  live: (trace) => {
    const [one, sum] = [two(valueAt(trace, 'weights', [4])), two(valueAt(trace, 'probability', [3]))];
    return {
      en: `Each place that answers “who” has ${one}. “queen” adds up to ${sum}.`,
      zh: `能回答 who 的位置各得 ${one}；queen 的几处加起来是 ${sum}。`,
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
      id: 'three_places',
      question: {
        en: 'Three places fit the question equally: “king” once, “queen” twice. How likely is “queen”?',
        zh: '三个位置同样符合问题：king 一处，queen 两处。queen 的概率是多少？',
      },
      choices: [
        { en: 'About a third', zh: '约三分之一' },
        { en: 'About a half', zh: '约一半' },
        { en: 'Nearly two thirds', zh: '接近三分之二' },
      ],
      reveal: (fovea) => {
        const [queen = 0, weight = 0] = [
          computed(fovea, 'attention_sum_reader', 'probability')[3],
          computed(fovea, 'attention_sum_reader', 'weights')[4],
        ];
        const distances = [1 / 3, 1 / 2, 2 / 3].map((x) => Math.abs(x - queen));
        return {
          right: distances.indexOf(Math.min(...distances)),
          shown: {
            en: `${show(queen)}: two weights of ${show(weight)}, added. The rest is spread over the other words.`,
            zh: `${show(queen)}：两个 ${show(weight)} 相加；其余的分散在别的词上。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
