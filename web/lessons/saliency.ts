import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

const words = ['the', 'cat', 'chases', 'a', 'mouse'];

export default {
  question: { en: 'What stands out before anyone has asked?', zh: '还没有人提问的时候，什么最显眼？' },
  doThis: {
    en: 'Change the question. The attention weights move to other words; the gates stay, because no query takes part in them.',
    zh: '换一个问题：注意力权重移到别的词上，门却不动，因为门的计算里没有查询。',
  },
  live: (trace) => {
    const [the = 0, cat = 0] = words.map((_, t) => rowOf(trace, 'gate', t)[0] ?? 0);
    return {
      en: `The gate of “cat” is open to ${show(cat, 2)}, that of “the” to ${show(the, 2)}, whatever is asked.`,
      zh: `不管问什么，“猫”的门都开到 ${show(cat, 2)}，“那”的门都是 ${show(the, 2)}。`,
    };
  },
  contrast: {
    id: 'structured_self_attention',
    text: {
      en: 'Each gate opens by itself, and several may be open. In structured self-attention the words of a row compete: its weights sum to 1.',
      zh: '每扇门各开各的，可以同时开好几扇；结构化自注意力里，一行中的词互相竞争，权重之和为 1。',
    },
  },
  history: {
    en: 'A mean counts “the” as much as “cat”. Max pooling and gates let words stand out by themselves; where there is a question, attention with a query replaced them. Gates live on inside LSTMs and gated layers.',
    zh: '取平均时，“那”和“猫”一样重。最大汇聚和门控让词自己凸显；有问题可问时，带查询的注意力取代了它们。门控仍在 LSTM 和门控层里使用。',
  },
  predictions: [
    {
      id: 'pooled_twice',
      question: {
        en: 'The sentence is read twice in a row. What becomes of its two summaries?',
        zh: '把这句话连着读两遍，两种摘要会怎样？',
      },
      choices: [
        { en: 'The maximum stays, the gated sum doubles', zh: '最大值不变，门控求和翻倍' },
        { en: 'Both stay', zh: '都不变' },
        { en: 'Both double', zh: '都翻倍' },
      ],
      reveal: (fovea) => {
        const x = [
          [0, 1],
          [1, 1],
          [0, 0],
        ];
        const params = { Wg: [[8], [0]], bg: { data: [-4], shape: [1] } };
        const of = (stage: string, twice: boolean): number =>
          computed(fovea, 'saliency', stage, { inputs: { x: twice ? [...x, ...x] : x }, params })[0]!;
        const [sum, doubled] = [of('gatePooled', false), of('gatePooled', true)];
        const [max, same] = [of('maxPooled', false), of('maxPooled', true)];
        const sumGrows = doubled > 1.5 * sum;
        return {
          right: sumGrows ? (same > 1.5 * max ? 2 : 0) : 1,
          shown: {
            en: `The maximum goes from ${show(max)} to ${show(same)}, the gated sum from ${show(sum)} to ${show(doubled)}.`,
            zh: `最大值从 ${show(max)} 到 ${show(same)}，门控求和从 ${show(sum)} 到 ${show(doubled)}。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
