import { two, valueAt } from '../stages/read_trace.ts';
import type { Localized } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';

const changed = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, i) => Math.abs(x - (b[i] ?? 0))));

/** Of the pronoun, the cat and what is chased, in the sentence of each language. */
const places: Localized<readonly [number, number, number]> = { en: [6, 1, 4], zh: [5, 0, 2] };

export default {
  question: { en: 'Can a pronoun find what it stands for in its own sentence?', zh: '代词能在自己的句子里找到它指代谁吗？' },
  doThis: {
    en: 'Choose layer 2: the words near “chased” and “hungry” now decide, and “it” looks at “cat”. Then change “hungry” into “afraid”.',
    zh: '选第 2 层：“追”和“饿”旁边的词起了作用，“它”看向“猫”。再把“饿”换成“怕”。',
  },
  live: (trace, language) => {
    const [it, cat, prey] = places[language];
    const [onCat, onPrey] = [cat, prey].map((key) => two(valueAt(trace, 'weights', [it, key])));
    return {
      en: `“it” gives “cat” ${onCat} and what is chased ${onPrey}. Layer 1 knows the features of each word alone; layer 2 also knows who chases and what is said of “it”.`,
      zh: `“它”给“猫” ${onCat}，给被追的词 ${onPrey}。第 1 层只知道每个词自己的特征；第 2 层还知道谁在追、代词后面说了什么。`,
    };
  },
  contrast: {
    id: 'multi_head',
    text: {
      en: 'One set of weights can answer one question about each word. Multi-head attention asks several at once.',
      zh: '一组权重只能为每个词回答一个问题；多头注意力同时问几个。',
    },
  },
  history: {
    en: 'A recurrent network passes word 1 on through every later word. Self-attention (2017) reaches every word in one step; sparse and linear attention make it cheaper for long texts.',
    zh: '循环神经网络要把第一个词一路传下去；自注意力（2017）一步就能到达任何词；稀疏注意力和线性注意力让长文本算得起。',
  },
  predictions: [
    {
      id: 'swap_two_words',
      question: {
        en: 'Positions are off. Two words of the sentence are swapped. What happens to the outputs?',
        zh: '关掉位置，把句子里的两个词对调，输出会怎样？',
      },
      choices: [
        { en: 'All of them change', zh: '全都改变' },
        { en: 'The same vectors, moved with their words', zh: '还是那些向量，只是跟着词换了位置' },
        { en: 'Only those of the two words change', zh: '只有这两个词的输出改变' },
      ],
      reveal: (fovea) => {
        const words = [0, 1, 2, 3, 4].map((word) => [0, 1, 2, 3, 4].map((axis) => Math.sin(word * 5 + axis)));
        const W = [0, 1, 2, 3, 4].map((row) => [0, 1, 2].map((col) => Math.cos(row * 3 + col)));
        const params = { Wq: W, Wk: [...W].reverse(), Wv: W };
        const swapped = words.map((word, i) => words[[3, 1, 2, 0, 4][i]!] ?? word);
        const before = fovea.selfAttention(words, params).output.data;
        const after = fovea.selfAttention(swapped, params).output.data;
        const moved = [3, 1, 2, 0, 4].flatMap((from) => [...before.slice(3 * from, 3 * from + 3)]);
        const apart = changed(after, moved);
        const size = apart < 1e-5 ? 1 : 0;
        return {
          right: size,
          shown: {
            en: `Moved with their words, the outputs differ by ${apart.toExponential(0)}: only rounding. Without positions the order is not seen.`,
            zh: `跟着词移动之后，输出只差 ${apart.toExponential(0)}，不过是舍入误差。没有位置，就看不见词序。`,
          },
        };
      },
    },
    {
      id: 'twice_the_words',
      question: { en: 'A text has twice as many words. How many scores are computed?', zh: '文本的词数加倍，要算多少个分数？' },
      choices: [
        { en: 'Twice as many', zh: '两倍' },
        { en: 'Four times as many', zh: '四倍' },
        { en: 'Eight times as many', zh: '八倍' },
      ],
      reveal: (fovea) => {
        const scores = (n: number): number => {
          const X = Array.from({ length: n }, (_, i) => [i % 3, 1]);
          const I = [[1, 0], [0, 1]]; // prettier-ignore
          return fovea.selfAttention(X, { Wq: I, Wk: I, Wv: I }, { returnWeights: true }).weights.data.length;
        };
        const [few, many] = [scores(8), scores(16)];
        return {
          right: [2, 4, 8].indexOf(many / few),
          shown: {
            en: `8 words: ${few} weights. 16 words: ${many}. Every word looks at every word, so the number grows with the square.`,
            zh: `8 个词：${few} 个权重；16 个词：${many} 个。每个词都看每个词，所以按平方增长。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'Tokens as columns: V softmax(KᵀQ/√D)', zh: '词元排成列：V softmax(KᵀQ/√D)' },
      means: {
        en: 'The same computation, transposed; here rows are tokens. The notation switch turns the page.',
        zh: '同一计算的转置；本页词元排成横行（row）。“记法”开关可以转过来。',
      },
    },
    {
      writes: { en: 'V = W_b X', zh: 'V = W_b X' },
      means: { en: 'A misprint for W_v: the values are X W_v.', zh: 'W_v 的笔误：值是 X W_v。' },
    },
    {
      writes: { en: 'α_ij = q^i k^i', zh: 'α_ij = q^i k^i' },
      means: {
        en: 'q^i k^j: the query of word i with the key of word j.',
        zh: '应为 q^i k^j：第 i 个词的查询与第 j 个词的键。',
      },
    },
    {
      writes: { en: 'α and α′ both printed α', zh: 'α 与 α′ 都印成 α' },
      means: { en: 'α is the score, α′ the weight after softmax.', zh: 'α 是分数，α′ 是 softmax 之后的权重。' },
    },
  ],
} satisfies Lesson;
