import type { Fovea } from '../fovea/fovea.ts';
import { lstm as layers, type RecurrentOptions, type RecurrentParams } from '../ops/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { recurrentWork, statesStage } from './calls/recurrent_call.ts';
import { lstmGates, lstmStages } from './calls/recurrent_gates.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf } from './entry/stage_values.ts';
import { normalForm } from './samples/words.ts';

const gates = ['input', 'forget', 'cell', 'output'];
const kinds = ['opens', 'closes'];

function sampleOf(signs: readonly string[]) {
  const forms = signs.map(normalForm);
  return {
    inputs: { x: forms.map((sign) => [Number(sign === '('), Number(sign === ')')]) },
    labels: { x: [signs, kinds], weight_ih_l0: [gates, kinds], weight_hh_l0: [gates, null], bias_ih_l0: [gates] },
    sizes: { T: signs.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['(', 'a', '(', 'b', ')', ')']);
const weight_ih_l0 = [
  [0, 0],
  [0, 0],
  [8, -8],
  [0, 0],
];
const weight_hh_l0 = [[0], [0], [0], [0]];
/** tanh of the depths 1 1 2 2 1 0. */
const states = [0.76, 0.76, 0.96, 0.96, 0.76, 0];

export default option({
  id: 'lstm',
  family: 'alignment',
  title: { en: 'Long short-term memory as encoder', zh: '长短期记忆网络编码器（LSTM）' },
  aliases: ['LSTM', '长短期记忆', '长短期记忆网络'],
  notations: [
    {
      text: texts.survey,
      writes: {
        en: 'f_t, i_t, C̃_t and h_t = o_t * tanh(C_t), but no lines for o_t and C_t',
        zh: '只写 f_t、i_t、C̃_t 与 h_t = o_t * tanh(C_t)，没有 o_t 与 C_t 的式子',
      },
      means: 'o_t = σ(W_o [h_{t−1}, x_t] + b_o), C_t = f_t * C_{t−1} + i_t * C̃_t',
    },
  ],
  paper: {
    authors: 'Hochreiter, Schmidhuber',
    title: 'Long Short-Term Memory',
    year: 1997,
    url: 'https://doi.org/10.1162/neco.1997.9.8.1735',
  },
  equation:
    'i_t, f_t, o_t = \\sigma(W x_t + U h_{t-1} + b),\\; g_t = \\tanh(W_g x_t + U_g h_{t-1} + b_g),\\quad c_t = f_t \\odot c_{t-1} + i_t \\odot g_t,\\; h_t = o_t \\odot \\tanh(c_t)',
  parent: 'rnn',
  complexity: { ...recurrentWork(4), sizes: { ...sizes, I: 2, Hd: 1 } },
  code: 'lstm(fovea, x, { weight_ih_l0, weight_hh_l0, bias_ih_l0 })',
  defaults: {
    inputs,
    params: { weight_ih_l0, weight_hh_l0, bias_ih_l0: [12, 12, 0, 12] },
    labels,
    claim: {
      text: {
        en: 'With the forget gate open, the cell adds up without fading and counts open brackets: h = tanh(depth) is 0.76 at depth 1, 0.96 at depth 2, and 0.00 when all are closed. With the gate closed it forgets at once.',
        zh: '遗忘门打开时，细胞状态只累加、不衰减，可以数括号的层数：h = tanh(层数)，一层 0.76，两层 0.96，全部闭合时 0.00。遗忘门一关，马上就忘。',
      },
      tolerance: 0.005,
      holds: (trace) => states.every((state, t) => isNear(stageOf(trace, 'output').data[t]!, state, 0.005)),
    },
    contrast: { params: { weight_ih_l0, weight_hh_l0, bias_ih_l0: [12, -12, 0, 12] } },
  },
  sampleOf,
  compute: (fovea: Fovea, { x }: { x: ArrayInput }, params: RecurrentParams, options: RecurrentOptions) => {
    const results = layers(fovea, x, params, options);
    return { ...results, ...lstmGates(fovea, x, params, options, results.output) };
  },
  stages: { ...lstmStages, ...statesStage('h_t = o_t \\odot \\tanh(c_t)') },
});
