import type { AttentionOptions } from '../attention/types/index.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add } from '../ops/index.ts';
import { recurrentPositions as positionsOf, type RecurrentParams } from '../position/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { positionStage, shapeOf } from './calls/positions.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const states = ['state 1', 'state 2', 'state 3'];
const first = [0, 0, 1];

/** Nothing but positions: the words have no vectors of their own. */
function sampleOf(words: readonly string[]) {
  return {
    inputs: { x: words.map(() => [0, 0, 0]) },
    labels: { x: [words, states], first: [states] },
    sizes: { T: words.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['oom', 'pah', 'pah', 'oom', 'pah', 'pah', 'oom']);

export default option({
  id: 'recurrent_positions',
  family: 'selfAttention',
  title: { en: 'Positions from a recurrent network', zh: '循环神经网络生成的位置编码' },
  aliases: ['recurrent positional encoding', 'RNN 位置编码', '用循环神经网络生成位置编码'],
  notations: [
    {
      text: texts.chapter,
      writes: {
        en: 'positions can also be made by a recurrent network (fig. 6.34b)',
        zh: '位置编码还可以使用循环神经网络生成（图 6.34b）',
      },
      means: { en: 'p_t is the hidden state after t + 1 steps without input', zh: 'p_t 是没有输入时走 t + 1 步之后的隐状态' },
    },
  ],
  paper: {
    authors: 'Liu, Yu, Dhillon, Hsieh',
    title: 'Learning to Encode Position for Transformer with Continuous Dynamical Model',
    year: 2020,
    url: 'https://arxiv.org/abs/2003.09229',
    equations: '§3.1, in discrete steps',
  },
  equation: 'p_t = \\operatorname{relu}(W p_{t-1}),\\quad X_t = x_t + p_t',
  parent: 'learned_positions',
  slots: { score: '(x_i + p_i)^\\top (x_j + p_j)' },
  complexity: {
    letters: ['T', 'P'],
    sizes: { ...sizes, P: 3 },
    pairs: ({ T }) => T! * T!,
    multiplyAdds: ({ T, P }) => T! * P! * P! + 2 * T! * T! * P!,
  },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: "((X) => fovea.attention(X, X, X, { scale, returnWeights: true }))(add(fovea, x, recurrentPositions(fovea, { tokens: x.length, params: cell, nonlinearity: 'relu', initialState: { hidden: first } })))",
  defaults: {
    inputs,
    params: { cell: { weight_hh_l0: [[0, 0, 1], [1, 0, 0], [0, 1, 0]] }, first }, // prettier-ignore
    options: { scale: 10 },
    labels,
    claim: {
      text: {
        en: 'A ring of three states counts a waltz: nine weights make positions for any number of beats, and beat 1 finds beats 1, 4 and 7, 0.33 each. A cell that stands still would make all seven equal.',
        zh: '三个状态连成一个环，数出三拍子：九个权重就能给任意多拍编上位置，第 1 拍找到第 1、4、7 拍，各 0.33。若状态不动，七拍就全都一样。',
      },
      tolerance: 0.005,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.33, 0, 0, 0.33, 0, 0, 0.33], 0.005),
    },
    contrast: { params: { cell: { weight_hh_l0: identityMatrix(3) }, first } },
  },
  chineseLabels: { oom: '嘭', pah: '嚓' },
  sampleOf,
  compute: (
    fovea: Fovea,
    { x }: { x: ArrayInput },
    { cell, first }: { cell: RecurrentParams; first: ArrayInput },
    options: AttentionOptions,
  ) => {
    const tokens = shapeOf(fovea, x)[0]!;
    const positions = positionsOf(fovea, { tokens, params: cell, nonlinearity: 'relu', initialState: { hidden: first } });
    const X = add(fovea, x, positions);
    return { positions, ...fovea.attention(X, X, X, { returnWeights: true, ...options, trace: true }) };
  },
  stages: positionStage,
});
