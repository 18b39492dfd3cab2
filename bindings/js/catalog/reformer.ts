import { reformer as compute } from '../mechanisms/reformer.ts';
import { system } from './entry/define.ts';
import { stageOf, valueAt } from './entry/stage_values.ts';

/** Pairs of directions 10° apart, 80° from the next pair; of length 3. */
const tokens = ['0°', '10°', '90°', '100°', '180°', '190°', '270°', '280°'];
const x = [
  [3, 0], [2.954, 0.521], [0, 3], [-0.521, 2.954], [-3, 0], [-2.954, -0.521], [0, -3], [0.521, -2.954],
]; // prettier-ignore
const lsh = { buckets: 4, rounds: 2, seed: 6 };

export default system({
  id: 'reformer',
  family: 'sparse',
  title: { en: 'Reformer: attention within hash buckets', zh: '局部敏感哈希注意力（Reformer）' },
  aliases: ['LSH attention', 'locality-sensitive hashing attention', 'shared-QK attention', '局部敏感哈希注意力', 'LSH 注意力'],
  notations: [
    {
      text: 'Kitaev et al. 2020',
      writes: 'o_i = Σ_{j ∈ P_i} exp(q_i·k_j - z(i, P_i)) v_j',
      means: {
        en: 'weights·v: z is lse, P_i the tokens of the same bucket',
        zh: 'weights·v：z 即 lse，P_i 是同一个桶里的词元',
      },
    },
  ],
  paper: {
    authors: 'Kitaev, Kaiser, Levskaya',
    title: 'Reformer: The Efficient Transformer',
    year: 2020,
    url: 'https://arxiv.org/abs/2001.04451',
    equations: 'section 2, appendix A',
  },
  equation:
    '\\operatorname{softmax}_{j:\\, \\exists r\\, b_r(q_j) = b_r(q_i)}(q_i \\cdot q_j / \\lVert q_j \\rVert)\\, V,\\quad b_r(q) = \\operatorname{argmax}[q R_r; -q R_r]',
  parent: 'dot',
  slots: { score: 'q_i^\\top q_j / \\lVert q_j \\rVert', mask: '\\exists r:\\ b_r(q_i) = b_r(q_j)' },
  complexity: {
    letters: ['T', 'D', 'R', 'b'],
    sizes: { T: tokens.length, D: 2, R: lsh.rounds, b: lsh.buckets },
    // Buckets of equal sizes.
    pairs: ({ T, R, b }) => R! * T! * Math.ceil(T! / b!),
    multiplyAdds: ({ T, D, R, b }) => 2 * R! * T! * Math.ceil(T! / b!) * D! + R! * T! * D! * Math.ceil(b! / 2),
  },
  defaults: {
    inputs: { x },
    options: { lsh },
    seeded: true,
    labels: { x: [tokens, ['x', 'y']] },
    claim: {
      text: {
        en: 'Random by definition: each round draws its own hash. After 2 rounds every token attends to its twin, 10° away, with 0.87 or more, though only 16 of the 56 pairs of two tokens share a bucket; after one round some twins are missed.',
        zh: '按定义是随机的：每一轮的哈希都另外抽取。两轮之后，每个词元都以 0.87 以上的权重看到相差 10° 的同伴，而两两共 56 对里只有 16 对落在同一个桶；只用一轮，就有同伴被漏掉。',
      },
      tolerance: 0,
      holds: (trace) =>
        tokens.every((_, i) => valueAt(trace, 'weights', [0, i, i % 2 === 0 ? i + 1 : i - 1]) >= 0.87) &&
        stageOf(trace, 'weights').data.filter((weight) => weight > 0).length === 16,
    },
    contrast: { options: { lsh: { ...lsh, rounds: 1 } } },
  },
  compute,
});
