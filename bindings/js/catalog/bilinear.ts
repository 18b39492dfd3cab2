import { score } from '../score/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { attentionWith } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const countries = ['France', 'Japan', 'China'];
const capitals = ['Tokyo', 'Beijing', 'Paris'];
const { vectors, axes, axis } = readableWords([...countries, ...capitals]);
const pairs = [
  ['France', 'Paris'],
  ['Japan', 'Tokyo'],
  ['China', 'Beijing'],
] as const;
const W = sparseMatrix(
  axes.length,
  axes.length,
  pairs.map(([country, capital]) => [axis[country]!, axis[capital]!, 6]),
);

export default option({
  id: 'bilinear',
  family: 'basics',
  title: { en: 'Bilinear attention (general)', zh: '双线性注意力' },
  aliases: ['general score', 'Luong attention', '双线性', '双线性模型', '双线性打分函数'],
  notations: [
    { text: texts.survey, writes: 'x_i^⊤ W q', means: { en: 'q^⊤ W k with W transposed', zh: 'q^⊤ W k，其中 W 转置' } },
  ],
  paper: { ...luong2015, equations: '§3.1, general' },
  equation: '\\operatorname{softmax}(Q W K^\\top)\\, V',
  parent: 'dot',
  slots: { score: 'q^\\top W k' },
  complexity: {
    letters: ['Tq', 'Tk', 'Dq', 'Dk', 'Dv'],
    sizes: { Tq: 3, Tk: 3, Dq: 6, Dk: 6, Dv: 6 },
    pairs: ({ Tq, Tk }) => Tq! * Tk!,
    multiplyAdds: ({ Tq, Tk, Dq, Dk, Dv }) => Tq! * Dq! * Dk! + Tq! * Tk! * (Dk! + Dv!),
  },
  code: 'fovea.attention(q, k, v, { score: score.bilinear(W), returnWeights: true })',
  defaults: {
    inputs: { q: vectors.slice(0, 3), k: vectors.slice(3), v: vectors.slice(3) },
    params: { W },
    labels: { q: [countries, axes], k: [capitals, axes], v: [capitals, axes], W: [axes, axes] },
    claim: {
      text: {
        en: 'W says which country goes with which capital: “France” weighs “Paris” 0.995, though the two words have no axis in common. With W = I it is the dot product, all scores are 0, and every weight is 1/3.',
        zh: 'W 记住了国家与首都的对应：“法国”给“巴黎”的权重是 0.995，尽管两个词没有任何共同的轴。W = I 时就是点积：分数全为 0，权重都是 1/3。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        [2, 0, 1].every((capital, country) => isNear(valueAt(trace, 'weights', [country, capital]), 0.995, 0.0005)),
    },
    contrast: { params: { W: identityMatrix(axes.length) } },
  },
  chineseLabels: { France: '法国', Japan: '日本', China: '中国', Tokyo: '东京', Beijing: '北京', Paris: '巴黎' },
  compute: attentionWith(({ W }: { W: ArrayInput }) => ({ score: score.bilinear(W) })),
});
