import { convS2s as compute } from '../mechanisms/conv_s2s.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

/** Places of the target ask for places of the source, as many as this one has words. */
function sampleIn(sourceWords: readonly string[], targetWords: readonly string[]) {
  const places = sourceWords.map((_, place) => `#${place}`);
  const axes = [...places, ...sourceWords];
  const row = (unit: number) => axes.map((_, axis) => Number(axis === unit));
  const atPlaces = places.map((_, place) => row(place));
  /** Half of the outputs is v = h_{i-1} - h_i, so that v + h_i is h_{i-1}; the other half is the gate. */
  const weight = [...axes, ...axes].map((_, out) => axes.map((_, axis) => (out === axis ? [1, -1] : [0, 0])));
  const block = (gate: number) => ({
    weight,
    bias: [...axes.map(() => 0), ...axes.map(() => gate)],
    Wd: identityMatrix(axes.length, 12),
    bd: axes.map(() => 0),
  });
  return {
    inputs: { g: atPlaces, z: atPlaces, e: sourceWords.map((_, place) => row(places.length + place)) },
    params: { blocks: { 0: block(20), 1: block(20) } },
    labels: { g: [targetWords, axes], z: [sourceWords, axes], e: [sourceWords, axes] },
    // Gates shut: no kernel moves anything, and both blocks attend to the place of the word itself.
    contrast: { params: { blocks: { 0: block(-20), 1: block(-20) } } },
    sizes: { blocks: 2, Tt: places.length, Ts: places.length, d: axes.length, k: 2 },
  } satisfies OtherWords;
}

/** Each word stands for itself: a dictionary of other words is not there. */
const sampleOf = (words: readonly string[]) => sampleIn(words, words);
const { sizes, ...sample } = sampleIn(['the', 'black', 'cat', 'sleeps'], ['die', 'schwarze', 'Katze', 'schläft']);

export default system({
  id: 'conv_s2s',
  family: 'alignment',
  title: { en: 'Convolutional sequence to sequence', zh: '卷积序列到序列' },
  aliases: ['ConvS2S', 'multi-step attention', '多步注意力', '多跳注意力'],
  notations: [
    { text: texts.survey, writes: { en: 'GLM, gated linear units', zh: '门控线性单元（GLM）' }, means: 'GLU: A ⊗ σ(B)' },
    {
      text: 'Gehring et al. 2017',
      writes: 'd_i^l = W_d^l h_i^l + b_d^l + g_i',
      means: { en: 'h_i Wd + bd + g_i: Wd is transposed', zh: 'h_i Wd + bd + g_i：Wd 是 W_d 的转置' },
    },
    {
      text: 'fairseq',
      writes: { en: 'the residual is added after attention', zh: '在注意力之后加残差' },
      means: { en: "before it, as the paper's equations have it", zh: '在注意力之前加，与论文的公式一致' },
    },
  ],
  paper: {
    authors: 'Gehring, Auli, Grangier, Yarats, Dauphin',
    title: 'Convolutional Sequence to Sequence Learning',
    year: 2017,
    url: 'https://arxiv.org/abs/1705.03122',
    equations: 'eq. 1 and 2, §3.2 and 3.3',
  },
  equation:
    'h_i = \\operatorname{glu}(W [h_{i-k+1} \\dots h_i] + b) + h_i,\\quad d_i = h_i W_d + b_d + g_i,\\quad c_i = \\sum_j \\operatorname{softmax}_j(d_i \\cdot z_j)\\, (z_j + e_j)',
  parent: 'luong',
  slots: { score: 'd_i \\cdot z_j', value: 'z_j + e_j' },
  complexity: {
    letters: ['blocks', 'Tt', 'Ts', 'd', 'k'],
    sizes,
    pairs: ({ blocks, Tt, Ts }) => blocks! * Tt! * Ts!,
    multiplyAdds: ({ blocks, Tt, Ts, d, k }) => blocks! * Tt! * (2 * d! * d! * k! + d! * d! + 2 * Ts! * d!),
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'Each block attends for itself, and its kernel looks one word further back: for “schläft” the first attends to “cat”, one position back, the second to “black”, two back, each with 0.99 or more.',
        zh: '每一层都有自己的注意力，卷积核逐层多看前面一个词：对 sleeps（睡了），第一层看往前一位的“猫”，第二层看往前两位的“黑”，权重都在 0.99 以上。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        isNear(valueAt(trace, 'weights', [0, 3, 2]), 1, 0.01) && isNear(valueAt(trace, 'weights', [1, 3, 1]), 1, 0.01),
    },
  },
  chineseLabels: {
    die: 'the',
    schwarze: 'black',
    Katze: 'cat',
    schläft: 'sleeps',
    the: '那只',
    black: '黑',
    cat: '猫',
    sleeps: '睡了',
  },
  sampleOf,
  compute,
});
