import { list as entries, run } from 'fovea/catalog';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

const ID = 'key_value_predict';
const { inputs } = entries().find(({ id }) => id === ID)!.defaults;
const [HE, IT] = [4, 6];
const [PREDICT, NOUN] = [6, 7];

export default {
  question: {
    en: 'One state must be found, read and predict the next word. Can it do all three?',
    zh: '同一个状态既要被找到、又要被读取、还要预测下一个词，忙得过来吗？',
  },
  doThis: {
    en: 'At “he”, change the prediction, then the key: what moves? Then shorten the window until Tom is forgotten.',
    zh: '选“他”，先改它的预测，再改它的键：什么变了？然后缩短窗口，直到忘掉“小明”。',
  },
  live: (trace) => {
    const [he, it] = [rowOf(trace, 'weights', HE)[0] ?? 0, rowOf(trace, 'weights', IT)[2] ?? 0];
    return {
      en: `“he” gives Tom ${show(he)}, “it” gives fish ${show(it)}.`,
      zh: `“他”给“小明” ${show(he)}，“它”给“鱼” ${show(it)}。`,
    };
  },
  contrast: {
    id: 'ngram_rnn',
    text: {
      en: 'Here weights choose among the last L words. There is no choice: each distance reads its own part of the state.',
      zh: '这里用权重在最近 L 个词里挑选；那里不挑选，每个距离读各自固定的一部分状态。',
    },
  },
  history: {
    en: 'In attentive language models one vector had three tasks that disturb one another. Splitting it (2017) helped, yet attention stayed on about five words. Transformers kept keys and values apart by projections of each token.',
    zh: '带注意力的语言模型让一个向量身兼三职，互相干扰。拆成三份（2017）有所改善，但注意力仍只落在最近五个词左右。Transformer 用投影把每个词元的键和值分开。',
  },
  predictions: [
    {
      id: 'change_prediction',
      covers: ['textbook'],
      question: {
        en: 'The part p of “he” is replaced by another. How much do the weights of “he” move?',
        zh: '把“他”的 p 部分换成别的，“他”的权重变多少？',
      },
      choices: [
        { en: 'Not at all', zh: '完全不变' },
        { en: 'A little', zh: '变一点' },
        { en: 'They go to another word', zh: '转到另一个词' },
      ],
      reveal: (fovea) => {
        const hidden = (inputs['hidden'] as number[][]).map((state, t) =>
          t === HE ? state.map((x, n) => (n >= PREDICT ? Number(n === NOUN) : x)) : state,
        );
        const runs = [run(fovea, ID), run(fovea, ID, { hidden })].map(({ trace }) => trace);
        const changeOf = (stage: string): number => {
          const [before, after] = runs.map((trace) => rowOf(trace, stage, HE)) as [number[], number[]];
          return Math.max(...before.map((x, i) => Math.abs(x - (after[i] ?? 0))));
        };
        const [weights, output] = [changeOf('weights'), changeOf('hStar')];
        return {
          right: weights === 0 ? 0 : weights < 0.1 ? 1 : 2,
          shown: {
            en: `The weights move by ${show(weights)}, the output by ${show(output)}: p takes part in no score.`,
            zh: `权重变化 ${show(weights)}，输出变化 ${show(output)}：p 不参与任何分数。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'W_Y Y_t + (W_h h_t)·1ᵀ, columns are words', zh: 'W_Y Y_t + (W_h h_t)·1ᵀ，每列是一个词' },
      means: {
        en: 'Here a row is a word: Y_t W_Y + k_t W_h, and the key alone takes part.',
        zh: '这里每行是一个词：Y_t W_Y + k_t W_h，参与的只有键。',
      },
    },
  ],
} satisfies Lesson;
