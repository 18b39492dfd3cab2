import { list as entries, run } from 'fovea/catalog';
import type { Language } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const ID = 'key_value_memory';
const { samples } = entries().find(({ id }) => id === ID)!;
const answersIn = (language: Language): readonly string[] => samples[language].labels['candidates']![0]!;
/** London. */
const RIGHT = 3;

export default {
  question: {
    en: 'Where was the director born? A fact is found by one thing and tells another.',
    zh: '导演出生在哪里？找事实靠一样东西，读出的是另一样。',
  },
  doThis: {
    en: 'Go through both hops: a key is found, its value becomes part of the next query. Then tie V = K and go through both hops again.',
    zh: '走完两跳：先找到键，它的值进入下一个查询。再绑定 V = K，重新走一遍。',
  },
  live: (trace, language) => {
    const [one, two] = [Math.max(...rowOf(trace, 'weights', 0)), Math.max(...rowOf(trace, 'weights', 1))];
    const probability = rowOf(trace, 'probability');
    const answer = answersIn(language)[probability.indexOf(Math.max(...probability))] ?? '';
    return {
      en: `The strongest keys get ${show(one, 4)} and then ${show(two, 4)}; the answer is ${answer}.`,
      zh: `两跳中最强的键分别得 ${show(one, 4)} 和 ${show(two, 4)}，答案是“${answer}”。`,
    };
  },
  contrast: {
    id: 'memory_network',
    text: {
      en: 'There one sentence serves for both, by two learned tables. Here who writes the memory decides what is compared and what is read.',
      zh: '那里同一个句子通过两张学来的表兼顾查找与读取；这里由写入记忆的人决定比较什么、读出什么。',
    },
  },
  history: {
    en: 'A sentence is a poor key: the words that find it are not those that answer. Key-value memories (2016) let keys be the context and values the answer. Transformers kept the split; retrieval systems store text passages by such keys.',
    zh: '整句话当键不好用：找到它的词不是回答问题的词。键值记忆（2016）让键放线索、值放答案。Transformer 保留了这种分工；检索系统也用这样的键存放文本。',
  },
  predictions: [
    {
      id: 'tied_memory',
      question: {
        en: 'V is tied to K. How sure is the network of its answer among four?',
        zh: '把 V 绑定为 K，网络在四个候选答案里有多大把握？',
      },
      choices: [
        { en: 'As sure as before', zh: '与原来一样' },
        { en: 'All four alike', zh: '四个一样多' },
        { en: 'Sure of a wrong one', zh: '确信一个错误答案' },
      ],
      reveal: (fovea) => {
        const { contrast } = samples.en;
        const probability = rowOf(run(fovea, ID, contrast.inputs, contrast.params, contrast.options).trace, 'probability');
        const shown = list(probability);
        const most = Math.max(...probability);
        return {
          right: most < 0.5 ? 1 : probability.indexOf(most) === RIGHT ? 0 : 2,
          shown: {
            en: `The probabilities are ${shown.en}: no person was ever read, so no birthplace is.`,
            zh: `概率是 ${shown.zh}：始终没读出人名，也就读不出出生地。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'αᵢ = softmax(a(q, kᵢ)), c = Σᵢ αᵢ vᵢ', zh: 'αᵢ = softmax(a(q, kᵢ))，c = Σᵢ αᵢ vᵢ' },
      means: {
        en: 'One hop. Here a matrix R follows each hop and makes the next query.',
        zh: '只写了一跳。这里每一跳后面还有矩阵 R，用来得到下一个查询。',
      },
    },
  ],
} satisfies Lesson;
