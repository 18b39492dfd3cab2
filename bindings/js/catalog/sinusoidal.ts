import type { ProjectionParams, SelfAttentionOptions } from '../attention/types/index.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { sinusoidalPositions } from '../position/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { attendWithPositions, cosines, findPrevious, poems, positionStage, shapeOf, sines } from './calls/positions.ts';
import { projectedWork } from './calls/projected_call.ts';
import { option } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';
import { texts, vaswani2017 } from './entry/papers.ts';
import { identityMatrix, sparseMatrix } from './samples/words.ts';

const D = 16;
/** Rotates the position of a token to that of the token before. */
const Wq = sparseMatrix(
  D,
  D,
  cosines.flatMap((cos, n) => [
    [2 * n, 2 * n, cos],
    [2 * n, 2 * n + 1, sines[n]!],
    [2 * n + 1, 2 * n, -sines[n]!],
    [2 * n + 1, 2 * n + 1, cos],
  ]),
);
const [Wk, Wv] = [identityMatrix(D), identityMatrix(D)];

function sampleOf(words: readonly string[]) {
  return {
    inputs: { x: words.map(() => new Array<number>(D).fill(0)) },
    params: { Wq, Wk, Wv },
    options: { scale: 10 },
    labels: { x: [words, null], Wq: [null, null], Wk: [null, null], Wv: [null, null] },
    claim: {
      text: {
        en: 'One step is one rotation, the same everywhere: a W_q that rotates back by one step makes every token but the first weigh the one before it at least 0.988. The embeddings are 0 here, so that positions alone speak.',
        zh: '走一步就是转一个固定的角度，处处相同：让 W_q 往回转一步，除首字外每个字给前一个字的权重都不低于 0.988。这里词嵌入全为 0，只让位置说话。',
      },
      tolerance: 0,
      holds: (trace) => findPrevious(trace, words.length, 0.988),
    },
    contrast: { params: { Wq: identityMatrix(D), Wk, Wv } },
    sizes: { T: words.length, E: D, H: 1, D, Dv: D, O: 0 },
  } satisfies EntryDefaults;
}
const sample = sampleOf(poems.en);

export default option({
  id: 'sinusoidal',
  family: 'selfAttention',
  title: { en: 'Sinusoidal positions', zh: '正弦位置编码' },
  aliases: ['positional encoding', 'sinusoidal positional encoding', '位置编码', '三角函数位置编码', '正余弦位置编码'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: 'a^i + e^i, a column of the figure is a position', zh: 'a^i + e^i，图中一列是一个位置' },
      means: { en: 'x_p + E_p, rows are positions', zh: 'x_p + E_p，每一行是一个位置' },
    },
    { text: texts.survey, writes: 'X = X_E + X_P', means: 'X = x + E' },
  ],
  paper: { ...vaswani2017, equations: '§3.5' },
  equation: 'E_{p,2i} = \\sin(p / 10000^{2i/D}),\\; E_{p,2i+1} = \\cos(p / 10000^{2i/D}),\\quad X = x + E',
  parent: 'self_attention',
  slots: { score: '(x_i + E_i)^\\top W_q W_k^\\top (x_j + E_j)' },
  complexity: { ...projectedWork, sizes: sample.sizes },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'fovea.selfAttention(add(fovea, x, sinusoidalPositions(fovea, { tokens: x.length, width: x[0].length })), { Wq, Wk, Wv }, { scale, returnWeights: true })',
  defaults: sample,
  chinese: sampleOf(poems.zh),
  sampleOf,
  compute: (fovea: Fovea, { x }: { x: ArrayInput }, params: ProjectionParams, options: SelfAttentionOptions) => {
    const [tokens, width] = shapeOf(fovea, x) as [number, number];
    return attendWithPositions(fovea, x, sinusoidalPositions(fovea, { tokens, width }), params, options);
  },
  stages: positionStage,
});
