import { pattern, type BigBirdOptions } from '../pattern/index.ts';
import { attendOver, inChinese, sample, sampleOf, sparseWork, sumOver, T, words } from './calls/sparse_call.ts';
import { option } from './entry/define.ts';
import { rowAt } from './entry/stage_values.ts';

/** The keys that a word sees without any draw: the first word and its window. */
const seen = (i: number): number[] => words.map((_, j) => j).filter((j) => i === 0 || j === 0 || Math.abs(i - j) <= 1);

export default option({
  id: 'bigbird',
  family: 'sparse',
  title: { en: 'BigBird (window, global and random)', zh: 'BigBird：窗口、全局与随机' },
  aliases: ['random attention', '窗口、全局与随机的稀疏注意力'],
  notations: [
    {
      text: 'Zaheer et al. 2020',
      writes: { en: 'r random, w window, g global', zh: 'r 个随机、w 个窗口、g 个全局' },
      means: { en: 'in blocks; here a block is one word', zh: '以块计；这里一块就是一个词' },
    },
  ],
  paper: {
    authors: 'Zaheer, Guruganesh, Dubey, Ainslie, Alberti, Ontanon, Pham, Ravula, Wang, Yang, Ahmed',
    title: 'Big Bird: Transformers for Longer Sequences',
    year: 2020,
    url: 'https://arxiv.org/abs/2007.14062',
    equations: '§2',
  },
  equation: '\\operatorname{softmax}_{j \\in S_i}(q_i^\\top k_j / \\sqrt{d})\\, V,\\quad S_i = W_i \\cup G \\cup R_i',
  parent: 'longformer',
  slots: { mask: 'j \\in W_i \\cup G \\cup R_i' },
  complexity: sparseWork(
    { w: 3, g: 1, r: 1 },
    // Draws that are seen already are no pairs of their own; the seed of the defaults draws none.
    ({ T, w, g, r }) =>
      sumOver(T!, (i) => {
        if (i < g!) return T!;
        const side = (w! - 1) / 2;
        const window = Math.min(T! - 1, i + side) - Math.max(g!, i - side) + 1;
        return g! + window + Math.min(r!, T! - g! - window);
      }),
  ),
  ranges: { 'options.seed': { from: 0, to: 1000, step: 1 }, 'options.random': { from: 0, to: 8, step: 1 } },
  code: 'fovea.attention(x, x, x, { pattern: pattern.bigBird({ block, window, global, random, seed }), scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { block: 1, window: 3, global: 1, random: 1, seed: 64, scale: 0 },
    seeded: true,
    claim: {
      text: {
        en: 'A word sees its window of three, the first word, and one word drawn at random; the first sees all. The draws are shortcuts: every word but the first has one more key than the window and the first word give it.',
        zh: '每个词看三个词的窗口、首词，再加一个随机抽到的词；首词看全部。随机的连接是捷径：除首词外，每个词都比“窗口加首词”多看一个词。',
      },
      tolerance: 0,
      holds: (trace) =>
        Array.from({ length: T }, (_, i) => rowAt(trace, 'weights', [i])).every((row, i) => {
          const allowed = words.map((_, j) => j).filter((j) => row[j]! > 0);
          return seen(i).every((j) => allowed.includes(j)) && allowed.length === seen(i).length + Number(i > 0);
        }),
    },
    contrast: { options: { random: 0 } },
  },
  chineseLabels: inChinese,
  sampleOf,
  compute: attendOver(
    ({ block, window, global, random, seed }: BigBirdOptions) => pattern.bigBird({ block, window, global, random, seed }),
    'block',
    'window',
    'global',
    'random',
    'seed',
  ),
});
