import { keyValuePredict as compute } from '../mechanisms/key_value_predict.ts';
import { system } from './entry/define.ts';
import { daniluk2017, texts } from './entry/papers.ts';
import { isNear, rowAt, valueAt } from './entry/stage_values.ts';
import { identityMatrix, sparseMatrix } from './samples/words.ts';

const words = ['Tom', 'buys', 'fish', '.', 'he', 'eats', 'it'];
const parts = {
  key: ['person', 'thing', 'constant'],
  value: ['Tom', 'fish', 'other'],
  predict: ['verb next', 'noun next', 'end next'],
};
/** k, v and p of each word, side by side. */
const hidden = [
  [1, 0, 1, /**/ 1, 0, 0, /**/ 1, 0, 0],
  [0, 0, 1, /**/ 0, 0, 1, /**/ 0, 1, 0],
  [0, 1, 1, /**/ 0, 1, 0, /**/ 0, 0, 1],
  [0, 0, 1, /**/ 0, 0, 1, /**/ 0, 1, 0],
  [1, 0, 1, /**/ 0, 0, 1, /**/ 1, 0, 0],
  [0, 0, 1, /**/ 0, 0, 1, /**/ 0, 1, 0],
  [0, 1, 1, /**/ 0, 0, 1, /**/ 0, 0, 1],
];
/** A unit is on where the key of the memory and that of the word are both persons, or both things: tanh(4 + 4 - 6). */
const params = {
  WY: sparseMatrix(3, 2, [[0, 0, 4], [1, 1, 4]]),
  Wh: [[4, 0], [0, 4], [-6, -6]],
  w: [4, 4],
  /** h* has the value on its first three axes, the prediction on its last. */
  Wr: identityMatrix(3, 2).map((row) => [...row, 0, 0, 0]),
  Wx: identityMatrix(3, 2).map((row) => [0, 0, 0, ...row]),
}; // prettier-ignore

export default system({
  id: 'key_value_predict',
  family: 'memory',
  title: { en: 'Key-value-predict attention', zh: '键-值-预测注意力' },
  aliases: ['attentive language model', 'two-way key-value attention', '键值预测注意力', '双路键值注意力'],
  notations: [
    {
      text: 'Daniluk et al. 2017',
      writes: { en: 'W_Y Y_t + (W_h k_t) 1ᵀ, columns are tokens', zh: 'W_Y Y_t + (W_h k_t) 1ᵀ，每一列是一个词元' },
      means: {
        en: '[k_{t-L} … k_{t-1}] WY + k_t Wh, rows are tokens',
        zh: '[k_{t-L} … k_{t-1}] WY + k_t Wh，每一行是一个词元',
      },
    },
    {
      text: texts.survey,
      writes: 'key-value(-predict)',
      means: {
        en: "the options variant: 'keyValue' and 'keyValuePredict'",
        zh: "选项 variant：'keyValue' 与 'keyValuePredict'",
      },
    },
  ],
  paper: { ...daniluk2017, equations: '§2.1 to 2.3' },
  equation:
    'h_t = [k_t; v_t; p_t],\\quad \\alpha_t = \\operatorname{softmax}(\\tanh(Y_t W_Y + k_t W_h)\\, w),\\quad h^*_t = \\tanh(\\alpha_t V_t W_r + p_t W_x)',
  parent: 'key_value',
  slots: { score: 'w^\\top \\tanh(k_j W_Y + k_t W_h)', mask: 't - L \\le j < t', value: 'v_j' },
  complexity: {
    letters: ['T', 'L', 'k', 'A', 'D'],
    sizes: { T: words.length, L: 6, k: 3, A: 2, D: 6 },
    pairs: ({ T, L }) => {
      const seen = Math.min(L!, Math.max(0, T! - 1));
      return T! * seen - (seen * (seen + 1)) / 2;
    },
    multiplyAdds: ({ T, L, k, A, D }) => {
      const seen = Math.min(L!, Math.max(0, T! - 1));
      return 2 * T! * k! * A! + (T! * seen - (seen * (seen + 1)) / 2) * (A! + k!) + 2 * T! * k! * D!;
    },
  },
  ranges: { 'options.L': { from: 1, to: 6, step: 1 } },
  defaults: {
    inputs: { hidden },
    params,
    options: { L: 6 },
    labels: {
      hidden: [words, [...parts.key, ...parts.value, ...parts.predict]],
      WY: [parts.key, ['both persons', 'both things']],
      Wh: [parts.key, ['both persons', 'both things']],
      Wr: [parts.value, [...parts.value, ...parts.predict]],
      Wx: [parts.predict, [...parts.value, ...parts.predict]],
    },
    claim: {
      text: {
        en: 'Each part of a state has one task: by its key “he” finds “Tom” and “it” finds “fish”, with 0.99 or more; the value brings that word; the prediction, which no weight depends on, says what comes next.',
        zh: '状态的三部分各管一件事：用键去找，“他”找到“小明”，“它”找到“鱼”，权重都在 0.99 以上；取回来的是值；预测部分不影响任何权重，只管下一个词是什么。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        isNear(valueAt(trace, 'weights', [4, 0]), 1, 0.01) &&
        isNear(valueAt(trace, 'weights', [6, 2]), 1, 0.01) &&
        isNear(rowAt(trace, 'context', [4])[0]!, 1, 0.01) &&
        valueAt(trace, 'hStar', [4, 3]) > 0.9,
    },
    // A short window forgets whom “he” means.
    contrast: { options: { L: 2 } },
  },
  chineseLabels: { Tom: '小明', buys: '买', fish: '鱼', '.': '。', he: '他', eats: '吃', it: '它', other: '其他' },
  compute,
});
