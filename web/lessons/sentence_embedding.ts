import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

export default {
  question: { en: 'What does a plain average of the words lose?', zh: '把各个词简单平均，会丢掉什么？' },
  doThis: {
    en: 'Move “good” away from “not” and compare the summaries: which of them change?',
    zh: '把“好”从“不”旁边移开，比较几种摘要：哪些变了？',
  },
  live: (trace) => {
    const share = show(rowOf(trace, 'mean')[3] ?? NaN, 2);
    const unit = show(rowOf(trace, 'ngrams')[0] ?? NaN, 2);
    return {
      en: `The mean holds ${share} of “good”. The unit for “not good” says ${unit}.`,
      zh: `平均里“好”占 ${share}；“不好”单元给出 ${unit}。`,
    };
  },
  contrast: {
    id: 'saliency',
    text: {
      en: 'The mean gives all words the same weight; gates let some count more.',
      zh: '平均给所有词同样的权重，门控让一些词更重。',
    },
  },
  history: {
    en: 'Sentences of any length must become one vector: the last state forgets the beginning, the mean forgets still more. Convolutions over n-grams (2014) kept local order; attention pooling and self-attention replaced them.',
    zh: '长短不一的句子要变成一个向量：最后一个状态会忘掉开头，平均丢掉的更多。n 元语法卷积（2014）保住了局部词序，后来被注意力汇聚和自注意力取代。',
  },
  predictions: [
    {
      id: 'reordered_words',
      question: {
        en: '“it was not good” and “good it was not”: which summary tells them apart?',
        zh: '“他说不好”和“好，他说不”：哪种摘要能分清它们？',
      },
      choices: [
        { en: 'The mean', zh: '平均' },
        { en: 'The maximum', zh: '最大值' },
        { en: 'The pairs of words', zh: '词对' },
      ],
      reveal: (fovea) => {
        const order = (places: readonly number[]) => ({ inputs: { H: places.map((p) => [0, 1, 2, 3].map((axis) => Number(axis === p))) } }); // prettier-ignore
        const of = (stage: string) =>
          [[0, 1, 2, 3], [3, 0, 1, 2]].map((places) => computed(fovea, 'sentence_embedding', stage, order(places))); // prettier-ignore
        const [[before = [], after = []], [first = [], second = []]] = [of('mean'), of('ngrams')];
        return {
          right: isNear(first, second) ? (isNear(before, after) ? 1 : 0) : 2,
          shown: {
            en: `Both means are ${show(before[0]!, 2)} for each word. The unit for “not good” says ${show(first[0]!)}, then ${show(second[0]!)}.`,
            zh: `两句的平均里每个词都是 ${show(before[0]!, 2)}；“不好”单元先给 ${show(first[0]!)}，后给 ${show(second[0]!)}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
