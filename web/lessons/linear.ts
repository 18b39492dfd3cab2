import { xformerCost } from 'fovea/mechanisms';
import type { Lesson } from './lesson.ts';
import { column, computed, list, show } from './numbers.ts';

const WIDTH = 64;
const WORDS = 1000;
/** elu(x) + 1 is 1 at 0 and underflows to 0 at −100; the last key, 1 long as the others, lies between the first two axes. */
const [HALF, NONE] = [Math.log(Math.SQRT1_2), -100];
const FOUR = [[0, NONE, NONE], [NONE, 0, NONE], [NONE, NONE, 0], [HALF, HALF, NONE]]; // prettier-ignore

export default {
  question: {
    en: 'Which two of Q, K and V should be multiplied first?',
    zh: 'Q、K、V 三个矩阵，应该先乘哪两个？',
  },
  doThis: {
    en: 'Step through the tokens and watch the state fill. Then store four and five pairs in its three axes, and compare what is read with softmax.',
    zh: '逐个词元往前走，看状态怎样填满。再往三条轴里存四对、五对，把读出的价格与 softmax 比较。',
  },
  live: (trace) => {
    const [state, output] = [list(column(trace, 'state')), list(column(trace, 'output'))];
    return {
      en: `The state holds ${state.en} as prices, and its queries read ${output.en}. No weight of a pair was computed.`,
      zh: `状态里的价格是 ${state.zh}，各个查询读出 ${output.zh}。没有算过任何一对的权重。`,
    };
  },
  contrast: {
    id: 'linear_rnn',
    text: {
      en: 'Here all keys are summed before any query reads. With a causal mask the sum grows token by token, and the same formula is a recurrent network.',
      zh: '这里先把所有键加完，查询才来读。加上因果掩码，这个累加和逐个词元增长，同一个公式成了循环神经网络。',
    },
  },
  history: {
    en: 'Softmax must see all n² scores before it divides. Katharopoulos (2020) replaced e^(q·k) by a product of feature maps, so that keys and values are summed once. Delta rules and gates followed.',
    zh: 'softmax 要看到全部 n² 个分数才能归一化。Katharopoulos（2020）用特征映射的乘积代替 e^(q·k)，键和值只需加总一次。后来出现了 delta 规则和门控。',
  },
  predictions: [
    {
      id: 'order_of_products',
      covers: ['count'],
      question: {
        en: '1000 words, vectors of width 64: how many times as many multiplications does (QKᵀ)V take as Q(KᵀV)?',
        zh: '1000 个词，向量是 64 维：(QKᵀ)V 的乘法次数是 Q(KᵀV) 的多少倍？',
      },
      choices: [
        { en: 'About 2 times', zh: '约 2 倍' },
        { en: 'About 16 times', zh: '约 16 倍' },
        { en: 'About 1000 times', zh: '约 1000 倍' },
      ],
      reveal: (fovea) => {
        const { full, linear } = xformerCost(fovea, {}, {}, { n: WORDS, d: WIDTH, kinds: { full: {}, linear: {} } });
        const times = full.multiplyAdds / linear.multiplyAdds;
        return {
          right: times < 6 ? 0 : times < 100 ? 1 : 2,
          shown: {
            en: `${full.multiplyAdds} against ${linear.multiplyAdds}: ${show(times, 1)} times as many, near n ÷ d. With 64 words or less nothing is saved.`,
            zh: `${full.multiplyAdds} 对 ${linear.multiplyAdds}：${show(times, 1)} 倍，接近 n ÷ d。不超过 64 个词时，什么也省不下。`,
          },
        };
      },
    },
    {
      id: 'fourth_pair',
      question: {
        en: 'Three axes hold three pairs. A fourth, price 9, comes with a key between the first two axes. What does the first key, price 3, read now?',
        zh: '三条轴存了三对。第四对价格是 9，它的键落在前两条轴之间。价格为 3 的第一个键现在读出什么？',
      },
      choices: [
        { en: 'Still 3', zh: '仍是 3' },
        { en: 'A mixture of 3 and 9', zh: '3 与 9 的混合' },
        { en: '9', zh: '9' },
      ],
      reveal: (fovea) => {
        const inputs = { q: FOUR, k: FOUR, v: [[3], [5], [8], [9]] };
        const [read = NaN] = computed(fovea, 'linear', 'output', { inputs });
        return {
          right: read < 3.01 ? 0 : read > 8.99 ? 2 : 1,
          shown: {
            en: `It reads ${show(read)}. Three axes keep three keys apart and no more.`,
            zh: `读出 ${show(read)}。三条轴只能分清三个键。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'Σ e^(qᵢᵀ kⱼ vⱼ) / Σ e^(qᵢᵀ kⱼ)', zh: 'Σ e^(qᵢᵀ kⱼ vⱼ) / Σ e^(qᵢᵀ kⱼ)' },
      means: {
        en: 'Σ e^(qᵢᵀ kⱼ) vⱼ / Σ e^(qᵢᵀ kⱼ): the value is no part of the exponent.',
        zh: '应为 Σ e^(qᵢᵀ kⱼ) vⱼ / Σ e^(qᵢᵀ kⱼ)：值不在指数里。',
      },
    },
  ],
} satisfies Lesson;
