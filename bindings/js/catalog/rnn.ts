import type { Fovea } from '../fovea/fovea.ts';
import { rnn as layers, type RecurrentParams, type RnnOptions } from '../ops/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { recurrentWork, statesStage } from './calls/recurrent_call.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf } from './entry/stage_values.ts';
import { normalForm } from './samples/words.ts';

const negations = ['not', 'no', 'never', '不', '没', '没有', '不是'];

function sampleOf(words: readonly string[]) {
  return {
    inputs: { x: words.map((word) => [Number(negations.includes(normalForm(word)))]) },
    labels: { x: [words, ['negation']] },
    sizes: { T: words.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['not', 'a', 'very', 'good', 'film']);
const states = [0.76, 0.36, 0.18, 0.09, 0.04];

export default option({
  id: 'rnn',
  family: 'alignment',
  title: { en: 'Recurrent network as encoder', zh: '循环神经网络编码器（RNN）' },
  aliases: ['RNN', 'Elman network', '循环神经网络', '简单循环网络'],
  notations: [
    {
      text: texts.notes,
      writes: {
        en: 'H_t = φ(X_t W_xh + H_{t−1} W_hh + b_h), output 0_t',
        zh: 'H_t = φ(X_t W_xh + H_{t−1} W_hh + b_h)，输出写作 0_t',
      },
      means: { en: 'W_ih = W_xhᵀ, W_hh = W_hhᵀ; 0_t is O_t', zh: 'W_ih = W_xhᵀ，W_hh = W_hhᵀ；0_t 应为 O_t' },
    },
    {
      text: texts.survey,
      writes: 'h_i = tanh(W [h_{i−1}, x_i])',
      means: { en: 'W = [W_hh, W_ih], side by side', zh: 'W = [W_hh, W_ih]，左右并排' },
    },
  ],
  paper: {
    authors: 'Elman',
    title: 'Finding Structure in Time',
    year: 1990,
    url: 'https://doi.org/10.1207/s15516709cog1402_1',
  },
  equation: 'h_t = \\tanh(W_{ih} x_t + b_{ih} + W_{hh} h_{t-1} + b_{hh})',
  parent: null,
  complexity: { ...recurrentWork(1), sizes: { ...sizes, I: 1, Hd: 1 } },
  code: 'rnn(fovea, x, { weight_ih_l0, weight_hh_l0 })',
  defaults: {
    inputs,
    params: { weight_ih_l0: [[1]], weight_hh_l0: [[0.5]] },
    labels,
    claim: {
      text: {
        en: 'The state hands the past on, and it fades: of “not” 0.76 is there at once, then 0.36, 0.18, 0.09, and four words later 0.04. Attention would look back at the word itself.',
        zh: '隐状态把过去传下去，但越传越淡：读到“不是”时是 0.76，之后 0.36、0.18、0.09，四个词后只剩 0.04。注意力则可以直接回看这个词。',
      },
      tolerance: 0.005,
      holds: (trace) => states.every((state, t) => isNear(stageOf(trace, 'output').data[t]!, state, 0.005)),
    },
    contrast: { params: { weight_ih_l0: [[1]], weight_hh_l0: [[0]] } },
  },
  chineseLabels: { not: '不是', a: '一部', very: '很', good: '好的', film: '电影' },
  sampleOf,
  compute: (fovea: Fovea, { x }: { x: ArrayInput }, params: RecurrentParams, options: RnnOptions) =>
    layers(fovea, x, params, options),
  stages: statesStage('h_t = \\tanh(W_{ih} x_t + W_{hh} h_{t-1})'),
});
