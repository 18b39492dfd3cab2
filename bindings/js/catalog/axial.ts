import { ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { pattern } from '../pattern/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf, valueAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const [height, width] = [3, 4];
const pixels = Array.from({ length: height * width }, (_, n) => `row ${Math.floor(n / width) + 1}, column ${(n % width) + 1}`);
const inChinese = Object.fromEntries(
  pixels.map((pixel, n) => [pixel, `第 ${Math.floor(n / width) + 1} 行第 ${(n % width) + 1} 列`]),
);

interface AxialPasses {
  readonly shape: readonly number[];
  readonly passes: readonly [number, number];
  readonly scale: number;
}

export default option({
  id: 'axial',
  family: 'sparse',
  title: { en: 'Axial attention', zh: '轴向注意力' },
  aliases: ['row and column attention', '轴向自注意力', '軸向注意力'],
  notations: [
    {
      text: texts.steps,
      writes: { en: 'attention along one axis of data with several', zh: '在多維數據中沿特定軸計算注意力' },
      means: { en: 'one call for each axis, one after the other', zh: '每条轴各调用一次，一次接一次' },
    },
  ],
  paper: {
    authors: 'Ho, Kalchbrenner, Weissenborn, Salimans',
    title: 'Axial Attention in Multidimensional Transformers',
    year: 2019,
    url: 'https://arxiv.org/abs/1912.12180',
    equations: '§3',
  },
  equation:
    'Y = \\operatorname{softmax}_{\\text{row}(i)}(X X^\\top)\\, X,\\quad O = \\operatorname{softmax}_{\\text{column}(i)}(Y Y^\\top)\\, Y',
  parent: 'self_attention',
  slots: { mask: 'i, j \\text{ on one line of the grid}' },
  complexity: {
    letters: ['h', 'w', 'D'],
    sizes: { h: height, w: width, D: pixels.length },
    pairs: ({ h, w }) => h! * w! * (h! + w!),
    multiplyAdds: ({ h, w, D }) => 2 * h! * w! * (h! + w!) * D!,
  },
  ranges: { 'options.scale': { from: 0, to: 4, step: 0.5 } },
  code: '({ output: passes.reduce((X, axis) => fovea.attention(X, X, X, { pattern: pattern.axial({ shape, axis }), scale }).output, x) })',
  defaults: {
    inputs: { x: identityMatrix(pixels.length) },
    options: { shape: [height, width], passes: [1, 0], scale: 0 },
    labels: { x: [pixels, pixels] },
    claim: {
      text: {
        en: 'The first pass looks along the row, 4 keys at 0.250; the second along the column, 3 keys at 0.333. After both, every pixel holds all 12, 0.083 of each: 84 pairs in place of 144.',
        zh: '第一遍沿行（row）看，4 个键各 0.250；第二遍沿列（column）看，3 个键各 0.333。两遍之后，每个像素都汇集了全部 12 个像素，各 0.083：只用 84 对，而不是 144 对。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        isNear(valueAt(trace, 'firstWeights', [5, 4]), 0.25, 0.0005) &&
        isNear(valueAt(trace, 'secondWeights', [5, 1]), 0.333, 0.0005) &&
        stageOf(trace, 'output').data.every((share) => isNear(share, 0.083, 0.0005)),
    },
    contrast: { options: { passes: [1, 1] } },
  },
  chineseLabels: inChinese,
  compute: (fovea: Fovea, { x }: { x: ArrayInput }, _params: object, { shape, passes, scale }: AxialPasses) => {
    const along = (X: ArrayInput, pass: '0' | '1') => {
      const axis = ownProperty(passes, pass) as number;
      return fovea.attention(X, X, X, { pattern: pattern.axial({ shape, axis }), scale, returnWeights: 'dense' });
    };
    const first = along(x, '0');
    const { output, weights } = along(first.output, '1');
    return { firstWeights: first.weights, afterFirst: first.output, secondWeights: weights, output };
  },
  stages: {
    firstWeights: { formula: 'A = \\operatorname{softmax}_{\\text{row}}(X X^\\top)', axes: ['query', 'key'] },
    afterFirst: { formula: 'Y = A X', axes: ['token', 'feature'] },
    secondWeights: { formula: 'B = \\operatorname{softmax}_{\\text{column}}(Y Y^\\top)', axes: ['query', 'key'] },
    output: { formula: 'O = B Y', axes: ['token', 'feature'] },
  },
});
