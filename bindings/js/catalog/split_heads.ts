import { attention, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { readableWords } from './samples/words.ts';

/** The first half of the axes says which word, the second half where it is. Axes that have no word keep the halves equal. */
function sampleOf(words: readonly string[], has?: HasFeature) {
  const { distinct } = readableWords(words);
  const free = words.length - distinct.length;
  const fillers = ['pronoun', ...Array.from({ length: free }, (_, n) => `empty ${n + 1}`)].slice(0, free);
  const { vectors, axes } = readableWords(words, fillers, true, has);
  return {
    inputs: { q: vectors, k: vectors, v: vectors },
    labels: { q: [words, axes], k: [words, axes], v: [words, axes] },
    sizes: { Tq: words.length, Tk: words.length, D: words.length, Dv: words.length },
  } satisfies OtherWords;
}
const words = ['I', 'saw', 'a', 'saw'];
const { sizes, ...sample } = sampleOf(words);

export default option({
  id: 'split_heads',
  family: 'selfAttention',
  title: { en: 'Heads by splitting the vectors', zh: '切分向量的多头注意力' },
  aliases: ['split heads', '分割向量', '按头数切分', '分割向量的多頭'],
  notations: [
    {
      text: texts.steps,
      writes: { en: 'Q, K and V are split into h groups of smaller vectors', zh: '將 Q, K, V 按頭數分割為 h 組子向量' },
      means: {
        en: 'head h reads the h-th part of each vector, without matrices of its own',
        zh: '头 h 读每个向量的第 h 段，没有自己的矩阵',
      },
    },
  ],
  paper: null,
  year: 2017,
  equation:
    'q = [q_1; \\ldots; q_H],\\quad O = [\\operatorname{softmax}(Q_1 K_1^\\top)\\, V_1; \\ldots; \\operatorname{softmax}(Q_H K_H^\\top)\\, V_H]',
  parent: 'multi_head',
  slots: { score: '[q_i]_h^\\top [k_j]_h / \\sqrt{d}', value: '[v_j]_h' },
  complexity: { ...attentionWork, sizes: { H: 2, ...sizes } },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'fovea.attention(q, k, v, { heads, scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { heads: 2, scale: 8 },
    claim: {
      text: {
        en: 'Head 1 has the half of the axes that says which word: each “saw” weighs both “saw” 0.50. Head 2 has the half that says where: each weighs itself alone, 1.00.',
        zh: '头 1 分到“是哪个词”的一半轴：两个“画”互相给 0.50。头 2 分到“在哪里”的一半轴：每个词只看自己，1.00。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        [1, 3].every((saw) => isNear(valueAt(trace, 'weights', [0, 1, saw]), 0.5, 0.005)) &&
        words.every((_, i) => isNear(valueAt(trace, 'weights', [1, i, i]), 1, 0.005)),
    },
    contrast: { options: { heads: 1 } },
  },
  chineseLabels: { I: '我', saw: '画', a: '一张' },
  sampleOf,
  compute: attention,
});
