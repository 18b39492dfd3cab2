import { pointerNetwork as compute } from '../mechanisms/pointer_network.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { largest, rowAt } from './entry/stage_values.ts';

const numbers = [0.6, 0.1, 0.9, 0.35, 0.75];
const inOrder = [1, 3, 0, 4, 2];
const points = numbers.map((number) => [number]);
/** Gates i and o are open, f is shut: h = tanh(tanh(x / 5)), about x / 5. The encoder's margin keeps a number from being above itself. */
const passThrough = (margin: number) => ({
  weight_ih_l0: [[0], [0], [0.2], [0]],
  weight_hh_l0: [[0], [0], [0], [0]],
  bias_ih_l0: [20, -20, -margin / 5, 20],
});
const params = {
  encoder: passThrough(0.02),
  decoder: passThrough(0),
  start: [-1],
  /** A step where a number is above the one just taken, and a slope that is highest at the smallest. */
  W1: [[5000, 2.5]],
  W2: [[-5000, -2.5]],
  v: [80, -60],
};

export default system({
  id: 'pointer_network',
  family: 'pointing',
  title: { en: 'Pointer network', zh: '指针网络' },
  aliases: ['Ptr-Net', 'pointing', '指针', 'PtrNets'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'a^i_j = softmax(u^i_j) and then a context vector', zh: 'a^i_j = softmax(u^i_j)，再求上下文向量' },
      means: { en: 'the weights are the output; no context is formed', zh: '权重就是输出，不再求上下文向量' },
    },
  ],
  paper: {
    authors: 'Vinyals, Fortunato, Jaitly',
    title: 'Pointer Networks',
    year: 2015,
    url: 'https://arxiv.org/abs/1506.03134',
    equations: 'eq. 3',
  },
  equation: 'p(C_i = j \\mid C_1, \\dots, C_{i-1}, P) = \\operatorname{softmax}_j(v^\\top \\tanh(e_j W_1 + d_i W_2))',
  parent: 'bahdanau',
  slots: { value: '\\text{none: the weights are the output}' },
  complexity: {
    letters: ['Tt', 'Ts', 'F', 'H', 'S', 'A'],
    sizes: { Tt: numbers.length, Ts: numbers.length, F: 1, H: 1, S: 1, A: 2 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, F, H, S, A }) =>
      Ts! * (4 * H! * (F! + H!) + H! * A!) + Tt! * (4 * S! * (F! + S!) + S! * A! + Ts! * A!),
  },
  defaults: {
    inputs: { points },
    params,
    labels: {
      points: [numbers.map(String), ['number']],
      W1: [['number'], ['step', 'slope']],
      W2: [['number taken'], ['step', 'slope']],
    },
    claim: {
      text: {
        en: 'It sorts the numbers 0.6, 0.1, 0.9, 0.35, 0.75: the steps point to 0.1, 0.35, 0.6, 0.75, 0.9, each with 0.98 or more.',
        zh: '它给 0.6、0.1、0.9、0.35、0.75 排序：各步依次指向 0.1、0.35、0.6、0.75、0.9，权重都不低于 0.98。',
      },
      tolerance: 0,
      holds: (trace) =>
        inOrder.every((place, step) => {
          const row = rowAt(trace, 'weights', [step]);
          return largest(row) === place && row[place]! >= 0.98;
        }),
    },
    // Without the step it does not know what was taken, and points to the smallest number again and again.
    contrast: { params: { ...params, v: [0, -60] } },
  },
  compute,
});
