import { list as entries } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { computed, rowOf, show } from './numbers.ts';

type Rows = readonly (readonly number[])[];

export default {
  question: {
    en: 'Does one sentence follow from another, if only words are compared?',
    zh: '只逐词比较，能判断一句话是否由另一句推出吗？',
  },
  doThis: {
    en: 'Reorder the premise to “cats chase women” and look at the verdict. Then exchange the two sentences.',
    zh: '把前提改成“猫追女人”，看判断变不变。再把两句对调。',
  },
  live: (trace) => {
    const [follows = 0] = rowOf(trace, 'probability');
    return {
      en: `The hypothesis follows with probability ${show(follows)}.`,
      zh: `假设成立的概率是 ${show(follows)}。`,
    };
  },
  contrast: {
    id: 'luong',
    text: {
      en: 'No decoder writes words here: both sentences are there from the start, and each attends to the other with the same scores.',
      zh: '这里没有解码器逐词写出译文：两句话一开始就都在，用同一组分数互相注意。',
    },
  },
  history: {
    en: 'Inference was done by large recurrent networks that could not run in parallel. Parikh (2016) aligned words and summed the comparisons, with a tenth of the parameters. Pretrained Transformers replaced it.',
    zh: '自然语言推理过去靠庞大的循环神经网络，不能并行。Parikh（2016）把词对齐，再把逐词比较相加，参数只有约十分之一。后来被预训练 Transformer 取代。',
  },
  predictions: [
    {
      id: 'premise_reordered',
      question: {
        en: '“women chase cats” becomes “cats chase women”. What happens to the probability that “people chase animals” follows?',
        zh: '前提“女人追猫”改成“猫追女人”。假设“人追动物”成立的概率会怎样？',
      },
      choices: [
        { en: 'It falls', zh: '下降' },
        { en: 'It stays the same', zh: '不变' },
        { en: 'It rises', zh: '上升' },
      ],
      reveal: (fovea) => {
        const { a, b } = entries().find(({ id }) => id === 'decomposable_attention')!.defaults.inputs as { a: Rows; b: Rows };
        const follows = (premise: Rows): number =>
          computed(fovea, 'decomposable_attention', 'probability', { inputs: { a: premise, b } })[0] ?? NaN;
        const [before, after] = [follows(a), follows([...a].reverse())];
        return {
          right: Math.abs(after - before) < 1e-6 ? 1 : after < before ? 0 : 2,
          shown: {
            en: `${show(before)} before, ${show(after)} after. The comparisons are summed, and a sum has no order: who chases whom is not seen.`,
            zh: `之前 ${show(before)}，之后 ${show(after)}。逐词比较的结果相加，求和不分先后：谁追谁，它看不出来。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'F is computed l_a ⊕ l_b times', zh: '计算量变为 l_a ⊕ l_b' },
      means: {
        en: 'l_a + l_b times, a sum of two numbers. ⊕ puts vectors side by side, as in v_1 ⊕ v_2.',
        zh: '应为 l_a + l_b，是两个词数之和；⊕ 表示向量拼接，例如 v_1 ⊕ v_2。',
      },
    },
  ],
} satisfies Lesson;
