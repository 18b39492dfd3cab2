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
    en: 'Answer the question below, then read the second token. Set β to 0.5: the state goes only half of the way.',
    zh: '先回答下面的问题，再读第二个词元。把 β 设为 0.5：状态只改正一半。',
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
      id: 'three_then_seven',
      question: {
        en: '3 and then 7 are stored under one key. What does it read, if states add up, and what by the delta rule?',
        zh: '同一个键先存 3，再存 7。状态只相加时读出什么？用 delta 规则呢？',
      },
      choices: [
        { en: '7 and 7', zh: '7 和 7' },
        { en: '10 and 7', zh: '10 和 7' },
        { en: '10 and 5', zh: '10 和 5' },
      ],
      reveal: (fovea) => {
        const inputs = { q: SAME_KEY, k: SAME_KEY, v: [[3], [7]] };
        const read = (options: Arguments): number => {
          const { [1]: last = NaN } = computed(fovea, 'delta_rule', 'output', { inputs, options }, column);
          return last;
        };
        const [adding, delta] = [read(ADDING), read({})];
        return {
          right: adding === delta ? 0 : delta === 7 ? 1 : 2,
          shown: {
            en: `Adding reads ${show(adding)}, the delta rule ${show(delta)}. Before the second token the key read 3, so only 4 was added.`,
            zh: `相加读出 ${show(adding)}，delta 规则读出 ${show(delta)}。第二个词元之前键读出 3，所以只加上 4。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
