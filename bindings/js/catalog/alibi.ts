import { bias } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { isNear, valueAt } from './entry/stage_values.ts';

const words = ['the', 'cat', 'saw', 'the', 'dog', 'again'];
const heads = ['slope 1/2', 'slope 1/16'];
const labelsOf = (heads: readonly string[], words: readonly string[]) => ({
  q: [heads, words, null],
  k: [heads, words, null],
  v: [heads, words, null],
});

function sampleOf(words: readonly string[]) {
  /** All scores are 0, so that the biases alone make the weights. */
  const zeros = heads.map(() => words.map(() => [0]));
  const places = heads.map(() => words.map((_, place) => [place]));
  return {
    inputs: { q: zeros, k: zeros, v: places },
    labels: labelsOf(heads, words),
    sizes: { Tq: words.length, Tk: words.length },
  } satisfies OtherWords;
}
const { inputs, labels } = sampleOf(words);

export default option({
  id: 'alibi',
  family: 'selfAttention',
  title: { en: 'Linear biases by distance (ALiBi)', zh: '线性距离偏置（ALiBi）' },
  aliases: ['ALiBi', 'attention with linear biases', '线性偏置注意力'],
  notations: [
    {
      text: 'Press et al. 2022',
      writes: 'm · [−(i−1), …, −2, −1, 0]',
      means: { en: '−m |i − j|, causal', zh: '−m |i − j|，因果' },
    },
  ],
  paper: {
    authors: 'Press, Smith, Lewis',
    title: 'Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation',
    year: 2022,
    url: 'https://arxiv.org/abs/2108.12409',
    equations: '§3',
  },
  equation: 'A_{ij} = \\operatorname{softmax}_{j \\le i}\\left(q_i^\\top k_j / \\sqrt{d} - m_h |i - j|\\right),\\quad O = A V',
  parent: 'relative_positions',
  slots: { bias: '-m_h |i - j|', mask: 'j \\le i' },
  complexity: { ...attentionWork, sizes: { H: 2, Tq: words.length, Tk: words.length, D: 1, Dv: 1 } },
  code: 'fovea.attention(q, k, v, { bias: bias.alibi(slopes), causal, returnWeights: true })',
  defaults: {
    inputs,
    options: { slopes: [1 / 2, 1 / 16], causal: true },
    labels,
    claim: {
      text: {
        en: 'Every step farther away multiplies a weight by e^−slope: 0.61 in the head of slope 1/2, which sees the last few words, and 0.94 in the head of slope 1/16, which sees far.',
        zh: '每远一步，权重就乘以 e^−斜率：斜率 1/2 的头每步乘 0.61，只看最近几个词；斜率 1/16 的头每步乘 0.94，看得很远。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        [0.61, 0.94].every((factor, head) =>
          words.slice(1).every((_, j) => {
            const [far, near] = [j, j + 1].map((key) => valueAt(trace, 'weights', [head, words.length - 1, key]));
            return isNear(far! / near!, factor, 0.005);
          }),
        ),
    },
    contrast: { options: { slopes: [0, 0] } },
  },
  chinese: { labels: labelsOf(['斜率 1/2', '斜率 1/16'], ['猫', '又', '看见', '了', '那只', '狗']) },
  sampleOf,
  compute: attentionWith((_, { slopes }: { slopes: number[] }) => ({ bias: bias.alibi(slopes) }), 'slopes'),
});
