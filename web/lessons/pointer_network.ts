import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const SORTED = 5;
const largest = (row: readonly number[]): number => Math.max(...row);

export default {
  question: { en: 'How can a network answer with positions of its own input?', zh: '网络怎样用输入里的位置来作答？' },
  doThis: {
    en: 'Drag a number, or press + and −. The steps go on pointing at the numbers in rising order: the weights themselves are the answer.',
    zh: '拖动一个数字，或按 + 和 −。各步仍按从小到大指向这些数字：权重本身就是答案。',
  },
  live: (trace) => {
    const least = show(Math.min(...Array.from({ length: SORTED }, (_, t) => largest(rowOf(trace, 'weights', t)))), 3);
    return {
      en: `Each step points at one position with at least ${least}. No context vector is formed.`,
      zh: `每一步指向一个位置，权重都不低于 ${least}；不再生成上下文向量。`,
    };
  },
  contrast: {
    id: 'pointer_generator',
    text: {
      en: 'A pointer network can only point. The pointer-generator may also write words that the source does not have.',
      zh: '指针网络只会指；指针生成网络还能写出原文没有的词。',
    },
  },
  history: {
    en: 'A decoder with a fixed vocabulary cannot choose among inputs whose number changes. Pointer networks (2015) use the weights as the output. Their pointing lives on in copying and in extractive question answering.',
    zh: '词表固定的解码器，无法在数目不定的输入里作选择。指针网络（2015）直接用权重作输出；这种“指”后来用在拷贝机制和抽取式问答里。',
  },
  predictions: [
    {
      id: 'equal_numbers',
      question: {
        en: 'Two of the numbers are equal, 0.3 and 0.3, beside 0.8. What does the first step do?',
        zh: '三个数里有两个相等：0.3、0.3 和 0.8。第一步会怎样？',
      },
      choices: [
        { en: 'It points at the first 0.3', zh: '指向前一个 0.3' },
        { en: 'It shares the weight between both', zh: '把权重分给两个 0.3' },
        { en: 'It points at 0.8', zh: '指向 0.8' },
      ],
      reveal: (fovea) => {
        const weights = computed(fovea, 'pointer_network', 'weights', { inputs: { points: [[0.3], [0.3], [0.8]] } });
        const [first = 0, second = 0, third = 0] = weights;
        return {
          right: third > first ? 2 : first > 2 * second ? 0 : 1,
          shown: {
            en: `The weights are ${show(first)}, ${show(second)} and ${show(third)}: equal numbers have equal scores, wherever they stand.`,
            zh: `权重是 ${show(first)}、${show(second)} 和 ${show(third)}：数字相等，分数就相等，与位置无关。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'a = softmax(u), then a context vector', zh: 'a = softmax(u)，再求上下文向量' },
      means: { en: 'The weights are the output here; no context is formed.', zh: '这里权重就是输出，不再求上下文向量。' },
    },
  ],
} satisfies Lesson;
