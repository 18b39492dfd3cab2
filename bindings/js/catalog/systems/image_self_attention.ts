import { imageSelfAttention as compute } from '../../mechanisms/image_self_attention.ts';
import type { RunnableEntry } from '../entry.ts';
import { texts } from '../papers.ts';
import { isRowNear } from '../stage_values.ts';
import { identityMatrix } from '../words.ts';

/** Colors as red, green, blue. */
const colors = [
  ['red', [2, 0, 0]],
  ['dark red', [1, 0, 0]],
  ['white', [3, 3, 3]],
  ['blue', [0, 0, 2]],
  ['dark blue', [0, 0, 1]],
  ['black', [0, 0, 0]],
] as const;
const grid = <T>(of: (color: readonly number[]) => T): T[][] =>
  [0, 3].map((first) => colors.slice(first, first + 3).map(([, color]) => of(color)));
const raw = grid((color) => color.map((x) => x / 3));
/** A color without its brightness: minus the mean of its channels, then divided by its length. White and black become 0. */
const centered = grid((color) => {
  const mean = color.reduce((a, b) => a + b, 0) / 3;
  const length = Math.sqrt(color.reduce((sum, x) => sum + (x - mean) * (x - mean), 0));
  return color.map((x) => (length === 0 ? 0 : (x - mean) / length));
});
const [Wq, Wk, Wv] = [identityMatrix(3), identityMatrix(3), identityMatrix(3)];

export const imageSelfAttention: RunnableEntry = {
  id: 'image_self_attention',
  kind: 'system',
  family: 'beyondText',
  title: { en: 'Self-attention over an image', zh: '图像自注意力' },
  aliases: [
    'Non-local block',
    'SAGAN',
    'attention over pixels and patches',
    '图像块自注意力',
    '像素自注意力',
    '非局部神经网络',
  ],
  notations: [
    {
      text: texts.chapter,
      writes: '5×10×3 张量, 每个像素是一个三维向量',
      means: 'an image [height, width, C] is height · width tokens, row by row',
    },
    { text: 'Zhang et al. 2019 (SAGAN)', writes: 'y_i = γ o_i + x_i', means: 'gamma and residual: true' },
  ],
  paper: {
    authors: 'Wang, Girshick, Gupta, He',
    title: 'Non-local Neural Networks',
    year: 2018,
    url: 'https://arxiv.org/abs/1711.07971',
    equations: 'eq. 1, 3 and 6',
  },
  year: 2018,
  equation: 'X = \\operatorname{patches}(I)\\, E + P,\\quad O = \\operatorname{softmax}(X W_q (X W_k)^\\top)\\, X W_v W_o',
  parent: 'self_attention',
  slots: {},
  complexity: {
    letters: ['h', 'w', 's', 'D', 'dk', 'dv'],
    sizes: { h: 2, w: 3, s: 1, D: 3, dk: 3, dv: 3 },
    pairs: ({ h, w, s }) => ((h! * w!) / (s! * s!)) * ((h! * w!) / (s! * s!)),
    multiplyAdds: ({ h, w, s, D, dk, dv }) => {
      const N = (h! * w!) / (s! * s!);
      return N * D! * (2 * dk! + dv!) + N * N * (dk! + dv!);
    },
  },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'imageSelfAttention(fovea, { image }, { Wq, Wk, Wv }, { scale })',
  defaults: {
    inputs: { image: centered },
    params: { Wq, Wk, Wv },
    options: { scale: 10 },
    provenance: 'designed',
    seeded: false,
    labels: {
      image: [
        ['row 1', 'row 2'],
        ['column 1', 'column 2', 'column 3'],
        ['red', 'green', 'blue'],
      ],
    },
    claim: {
      text: {
        en: 'Every pixel sees the whole image at once: dark red weighs red and itself 0.50 each, wherever they are. Colors are centered and brought to length 1 first: in raw numbers brightness decides, and dark red would look at white.',
        zh: '每个像素一次看到整幅图：深红给红色和自己各 0.50，不管它们在哪里。颜色先减去均值、再归一化到长度 1；若直接用原始数值，起作用的是亮度，深红会去看白色。',
      },
      tolerance: 0.005,
      holds: (trace) => isRowNear(trace, 'weights', [0, 1], [0.5, 0.5, 0, 0, 0, 0], 0.005),
    },
    contrast: { inputs: { image: raw } },
  },
  compute,
};
