import type { Fovea } from '../fovea/fovea.ts';
import { linearAttention, type LinearOptions } from '../linear_attention/index.ts';
import type { QueriesKeysValues } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { stageOf } from './entry/stage_values.ts';
import { readableWords } from './samples/words.ts';

function sampleOf(words: readonly string[]) {
  const { vectors, axes } = readableWords(words);
  return {
    inputs: { q: vectors, k: vectors, v: vectors },
    labels: { q: [words, axes], k: [words, axes], v: [words, axes] },
    sizes: { T: words.length, D: axes.length, Dv: axes.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['the', 'cat', 'saw', 'the', 'dog']);

export default option({
  id: 'performer',
  family: 'linear',
  title: { en: 'Performer (random features)', zh: 'Performer：随机特征' },
  aliases: ['FAVOR+', 'random feature attention', '随机特征注意力'],
  notations: [
    { text: 'Choromanski et al. 2021', writes: { en: 'm random features', zh: 'm 个随机特征' }, means: 'features: m' },
  ],
  paper: {
    authors:
      'Choromanski, Likhosherstov, Dohan, Song, Gane, Sarlos, Hawkins, Davis, Mohiuddin, Kaiser, Belanger, Colwell, Weller',
    title: 'Rethinking Attention with Performers',
    year: 2021,
    url: 'https://arxiv.org/abs/2009.14794',
    equations: 'eq. 5 to 7',
  },
  equation:
    'e^{q^\\top k} = \\mathbb{E}_w\\left[e^{w^\\top q - |q|^2/2}\\; e^{w^\\top k - |k|^2/2}\\right] \\approx \\phi(q)^\\top \\phi(k)',
  parent: 'linear',
  slots: { score: '\\phi(q)^\\top \\phi(k),\\; \\phi(x)_n = e^{w_n^\\top x - |x|^2/2} / \\sqrt{m}' },
  complexity: {
    letters: ['T', 'm', 'D', 'Dv'],
    sizes: { T: sizes.T, m: 256, D: sizes.D, Dv: sizes.Dv },
    pairs: () => 0,
    multiplyAdds: ({ T, m, D, Dv }) => 2 * T! * m! * (D! + Dv!) + T! * m!,
  },
  ranges: { 'options.features': { from: 1, to: 1024, step: 1 }, 'options.seed': { from: 0, to: 1000, step: 1 } },
  code: "linearAttention(fovea, q, k, v, { featureMap: 'favor+', features, seed })",
  defaults: {
    inputs,
    options: { features: 256, seed: 0 },
    seeded: true,
    labels,
    claim: {
      text: {
        en: 'Random features, products of which have the mean e^(q·k): with 256 of them, drawn with seed 0, no weight is farther than 0.03 from softmax’s. With 8 one is 0.11 off.',
        zh: '随机特征的乘积，平均起来恰好是 e^(q·k)：取 256 个特征（随机种子 0）时，每个权重与 softmax 相差不到 0.03；只取 8 个，就会差到 0.11。',
      },
      tolerance: 0.03,
      holds: (trace) => {
        const exact = stageOf(trace, 'exactWeights').data;
        return stageOf(trace, 'weights').data.every((weight, n) => Math.abs(weight - exact[n]!) <= 0.03);
      },
    },
    contrast: { options: { features: 8 } },
  },
  chineseLabels: { the: '那只', cat: '猫', saw: '看见', dog: '狗' },
  sampleOf,
  compute: (fovea: Fovea, { q, k, v }: QueriesKeysValues, _params: object, options: LinearOptions) => ({
    exactWeights: fovea.attention(q, k, v, { returnWeights: true }).weights,
    ...linearAttention(fovea, q, k, v, { featureMap: 'favor+', ...options, trace: true }),
  }),
  stages: { exactWeights: { formula: '\\operatorname{softmax}(Q K^\\top / \\sqrt{d})', axes: ['query', 'key'] } },
});
