import type { Arguments } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { column, computed, show } from './numbers.ts';

const SAME_KEY = [[1, 0], [1, 0]]; // prettier-ignore
const ADDING = { updateRule: 'linear', beta: undefined };

export default {
  question: {
    en: 'How is something in a memory replaced, when a sum can only add?',
    zh: '求和只会增加，怎样才能改写记忆里的内容？',
  },
  doThis: {
    en: 'Read the second token: the state moves only by what its key did not read yet. Then answer the question below and try it: set β to 0.5.',
    zh: '读第二个词元：状态只补上它的键还没有读出的部分。再回答下面的问题，然后把 β 设为 0.5 试一试。',
  },
  live: (trace) => {
    const state = trace.find(({ name }) => name === 'state');
    const [width, tokens] = [(state?.shape[1] ?? 1) * (state?.shape[2] ?? 1), state?.shape[0] ?? 0];
    const steps = Array.from(
      { length: Math.min(2, tokens) },
      (_, t) => (state?.data[t * width] ?? 0) - (state?.data[(t - 1) * width] ?? 0),
    );
    const [first = NaN, second = first] = steps;
    return {
      en: `The first token moves the state by ${show(first)}, the next by ${show(second)}: only by what its key did not read yet.`,
      zh: `第一个词元让状态移动 ${show(first)}，下一个移动 ${show(second)}：只补上它的键还没有读出的部分。`,
    };
  },
  contrast: {
    id: 'linear_rnn',
    text: {
      en: 'Linear attention writes without looking. The delta rule reads the key first and writes only the difference: a third product a token, and no division is needed.',
      zh: '线性注意力不看就写。delta 规则先用键读一次，只写入差值：每个词元多一次乘法，但不必再除。',
    },
  },
  history: {
    en: 'Sums fill up: with more keys than axes everything read is a mixture. Schlag (2021) wrote to the state by the delta rule of Widrow and Hoff (1960). Gated DeltaNet (2024) adds forgetting and replaced it in hybrid models.',
    zh: '和会被填满：键比轴多时，读出的都是混合。Schlag（2021）用 Widrow 与 Hoff（1960）的 delta 规则写入状态。Gated DeltaNet（2024）再加上遗忘，在混合架构的模型中取而代之。',
  },
  predictions: [
    {
      id: 'half_of_the_way',
      question: {
        en: '3 and then 7 are stored under one key with β = 0.5: each token corrects half of what is missing. What does the key read?',
        zh: 'β = 0.5，每个词元只补上差值的一半。同一个键先存 3，再存 7，读出什么？',
      },
      choices: [
        { en: '5, the mean of both', zh: '5，两者的平均' },
        { en: '4.25, less than the mean', zh: '4.25，比平均略小' },
        { en: '7, the last one', zh: '7，最后存的那个' },
      ],
      reveal: (fovea) => {
        const inputs = { q: SAME_KEY, k: SAME_KEY, v: [[3], [7]] };
        const read = (options: Arguments): number => {
          const { [1]: last = NaN } = computed(fovea, 'delta_rule', 'output', { inputs, options }, column);
          return last;
        };
        const [half, delta, adding] = [read({ beta: 0.5 }), read({}), read(ADDING)];
        return {
          right: Math.abs(half - 5) < 1e-6 ? 0 : half > 6.5 ? 2 : 1,
          shown: {
            en: `It reads ${show(half, 2)}: 1.5 after the first token, and half of the 5.5 that are missing then. With β = 1 it reads ${show(delta)}; states that only add up read ${show(adding)}.`,
            zh: `读出 ${show(half, 2)}：第一个词元之后是 1.5，再补上还差的 5.5 的一半。β = 1 时读出 ${show(delta)}；状态只相加时读出 ${show(adding)}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
