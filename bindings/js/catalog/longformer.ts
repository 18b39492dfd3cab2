import { pattern } from '../pattern/index.ts';
import { attendOver, sampleOf, sharedBy, sparseWork, sumOver } from './calls/sparse_call.ts';
import { option } from './entry/define.ts';
import { isRowNear } from './entry/stage_values.ts';

const words = ['the', 'cat', 'saw', 'the', 'dog', 'and', 'a', 'bird'];
/** The global token stands before the text. */
const withGlobal = (words: readonly string[]) => sampleOf(['[CLS]', ...words]);
const { inputs, labels, sizes } = withGlobal(words);

export default option({
  id: 'longformer',
  family: 'sparse',
  title: { en: 'Longformer (window and global tokens)', zh: 'Longformer：滑动窗口加全局词元' },
  aliases: ['sliding window and global attention', '滑动窗口与全局注意力'],
  notations: [
    {
      text: 'Beltagy et al. 2020',
      writes: { en: 'window w: w/2 tokens on each side', zh: '窗口 w：两侧各 w/2 个词元' },
      means: { en: 'window: w, besides the token itself', zh: 'window: w，词元自己不计在内' },
    },
  ],
  paper: {
    authors: 'Beltagy, Peters, Cohan',
    title: 'Longformer: The Long-Document Transformer',
    year: 2020,
    url: 'https://arxiv.org/abs/2004.05150',
    equations: '§3.1',
  },
  equation:
    '\\operatorname{softmax}_{j \\in S_i}(q_i^\\top k_j / \\sqrt{d})\\, V,\\quad S_i = \\{j: |i - j| \\le w/2 \\text{ or } i \\in G \\text{ or } j \\in G\\}',
  parent: 'local',
  slots: { mask: '|i - j| \\le w/2 \\text{ or } i \\in G \\text{ or } j \\in G' },
  complexity: {
    ...sparseWork(
      { w: 2, g: 1 },
      ({ T, w, g }) => T! - g! + 2 * sumOver(w! / 2, (q) => Math.max(0, T! - g! - q - 1)) + 2 * g! * T! - g! * g!,
    ),
    sizes: { T: sizes.T, w: 2, g: 1, D: sizes.D, Dv: sizes.Dv },
  },
  ranges: { 'options.window': { from: 0, to: 16, step: 2 }, 'options.scale': { from: 0, to: 4, step: 0.5 } },
  code: 'fovea.attention(x, x, x, { pattern: pattern.longformer({ window, globalTokens }), scale, returnWeights: true })',
  defaults: {
    inputs,
    options: { window: 2, globalTokens: [0], scale: 0 },
    labels,
    claim: {
      text: {
        en: 'The global token [CLS] sees all nine, 0.11 each, and all see it: “the” in the middle sees [CLS], its two neighbors and itself, 0.25 each. So any two words are two steps apart.',
        zh: '全局词元 [CLS] 看全部九个词，各 0.11，所有词也都看它：中间的“那”看 [CLS]、左右邻居和自己，各 0.25。于是任意两个词只隔两步。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [0], sharedBy([0, 1, 2, 3, 4, 5, 6, 7, 8]), 0.005) &&
        isRowNear(trace, 'weights', [4], sharedBy([0, 3, 4, 5]), 0.005),
    },
    contrast: { options: { globalTokens: [] } },
  },
  chineseLabels: { the: '那', cat: '猫', saw: '看见', dog: '狗', bird: '鸟', and: '和', a: '一只' },
  sampleOf: withGlobal,
  compute: attendOver(
    (options: { window: number; globalTokens: number[] }) =>
      pattern.longformer({ window: options.window, globalTokens: options.globalTokens }),
    'window',
    'globalTokens',
  ),
});
