import type { MultiHeadOptions, ProjectionParams } from '../attention/types/index.ts';
import { ownProperty } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { matmul } from '../ops/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

function sampleOf(words: readonly string[]) {
  const { vectors, axes, distinct } = readableWords(words, [], true);
  const [W, T] = [distinct.length, words.length];
  const ofWords = distinct.map((_, n) => n);
  /** The first stage asks for the same word and for the place before. */
  const asks = sparseMatrix(W + T, W + T, [
    ...ofWords.map((n) => [n, n, 8] as const),
    ...Array.from({ length: T - 1 }, (_, n) => [W + n + 1, W + n, 8] as const),
  ]);
  const first = {
    Wq: asks,
    Wk: identityMatrix(W + T),
    Wv: sparseMatrix(
      W + T,
      W,
      ofWords.map((n) => [n, n, 1]),
    ),
  };
  /** The second stage gives a head its part: words, or places. */
  const partOf = (...heads: ('words' | 'places')[]) =>
    sparseMatrix(
      W + T,
      heads.length * T,
      heads.flatMap((part, h) =>
        Array.from({ length: part === 'words' ? W : T }, (_, n) => [(part === 'words' ? 0 : W) + n, h * T + n, 1] as const),
      ),
    );
  const joined = {
    Wv: sparseMatrix(
      W,
      2 * W,
      [0, 1].flatMap((h) => ofWords.map((n) => [n, h * W + n, 1] as const)),
    ),
    Wo: sparseMatrix(
      2 * W,
      W,
      [0, 1].flatMap((h) => ofWords.map((n) => [h * W + n, n, 0.5] as const)),
    ),
  };
  const secondOf = (part: number[][]) => ({ Wq: part, Wk: part, ...joined });
  return {
    inputs: { X: vectors },
    params: { first, second: secondOf(partOf('words', 'places')) },
    labels: { X: [words, axes] },
    contrast: { params: { first, second: secondOf(partOf('words', 'words')) } },
    sizes: { T, E: W + T, M: W + T, Mv: W, H: 2, D: T, Dv: W, O: W },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['I', 'saw', 'a', 'saw']);

export default option({
  id: 'two_stage_heads',
  family: 'selfAttention',
  title: { en: 'Heads projected in two stages', zh: '两级投影的多头自注意力' },
  aliases: ['two-stage head projection', '两阶段投影', '先投影再分头'],
  notations: [
    {
      text: texts.chapter,
      writes: 'q^i = W^q a^i, q^{i,1} = W^{q,1} q^i, q^{i,2} = W^{q,2} q^i',
      means: {
        en: 'x W_q W_{q,h}: the product of both matrices is the matrix of head h in multi-head attention',
        zh: 'x W_q W_{q,h}：两个矩阵之积就是多头注意力中头 h 的矩阵',
      },
    },
  ],
  paper: null,
  year: 2017,
  equation:
    'Q_h = (X W_q)\\, W_{q,h},\\; K_h = (X W_k)\\, W_{k,h},\\; V_h = (X W_v)\\, W_{v,h},\\quad O = [\\ldots; \\operatorname{softmax}(Q_h K_h^\\top)\\, V_h; \\ldots]\\, W_o',
  parent: 'multi_head',
  slots: { score: '(W_{q,h}^\\top W_q^\\top x_i)^\\top (W_{k,h}^\\top W_k^\\top x_j)', value: 'W_{v,h}^\\top W_v^\\top x_j' },
  complexity: {
    letters: ['T', 'E', 'M', 'Mv', 'H', 'D', 'Dv', 'O'],
    sizes,
    pairs: ({ T, H }) => H! * T! * T!,
    multiplyAdds: ({ T, E, M, Mv, H, D, Dv, O }) =>
      T! * (E! * (2 * M! + Mv!) + H! * (2 * M! * D! + Mv! * Dv!)) + H! * T! * T! * (D! + Dv!) + T! * H! * Dv! * O!,
  },
  ranges: { 'options.scale': { from: 0, to: 2, step: 0.1 } },
  code: 'fovea.multiHeadAttention(matmul(fovea, X, first.Wq), matmul(fovea, X, first.Wk), matmul(fovea, X, first.Wv), second, { heads, scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { heads: 2, scale: 1 },
    claim: {
      text: {
        en: 'One query per word asks for the same word and for the word before. The second stage gives each head one of the two: head 1 weighs both “saw” 0.50, head 2 the word before 1.00.',
        zh: '第一级让每个词的查询同时问“同一个词”和“前一个词”，第二级把两个问题分给两个头：头 1 给两个“画”各 0.50，头 2 给前一个词 1.00。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        [1, 3].every((saw) => isNear(valueAt(trace, 'weights', [0, 1, saw]), 0.5, 0.005)) &&
        [1, 2, 3].every((i) => isNear(valueAt(trace, 'weights', [1, i, i - 1]), 1, 0.005)),
    },
  },
  chineseLabels: { I: '我', saw: '画', a: '一张' },
  sampleOf,
  compute: (
    fovea: Fovea,
    { X }: { X: ArrayInput },
    params: { first: Record<'Wq' | 'Wk' | 'Wv', ArrayInput>; second: ProjectionParams },
    options: MultiHeadOptions,
  ) => {
    const project = (name: string) => matmul(fovea, X, ownProperty(params.first, name) as ArrayInput);
    const [q, k, v] = [project('Wq'), project('Wk'), project('Wv')];
    return fovea.multiHeadAttention(q, k, v, params.second, { returnWeights: true, ...options });
  },
});
