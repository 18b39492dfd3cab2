import { list as entries, run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'ngram_rnn';
const { labels } = entries().find(({ id }) => id === ID)!.defaults;
const [ON, THE] = [3, 0];
const words = labels['hidden']![0]!;

export default {
  question: { en: 'How far does a memory get without any attention?', zh: '完全不用注意力，记忆能走多远？' },
  doThis: {
    en: 'Step through the words: each state is read in three parts, at once, one word later and two words later. Then let it see one word only.',
    zh: '逐词往下走：每个状态分三部分，当时读一部分，过一个词读一部分，过两个词再读一部分。再让它只看一个词。',
  },
  live: (trace) => {
    const row = rowOf(trace, 'hStar', ON);
    const [on = 0, sat = 0, cat = 0] = [row[3], row[2], row[1]];
    return {
      en: `At “on”: on ${show(on)}, sat ${show(sat)}, cat ${show(cat)}, the ${show(row[THE] ?? 0)}.`,
      zh: `读到“在”时：“在” ${show(on)}，“坐” ${show(sat)}，“猫” ${show(cat)}，“那” ${show(row[THE] ?? 0)}。`,
    };
  },
  contrast: {
    id: 'key_value_predict',
    text: {
      en: 'Attention would look for the word that fits, wherever it stands in the window. This reads every position of the window with fixed numbers.',
      zh: '注意力会在窗口里寻找合适的词，不管它在哪个位置；这里用固定的数读窗口的每个位置。',
    },
  },
  history: {
    en: 'It was a test of attention: models attended to about five words, so a fixed window of as many (2017) should do as well, and nearly did. Longer texts need attention, which is why this net stayed a baseline.',
    zh: '它本是对注意力的一次检验：既然模型只看最近五个词左右，那么同样大小的固定窗口（2017）也该够用，结果确实相差不大。更长的文本离不开注意力，它便只作基线。',
  },
  predictions: [
    {
      id: 'fourth_word',
      covers: ['live', 'outputs', 'stages'],
      question: {
        en: 'At “on”, how much is left of “the”, three words back?',
        zh: '读到“在”时，三个词之前的“那”还留下多少？',
      },
      choices: [
        { en: 'Nothing', zh: '一点不剩' },
        { en: 'Half as much as of “cat”', zh: '有“猫”的一半' },
        { en: 'As much as of “cat”', zh: '与“猫”一样多' },
      ],
      reveal: (fovea) => {
        const row = rowOf(run(fovea, ID).trace, 'hStar', ON);
        const [the = 0, cat = 0] = row;
        return {
          right: the === 0 ? 0 : the < 0.75 * cat ? 1 : 2,
          shown: {
            en: `“${words[THE]}” ${show(the)}, “cat” ${show(cat)}. There are three parts, so there is no fourth word.`,
            zh: `“那”是 ${show(the)}，“猫”是 ${show(cat)}。状态只有三部分，第四个词就没有位置。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
