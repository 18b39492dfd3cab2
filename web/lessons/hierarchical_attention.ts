import { list as entries, run } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Localized } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const AWFUL: Localized = { en: 'awful', zh: '差' };
type Words = readonly (readonly (readonly number[])[])[];

export default {
  question: { en: 'Which sentence decides, and which word in it?', zh: '哪一句说了算？句中又是哪个词？' },
  doThis: {
    en: 'Replace the last word of sentence 3 by “awful”. The word’s bar grows, the bar of its sentence grows, and the verdict moves.',
    zh: '把第 3 句的最后一个词换成“差”：这个词的条形变长，它所在句子的条形也变长，判断随之改变。',
  },
  live: (trace) => {
    const great = two(valueAt(trace, 'wordWeights', [1, 4]));
    const sentence = two(valueAt(trace, 'sentenceWeights', [1]));
    const positive = two(valueAt(trace, 'probability', [0]));
    return {
      en: `Word 5 of sentence 2 has ${great} of its sentence, the sentence ${sentence} of the text, which is positive with ${positive}. The GRUs only pass moods on.`,
      zh: `第 2 句第 5 个词占本句的 ${great}，这一句占全文的 ${sentence}，全文以 ${positive} 的概率为褒义。这里的 GRU 只把褒贬原样传下去。`,
    };
  },
  contrast: {
    id: 'sentence_embedding',
    text: {
      en: 'A mean over all words weighs “the” like “great” and forgets where sentences end. Here each level chooses.',
      zh: '对所有词取平均，“的”与“棒”一样重，也分不出句子；这里每一层都作选择。',
    },
  },
  history: {
    en: 'A recurrent network that reads a whole text at once forgets its beginning. HAN (2016) reads words, then sentences. Transformers with long windows replaced it; very long texts are still read in levels.',
    zh: '循环神经网络一口气读完长文会忘掉开头。HAN（2016）先读词，再读句。窗口很长的 Transformer 取代了它，但极长的文本仍分层来读。',
  },
  predictions: [
    {
      id: 'great_and_awful',
      question: {
        en: 'One sentence says “great”, another now says “awful”. How is the weight shared between them?',
        zh: '一句说“棒”，另一句现在说“差”。两句的权重怎么分？',
      },
      choices: [
        { en: 'The positive one keeps nearly all', zh: '褒义的那句仍占几乎全部' },
        { en: 'About half each', zh: '各占一半左右' },
        { en: 'The later one takes nearly all', zh: '后面那句占几乎全部' },
      ],
      reveal: (fovea, language) => {
        const { labels, inputs, params } = entries().find(({ id }) => id === 'hierarchical_attention')!.samples[language];
        const axes = labels['words']![2]!;
        const awful = axes.map((axis, n) => Number(axis === AWFUL[language] || n === axes.length - 1));
        const [first, second, third] = inputs['words'] as Words;
        const { trace } = run(fovea, 'hierarchical_attention', { words: [first, second, [...third!.slice(0, -1), awful]] }, params); // prettier-ignore
        const [, great = 0, bad = 0] = rowOf(trace, 'sentenceWeights');
        const [positive = 0] = rowOf(trace, 'probability');
        return {
          right: great > 2 * bad ? 0 : bad > 2 * great ? 2 : 1,
          shown: {
            en: `They get ${show(great)} and ${show(bad)}: the level looks for a mood, good or bad. The text is positive with ${show(positive, 2)}.`,
            zh: `两句各得 ${show(great)} 和 ${show(bad)}：这一层找的是有褒贬的句子，不分好坏。全文为褒义的概率是 ${show(positive, 2)}。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'r_t, the forget gate', zh: 'r_t，遗忘门' },
      means: {
        en: 'It is the GRU’s reset gate. The paper’s z is 1 − z of PyTorch, whose order is used here.',
        zh: '应为 GRU 的重置门。论文里的 z 相当于 PyTorch 的 1 − z，这里按 PyTorch。',
      },
    },
  ],
} satisfies Lesson;
