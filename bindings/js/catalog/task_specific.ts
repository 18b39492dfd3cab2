import { taskSpecific as compute } from '../mechanisms/task_specific.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const words = ['I', 'eat', 'apples'];
const tasks = ['French', 'Japanese'];
const steps = ['step 1', 'step 2', 'step 3'];
const { vectors, axes } = readableWords(words);
/** A unit for each word is on where the step asks for it and the word is there: tanh(4 + 4 - 6). */
const units = identityMatrix(3, 4);
const alignment = {
  /** French takes the words in order, Japanese the object before the verb. */
  Wa: [units, [units[0]!, units[2]!, units[1]!]],
  Ua: [units, units],
  va: [[6, 6, 6], [6, 6, 6]],
  ba: [[-6, -6, -6], [-6, -6, -6]],
}; // prettier-ignore
const none = sparseMatrix(3, 3, []);
/** The shared decoder counts its steps: the state moves on by one, taken whole (z = 1) and read whole (r = 1). */
const decoder = {
  ...{ W: none, Wz: none, Wr: none, Uz: none, Ur: none, C: none, Cz: none, Cr: none },
  U: sparseMatrix(3, 3, [
    [0, 1, 8],
    [1, 2, 8],
  ]),
  bz: [20, 20, 20],
  br: [20, 20, 20],
};
const params = { ...alignment, ...decoder };

export default system({
  id: 'task_specific',
  family: 'alignment',
  title: { en: 'Task-specific attention', zh: '特定任务注意力' },
  aliases: ['multilingual translation with task-specific attention', '任务特定注意力', '多语言翻译注意力'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'a flag for the direction of translation', zh: '语言方向标志' },
      means: { en: 'task, the number of a pair of languages', zh: 'task，即语言对的编号' },
    },
  ],
  paper: {
    authors: 'Blackwood, Ballesteros, Ward',
    title: 'Multilingual Neural Machine Translation with Task-Specific Attention',
    year: 2018,
    url: 'https://arxiv.org/abs/1806.03280',
    equations: '§3',
  },
  equation: 'a_t = \\operatorname{softmax}_j(v_a^{k\\top} \\tanh(s_{t-1} W_a^k + h_j U_a^k))',
  parent: 'bahdanau',
  slots: { score: 'v_a^{k\\top} \\tanh(s_{t-1} W_a^k + h_j U_a^k)' },
  complexity: {
    letters: ['Tt', 'Ts', 'S', 'Hs', 'E', 'A'],
    sizes: { Tt: 3, Ts: 3, S: 3, Hs: 3, E: 3, A: 3 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, S, Hs, E, A }) => Ts! * Hs! * A! + Tt! * (S! * A! + Ts! * (A! + Hs!) + 3 * S! * (E! + S! + Hs!)),
  },
  ranges: { 'inputs.task': { from: 0, to: 1, step: 1 } },
  defaults: {
    inputs: { source: vectors, decoderInputs: none, task: 1 },
    params,
    options: { initialState: { s: [1, 0, 0] } },
    labels: {
      source: [words, axes],
      Wa: [tasks, steps, axes],
      Ua: [tasks, axes, axes],
      va: [tasks, axes],
      ba: [tasks, axes],
      U: [steps, steps],
    },
    claim: {
      text: {
        en: 'One encoder and decoder, an alignment for each language: task 1, Japanese, reads “I”, “apples”, “eat”, each with 0.99 or more. Flip the flag to 0, French, and the same steps read “I”, “eat”, “apples”.',
        zh: '编码器和解码器共用，每种语言各有一套注意力：任务 1（日语）动词在最后，依次看“我”“苹果”“吃”，权重都在 0.99 以上；把标志改成 0（法语），同样三步看“我”“吃”“苹果”。',
      },
      tolerance: 0.01,
      holds: (trace) => [0, 2, 1].every((place, step) => isNear(rowAt(trace, 'weights', [step])[place]!, 1, 0.01)),
    },
    contrast: { inputs: { source: vectors, decoderInputs: none, task: 0 } },
  },
  chineseLabels: { I: '我', eat: '吃', apples: '苹果' },
  compute,
});
