import type { ProjectionParams, SelfAttentionOptions } from '../attention/types/index.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { learnedPositions as rowsOf } from '../position/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { attendWithPositions, positionStage, shapeOf } from './calls/positions.ts';
import { projectedWork } from './calls/projected_call.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

function sampleOf(words: readonly string[]) {
  const { axes, distinct } = readableWords(words, [], true);
  const [W, T] = [distinct.length, words.length];
  const [wordAxes, placeAxes] = [axes.slice(0, W), axes.slice(W)];
  /** Only the axes of words; those of places are left to the table. */
  const x = readableWords(words).vectors.map((vector) => [...vector, ...words.map(() => 0)]);
  const table = sparseMatrix(
    T,
    W + T,
    words.map((_, place) => [place, W + place, 1] as const),
  );
  const Wq = sparseMatrix(
    W + T,
    T,
    words.slice(1).map((_, place) => [W + place + 1, place, 8] as const),
  );
  const Wk = sparseMatrix(
    W + T,
    T,
    words.map((_, place) => [W + place, place, 1] as const),
  );
  const Wv = sparseMatrix(
    W + T,
    W,
    wordAxes.map((_, n) => [n, n, 1] as const),
  );
  return {
    inputs: { x },
    params: { table, Wq, Wk, Wv },
    labels: { x: [words, axes], table: [placeAxes, axes], Wq: [axes, placeAxes], Wk: [axes, placeAxes], Wv: [axes, wordAxes] },
    contrast: { params: { table: sparseMatrix(T, W + T, []), Wq, Wk, Wv } },
    sizes: { T, E: W + T, D: T, Dv: W },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['I', 'saw', 'a', 'saw']);

export default option({
  id: 'learned_positions',
  family: 'selfAttention',
  title: { en: 'Learned positions', zh: '可学习的位置编码' },
  aliases: ['position embeddings', 'absolute position embedding', '学习到的位置编码', '位置嵌入'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: 'a position vector e^i, which can be learned from data', zh: '位置向量 e^i, 可以根据数据学出来' },
      means: { en: 'row i of a table that is learned with the other weights', zh: '一张表的第 i 行，与其他权重一起学习' },
    },
  ],
  paper: {
    authors: 'Gehring, Auli, Grangier, Yarats, Dauphin',
    title: 'Convolutional Sequence to Sequence Learning',
    year: 2017,
    url: 'https://arxiv.org/abs/1705.03122',
    equations: '§3.1',
  },
  equation: 'X_p = x_p + E_p,\\quad E \\in \\mathbb{R}^{\\text{rows} \\times D}',
  parent: 'sinusoidal',
  slots: { score: '(x_i + E_i)^\\top W_q W_k^\\top (x_j + E_j)' },
  complexity: { ...projectedWork, sizes: { T: sizes.T, E: sizes.E, H: 1, D: sizes.D, Dv: sizes.Dv, O: 0 } },
  ranges: { 'options.scale': { from: 0, to: 2, step: 0.1 } },
  code: 'fovea.selfAttention(add(fovea, x, learnedPositions(fovea, table, { tokens: x.length })), { Wq, Wk, Wv }, { scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { scale: 1 },
    claim: {
      text: {
        en: 'The table tells two equal words apart: the first “saw” weighs “I” before it 1.00, the second weighs “a” 1.00. Without it their outputs are exactly equal; and it has no row for a fifth word.',
        zh: '位置表把两个相同的词区分开：第一个“画”给它前面的“我” 1.00，第二个“画”给“一张” 1.00。没有位置表时两者的输出完全相同；而表只有四行，第五个词就没有位置了。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        (
          [
            [1, 0],
            [3, 2],
          ] as const
        ).every(([saw, before]) => isNear(valueAt(trace, 'weights', [saw, before]), 1, 0.005)),
    },
  },
  chineseLabels: { I: '我', saw: '画', a: '一张' },
  sampleOf,
  compute: (
    fovea: Fovea,
    { x }: { x: ArrayInput },
    params: ProjectionParams & { table: ArrayInput },
    options: SelfAttentionOptions,
  ) => {
    const positions = rowsOf(fovea, params.table, { tokens: shapeOf(fovea, x)[0] });
    return attendWithPositions(fovea, x, positions as NDArray, params, options);
  },
  stages: positionStage,
});
