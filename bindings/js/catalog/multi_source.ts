import { multiSource as compute } from '../mechanisms/multi_source.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const one = readableWords(['the', 'bank']);
const two = readableWords(['das', 'Flussufer']);
const vocabulary = ['la', 'banque', 'rive'];
const steps = ['article', 'noun'];
/** The article asks for position 0, the noun for position 1, of each source. */
const attention = { Wa: identityMatrix(2, 6), Wp: [[-1], [0]], vp: [6] };
/** The two contexts; the decoder's own state has no say. */
const Wc = sparseMatrix(2, 4, []).concat(identityMatrix(4, 2));
const from = [...one.axes, ...two.axes];
/** “bank” says banque and rive alike, “Flussufer” rive alone. */
const Ws = sparseMatrix(4, 3, [[0, 0, 5], [1, 1, 5], [1, 2, 5], [2, 0, 5], [3, 2, 5]]); // prettier-ignore

export default system({
  id: 'multi_source',
  family: 'alignment',
  title: { en: 'Multi-source attention', zh: '多源注意力' },
  aliases: ['multi-source neural translation', 'child-sum combination', '多源机器翻译', '多源注意力机制'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'i_f, u_f, o_f, c_f of the child-sum combination', zh: 'child-sum 组合里的 i_f、u_f、o_f、c_f' },
      means: 'i, u, o, c',
    },
    {
      text: 'Zoph, Knight 2016',
      writes: 'tanh(W_c [h_t; c_t^1; c_t^2])',
      means: {
        en: '[h_t; c_t^1; c_t^2] W_c; Luong et al. have c_t first',
        zh: '[h_t; c_t^1; c_t^2] W_c；Luong et al. 把 c_t 写在前面',
      },
    },
  ],
  paper: {
    authors: 'Zoph, Knight',
    title: 'Multi-Source Neural Translation',
    year: 2016,
    url: 'https://arxiv.org/abs/1601.00710',
    equations: '§3.1 to 3.3',
  },
  equation: '\\tilde h_t = \\tanh([h_t; c_t^1; c_t^2] W_c),\\quad c_t^n = \\sum_s a_t^n(s)\\, \\bar h_s^n',
  parent: 'luong_local',
  slots: { value: '\\bar h_s^1 \\text{ and } \\bar h_s^2, \\text{ each with weights of its own}' },
  complexity: {
    letters: ['Tt', 'T1', 'T2', 'S', 'Hs1', 'Hs2', 'P', 'D'],
    sizes: { Tt: 2, T1: 2, T2: 2, S: 2, Hs1: 2, Hs2: 2, P: 1, D: 4 },
    pairs: ({ Tt, T1, T2 }) => Tt! * (T1! + T2!),
    multiplyAdds: ({ Tt, T1, T2, S, Hs1, Hs2, P, D }) =>
      Tt! *
      (2 * (S! * P! + P!) + S! * (Hs1! + Hs2!) + 3 * (T1! * Hs1! + T2! * Hs2!) + (S! + Hs1! + Hs2!) * D!),
  },
  ranges: { 'options.D': { from: 1, to: 10, step: 1 } },
  defaults: {
    inputs: { source1: one.vectors, source2: two.vectors, decoder: [[1, 0], [0, 1]] },
    params: { attention1: attention, attention2: attention, Wc, Ws },
    options: { D: 2 },
    labels: {
      source1: [one.axes, one.axes],
      source2: [two.axes, two.axes],
      decoder: [steps, steps],
      Wc: [[...steps, ...from], from],
      Ws: [from, vocabulary],
    },
    claim: {
      text: {
        en: '“bank” alone leaves banque and rive even; the German “Flussufer” decides: rive has 0.99, banque 0.01.',
        zh: '只看汉语“杜鹃”，英语 cuckoo（鸟）和 azalea（花）不分上下；德语 Azalee（杜鹃花）打破平局：azalea 0.99，cuckoo 0.01。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        [0.01, 0.99].every((p, n) => isNear(rowAt(trace, 'probability', [1])[n + 1]!, p, 0.005)) &&
        rowAt(trace, 'probability', [0])[0]! > 0.9,
    },
    // The second source is empty: the tie stays.
    contrast: { options: { source2Lengths: 0 } },
  },
  chineseLabels: { the: '这', bank: '杜鹃', das: 'die', Flussufer: 'Azalee', la: 'the', banque: 'cuckoo', rive: 'azalea' },
  compute,
}); // prettier-ignore
