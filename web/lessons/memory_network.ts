import { list as entries, run } from 'fovea/catalog';
import type { Language } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'memory_network';
const sampleIn = (language: Language) => entries().find(({ id }) => id === ID)!.samples[language];
const largest = (row: readonly number[]): number => row.indexOf(Math.max(...row));

export default {
  question: { en: 'Where is the football? No sentence of the story says it.', zh: '足球在哪里？故事里没有哪一句直接说出。' },
  doThis: {
    en: 'Press Next: watch what the query asks for after each hop. Then let all hops share one table, and go again. Take sentences out of the memory, too.',
    zh: '点“下一步”，看每一跳之后查询在问什么。再让各跳共用一张表，重走一遍。也可以把某些句子移出记忆。',
  },
  live: (trace, language) => {
    const [one, two] = [Math.max(...rowOf(trace, 'weights', 0)), Math.max(...rowOf(trace, 'weights', 1))];
    const answer = sampleIn(language).labels['A']![0]![largest(rowOf(trace, 'probability'))] ?? '';
    return {
      en: `Hop 1 gives its strongest sentence ${show(one)}, hop 2 ${show(two)}. The answer is “${answer}”.`,
      zh: `第一跳给最相关的句子 ${show(one)}，第二跳给 ${show(two)}。答案是“${answer}”。`,
    };
  },
  contrast: {
    id: 'key_value_memory',
    text: {
      en: 'Here a sentence is found by its own words, and other tables decide what it gives. There key and value are written apart from the start.',
      zh: '这里一个句子由自己的词找到，读出什么由另一张表决定；那里的键和值从一开始就分开写。',
    },
  },
  history: {
    en: 'One hop finds one fact, but answers may need several. Earlier memory networks (2014) had to be told which facts; end-to-end ones (2015) learn it by soft attention. Transformers replaced them: each layer is a hop.',
    zh: '一跳只能找到一个事实，而答案往往要几个。早先的记忆网络（2014）要人告诉它看哪些；端到端版本（2015）用软性注意力自己学。后来被 Transformer 取代：每一层就是一跳。',
  },
  predictions: [
    {
      id: 'shared_table',
      question: {
        en: 'All hops use one table. Which sentence does hop 2 read?',
        zh: '各跳共用一张表时，第二跳会读哪一句？',
      },
      choices: [
        { en: 'john went to bedroom', zh: '小明去了卧室' },
        { en: 'john took the football, once more', zh: '还是“小明拿起足球”' },
        { en: 'all alike', zh: '每句一样多' },
      ],
      reveal: (fovea, language) => {
        const { labels, inputs, contrast } = sampleIn(language);
        const sentences = labels['story']![0]!;
        const { trace } = run(fovea, ID, inputs, contrast.params, contrast.options);
        const second = rowOf(trace, 'weights', 1);
        const read = largest(second);
        return {
          right: (second[read] ?? 0) < 0.5 ? 2 : read === 3 ? 0 : 1,
          shown: {
            en: `“${sentences[read]}” with ${show(second[read] ?? 0)}. What finds a thing gives back that thing, so the query asks for it again.`,
            zh: `“${sentences[read]}”，权重 ${show(second[read] ?? 0)}。用物去找，读回来的还是这个物，查询于是又问了一遍。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'q⁽ᵗ⁺¹⁾ = q⁽ᵗ⁾ + c⁽ᵗ⁾', zh: 'q⁽ᵗ⁺¹⁾ = q⁽ᵗ⁾ + c⁽ᵗ⁾' },
      means: {
        en: 'u is the query here and o the context: the same sum.',
        zh: '这里把查询记作 u，把上下文向量记作 o，是同一个加法。',
      },
    },
  ],
} satisfies Lesson;
