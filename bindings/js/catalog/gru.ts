import type { Fovea } from '../fovea/fovea.ts';
import { gru as layers, type GruOptions, type RecurrentParams } from '../ops/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { recurrentWork, statesStage } from './calls/recurrent_call.ts';
import { gruGates, gruStages } from './calls/recurrent_gates.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf } from './entry/stage_values.ts';
import { normalForm } from './samples/words.ts';

/** 1 writes on, -1 off; 0 for all words that write nothing. */
const written: Readonly<Record<string, number>> = { on: 1, off: -1, 开: 1, 关: -1 };
const gates = ['reset', 'update', 'new'];

function sampleOf(words: readonly string[]) {
  const numbers = words.map((word) => (Object.hasOwn(written, normalForm(word)) ? written[normalForm(word)]! : 0));
  return {
    /** A number for each word, and whether it is to be written. */
    inputs: { x: numbers.map((number) => (number === 0 ? [0.5, 0] : [number, 1])) },
    labels: {
      x: [words, ['number', 'write']],
      weight_ih_l0: [gates, ['number', 'write']],
      weight_hh_l0: [gates, null],
      bias_ih_l0: [gates],
    },
    sizes: { T: words.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['on', 'and', 'then', 'off']);
const weight_hh_l0 = [[0], [0], [0]];
const states = [0.76, 0.76, 0.76, -0.76];

export default option({
  id: 'gru',
  family: 'alignment',
  title: { en: 'Gated recurrent unit as encoder', zh: '门控循环单元编码器（GRU）' },
  aliases: ['GRU', '门控循环单元'],
  notations: [
    {
      text: texts.survey,
      writes: 'h_t = (1 − z_t) h_{t−1} + z_t h̃_t',
      means: {
        en: 'h_t = (1 − z_t) n_t + z_t h_{t−1}: z of the other sign, so the weights of z are negated',
        zh: 'h_t = (1 − z_t) n_t + z_t h_{t−1}：z 的约定相反，所以 z 的权重取相反数',
      },
    },
    {
      text: texts.survey,
      writes: { en: 'r_t is the forget gate', zh: 'r_t 是遗忘门' },
      means: { en: 'r_t is the reset gate', zh: 'r_t 是重置门' },
    },
    {
      text: texts.survey,
      writes: {
        en: 'tanh(W [r_t * h_{t−1}, x_t]) in one place, r_t ⊙ (U_h h_{t−1}) in another',
        zh: '一处写 tanh(W [r_t * h_{t−1}, x_t])，另一处写 r_t ⊙ (U_h h_{t−1})',
      },
      means: {
        en: 'resetAfter: false, and resetAfter: true (PyTorch’s)',
        zh: '前者为 resetAfter: false，后者为 resetAfter: true（与 PyTorch 一致）',
      },
    },
  ],
  paper: {
    authors: 'Cho, van Merriënboer, Gulcehre, Bahdanau, Bougares, Schwenk, Bengio',
    title: 'Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation',
    year: 2014,
    url: 'https://arxiv.org/abs/1406.1078',
    equations: 'eq. 5 to 8',
  },
  equation:
    'r_t, z_t = \\sigma(W x_t + U h_{t-1} + b),\\; n_t = \\tanh(W_n x_t + r_t \\odot U_n h_{t-1}),\\quad h_t = (1 - z_t) \\odot n_t + z_t \\odot h_{t-1}',
  parent: 'rnn',
  complexity: { ...recurrentWork(3), sizes: { ...sizes, I: 2, Hd: 1 } },
  code: 'gru(fovea, x, { weight_ih_l0, weight_hh_l0, bias_ih_l0 }, { resetAfter })',
  defaults: {
    inputs,
    params: { weight_ih_l0: [[0, 0], [0, -24], [1, 0]], weight_hh_l0, bias_ih_l0: [12, 12, 0] }, // prettier-ignore
    options: { resetAfter: true },
    labels,
    claim: {
      text: {
        en: 'The update gate holds the state: after “on” it stays 0.76 through “and”, “then”, and only “off” writes −0.76. With the gate half open every word would wear it down.',
        zh: '更新门守住状态：“开”写入 0.76 之后，经过“接着”“再”仍是 0.76，直到“关”才改写为 −0.76。若门一直半开，每个词都会冲淡它。',
      },
      tolerance: 0.005,
      holds: (trace) => states.every((state, t) => isNear(stageOf(trace, 'output').data[t]!, state, 0.005)),
    },
    contrast: { params: { weight_ih_l0: [[0, 0], [0, 0], [1, 0]], weight_hh_l0, bias_ih_l0: [12, 0, 0] } }, // prettier-ignore
  },
  chineseLabels: { on: '开', and: '接着', then: '再', off: '关' },
  sampleOf,
  compute: (fovea: Fovea, { x }: { x: ArrayInput }, params: RecurrentParams, options: GruOptions) => {
    const results = layers(fovea, x, params, options);
    return { ...results, ...gruGates(fovea, x, params, options, results.output) };
  },
  stages: { ...gruStages, ...statesStage('h_t = (1 - z_t) \\odot n_t + z_t \\odot h_{t-1}') },
});
