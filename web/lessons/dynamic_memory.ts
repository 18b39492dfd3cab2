import { list as entries, run } from 'fovea/catalog';
import type { Language } from '../shell/localized.ts';
import type { Lesson } from './lesson.ts';
import { list, rowOf, show } from './numbers.ts';

const ID = 'dynamic_memory';
const sampleIn = (language: Language) => entries().find(({ id }) => id === ID)!.samples[language];

export default {
  question: { en: 'How often must a story be read until it answers?', zh: '一个故事要读几遍才答得出来？' },
  doThis: {
    en: 'Step through the passes: a gate opens, the memory changes, other gates open. Then set the passes to 1: the person is known, the place is not.',
    zh: '逐遍往下走：门打开，记忆改变，别的门再打开。再把遍数设为 1：知道是谁，却不知道在哪儿。',
  },
  live: (trace, language) => {
    const first = Math.max(...rowOf(trace, 'gates', 0));
    const probability = rowOf(trace, 'probability');
    const answer = sampleIn(language).labels['embedding']![0]![probability.indexOf(Math.max(...probability))] ?? '';
    return {
      en: `In pass 1 the widest gate is ${show(first)}. The answer is “${answer}”.`,
      zh: `第一遍开得最大的门是 ${show(first)}。答案是“${answer}”。`,
    };
  },
  contrast: {
    id: 'memory_network',
    text: {
      en: 'There the order of sentences needs an age. Here a GRU reads them in order: what comes later overwrites.',
      zh: '那里先后要另加时间信息；这里 GRU 按顺序读，后来的覆盖先前的。',
    },
  },
  history: {
    en: 'A weighted sum forgets in which order facts came. Gates within a recurrent network (2016) read them in order, in several passes. Recurrence is slow, a sentence at a time; Transformers with positions replaced it.',
    zh: '加权和丢掉了事实的先后。动态记忆网络（2016）把门放进循环网络，按顺序读好几遍。但逐句循环太慢，后来被带位置编码的 Transformer 取代。',
  },
  predictions: [
    {
      id: 'gates_sum',
      question: {
        en: 'In pass 2 two sentences are about john’s journeys. How much do their gates get?',
        zh: '第二遍里有两句讲小明去了哪里，它们的门各开多大？',
      },
      choices: [
        { en: 'about ½ each', zh: '各约 ½' },
        { en: 'about 1 each', zh: '各约 1' },
        { en: 'only the last one opens', zh: '只有后一句的门打开' },
      ],
      reveal: (fovea, language) => {
        const { inputs, params, options } = sampleIn(language);
        const gates = rowOf(run(fovea, ID, inputs, params, options).trace, 'gates', 1);
        const [kitchen = 0, bedroom = 0] = [gates[1], gates[3]];
        const shown = list([kitchen, bedroom]);
        return {
          right: kitchen > 0.9 && bedroom > 0.9 ? 1 : kitchen < 0.1 && bedroom > 0.9 ? 2 : 0,
          shown: {
            en: `${shown.en}. Each gate is a sigmoid of its own; they share nothing out. The later sentence then overwrites the earlier.`,
            zh: `${shown.zh}。每扇门各有自己的 sigmoid，不必分摊。之后，后一句再把前一句覆盖掉。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'four modules: question, input, episodic memory, answer', zh: '四个模块：问题、输入、情景记忆、回答' },
      means: {
        en: 'Here they are four recurrent networks, GRUs: question, input, episode with memory, answer.',
        zh: '这里就是几个 GRU：读问题的、读输入的、读情节并更新记忆的、写答案的。',
      },
    },
  ],
} satisfies Lesson;
