import { imageSelfAttention as compute } from '../mechanisms/image_self_attention.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

/** Colors as red, green, blue, in thirds, by their letters in the scene. */
const colors: Readonly<Record<string, readonly number[]>> = {
  s: [1, 2, 3],
  w: [3, 3, 3],
  y: [3, 3, 0],
  R: [2, 0, 0],
  r: [1, 0, 0],
  B: [0, 0, 2],
  b: [0, 0, 1],
  G: [0, 1, 0],
  g: [0, 2, 0],
};
/** A house, its right side in the shade, below a cloud and the sun; a tree on the grass. */
const scene = ['sssssssyys', 'swwwsssyys', 'sswwwsssss', 'ssssRrssss', 'sssRRrrsss', 'sssBBbbsGs', 'gggBBbbgGg', 'gggggggggg'];
const [height, width] = [scene.length, scene[0]!.length];
const grid = <T>(of: (color: readonly number[]) => T): T[][] =>
  scene.map((row) => [...row].map((letter) => of(colors[letter]!)));
/** The right half of the roof, in the shade: dark red. */
const SHADED = 3 * width + 5;
const isRoof = [...scene.join('')].map((letter) => letter.toLowerCase() === 'r');
const raw = grid((color) => color.map((x) => x / 3));
/** A color without its brightness: minus the mean of its channels, then divided by its length. White becomes 0. */
const centered = grid((color) => {
  const mean = color.reduce((a, b) => a + b, 0) / 3;
  const length = Math.sqrt(color.reduce((sum, x) => sum + (x - mean) * (x - mean), 0));
  return color.map((x) => (length === 0 ? 0 : (x - mean) / length));
});
const [Wq, Wk, Wv] = [identityMatrix(3), identityMatrix(3), identityMatrix(3)];

export default system({
  id: 'image_self_attention',
  family: 'beyondText',
  title: { en: 'Self-attention over an image', zh: '图像自注意力' },
  aliases: [
    'Vision Transformer',
    'ViT',
    '视觉 Transformer',
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
      writes: { en: 'a 5×10×3 tensor, each pixel a vector of three numbers', zh: '5×10×3 张量, 每个像素是一个三维向量' },
      means: {
        en: 'an image [height, width, C] is height · width tokens, row by row',
        zh: '图像 [height, width, C] 是 height · width 个词元，逐行排列',
      },
    },
    {
      text: 'Zhang et al. 2019 (SAGAN)',
      writes: 'y_i = γ o_i + x_i',
      means: { en: 'gamma and residual: true', zh: 'gamma 与 residual: true' },
    },
  ],
  paper: {
    authors: 'Wang, Girshick, Gupta, He',
    title: 'Non-local Neural Networks',
    year: 2018,
    url: 'https://arxiv.org/abs/1711.07971',
    equations: 'eq. 1, 3 and 6',
  },
  equation: 'X = \\operatorname{patches}(I)\\, E + P,\\quad O = \\operatorname{softmax}(X W_q (X W_k)^\\top)\\, X W_v W_o',
  parent: 'self_attention',
  complexity: {
    letters: ['h', 'w', 's', 'D', 'dk', 'dv'],
    sizes: { h: height, w: width, s: 1, D: 3, dk: 3, dv: 3 },
    pairs: ({ h, w, s }) => ((h! * w!) / (s! * s!)) * ((h! * w!) / (s! * s!)),
    multiplyAdds: ({ h, w, s, D, dk, dv }) => {
      const N = (h! * w!) / (s! * s!);
      return N * D! * (2 * dk! + dv!) + N * N * (dk! + dv!);
    },
  },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  defaults: {
    inputs: { image: centered },
    params: { Wq, Wk, Wv },
    options: { scale: 10 },
    labels: {
      image: [
        scene.map((_, row) => `row ${row + 1}`),
        [...scene[0]!].map((_, column) => `column ${column + 1}`),
        ['red', 'green', 'blue'],
      ],
    },
    claim: {
      text: {
        en: 'Every patch sees the whole image at once: the dark red side of the roof gives each of the roof’s six patches 0.17, lit or in the shade. Colors are centered and brought to length 1 first: in raw numbers brightness decides, and dark red would look at white.',
        zh: '每个图像块一次看到整幅图：屋顶背光的深红色给屋顶六块各 0.17，不管受光还是背光。颜色先减去均值、再归一化到长度 1；若直接用原始数值，起作用的是亮度，深红会去看白色。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        rowAt(trace, 'weights', [0, SHADED]).every((weight, n) => isNear(weight, isRoof[n] ? 0.1667 : 0, 0.005)),
    },
    contrast: { inputs: { image: raw } },
  },
  compute,
});
