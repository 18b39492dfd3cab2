import { bahdanau as compute } from '../mechanisms/bahdanau.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const words = ['the', 'European', 'Economic', 'Area'];
const translation = ['la (the)', 'zone (Area)', 'économique (Economic)', 'européenne (European)'];
const { vectors, axes: distinct, axis } = readableWords(words);
const axes = [...distinct, 'position'];
const source = vectors.map((vector, position) => [...vector, position / 4]);
/** The word that the decoder wrote before each step; none before the first. */
const decoderInputs = sparseMatrix(
  4,
  4,
  [1, 2, 3].map((step) => [step, step - 1, 1]),
);

/** The state is the position that comes next, 0.75, 0.5, 0.25 by tanh, chosen by the word just read. */
const C = sparseMatrix(axes.length, 1, [
  [axis['the']!, 0, 0.973],
  [axis['Area']!, 0, 0.5493],
  [axis['Economic']!, 0, 0.2554],
]);
/** Two units make a bump where the position of the key is that of the state: tanh(16(h - s) + 2) - tanh(16(h - s) - 2). */
const Wa = [[-16, -16]];
const Ua = sparseMatrix(axes.length, 2, [
  [axes.length - 1, 0, 16],
  [axes.length - 1, 1, 16],
]);
const alignment = { Wa, Ua, va: [4, -4], ba: [2, -2] };
/** Gates: z = 1 takes the new state whole. */
const gates = {
  ...{ W: sparseMatrix(4, 1, []), Wz: sparseMatrix(4, 1, []), Wr: sparseMatrix(4, 1, []) },
  ...{ U: [[0]], Uz: [[0]], Ur: [[0]], Cz: sparseMatrix(axes.length, 1, []), Cr: sparseMatrix(axes.length, 1, []) },
  bz: [20],
};
/** The word read is translated: each word's two maxout units are those of its translation. */
const dictionary = ['the', 'Area', 'Economic', 'European'].map((word, n) => [axis[word]!, 2 * n, 1] as const);
const readout = {
  ...{ Uo: sparseMatrix(1, 8, []), Vo: sparseMatrix(4, 8, []), Co: sparseMatrix(axes.length, 8, dictionary) },
  Wo: identityMatrix(4, 8),
};
const params = { ...alignment, C, ...gates, ...readout };

export default system({
  id: 'bahdanau',
  family: 'alignment',
  title: { en: 'Bahdanau attention', zh: 'Bahdanau 注意力' },
  aliases: ['RNNsearch', 'additive attention of an encoder-decoder', 'soft alignment', '加性注意力', '软对齐'],
  notations: [
    {
      text: texts.survey,
      writes: 's_{i-1}',
      means: { en: 's_{t-1}, the state before step t', zh: 's_{t-1}，第 t 步之前的状态' },
    },
    {
      text: texts.survey,
      writes: 's_t = tanh(W [s_{t-1}, y_{t-1}, c_t])',
      means: { en: "the paper's GRU, simplified; here it has both gates", zh: '论文中 GRU 的简化写法；这里两个门都有' },
    },
    {
      text: 'PyTorch',
      writes: "GRU: h' = (1 - z) n + z h",
      means: {
        en: "(1 - z) s + z s̃, the paper's: z = 1 takes the new state",
        zh: '(1 - z) s + z s̃，按论文：z = 1 表示取新状态',
      },
    },
    {
      text: 'Bahdanau et al. 2015, eq. 4',
      writes: 'g(y_{t-1}, s_t, c_t)',
      means: { en: "the option readout: 'current'", zh: "选项 readout: 'current'" },
    },
  ],
  paper: {
    authors: 'Bahdanau, Cho, Bengio',
    title: 'Neural Machine Translation by Jointly Learning to Align and Translate',
    year: 2015,
    url: 'https://arxiv.org/abs/1409.0473',
    equations: 'eq. 4 to 6, A.1.2, A.2.2',
  },
  equation: 'a_t = \\operatorname{softmax}_j(v_a^\\top \\tanh(s_{t-1} W_a + h_j U_a)),\\quad c_t = \\sum_j a_{tj} h_j',
  parent: 'additive',
  slots: { score: 'v_a^\\top \\tanh(s_{t-1} W_a + h_j U_a)', value: 'h_j' },
  complexity: {
    letters: ['Tt', 'Ts', 'S', 'Hs', 'E', 'A', 'l', 'V'],
    sizes: { Tt: 4, Ts: 4, S: 1, Hs: axes.length, E: 4, A: 2, l: 4, V: 4 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, S, Hs, E, A, l, V }) =>
      Ts! * Hs! * A! + Tt! * (S! * A! + Ts! * (A! + Hs!) + (3 * S! + 2 * l!) * (E! + S! + Hs!) + l! * V!),
  },
  defaults: {
    inputs: { source, decoderInputs },
    params,
    labels: {
      source: [words, axes],
      decoderInputs: [['step 1', 'step 2', 'step 3', 'step 4'], translation],
      C: [axes, ['position wanted']],
      Ua: [axes, ['left edge', 'right edge']],
      Wo: [translation, translation],
    },
    claim: {
      text: {
        en: 'The translation takes the words in another order: its steps attend to “the”, “Area”, “Economic”, “European”, each with 0.99 or more. What the decoder has just read tells it where to look next.',
        zh: '译文的词序不同：解码器四步依次看“这个”“区”“经济”“欧洲”，权重都在 0.99 以上；刚读到的词决定下一步看哪里。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        [0, 3, 2, 1].every((position, step) => isNear(rowAt(trace, 'weights', [step])[position]!, 1, 0.01)) &&
        translation.every((_, step) => largest(rowAt(trace, 'probability', [step])) === step),
    },
    // Every step sees the mean of the source: the one fixed vector of an encoder-decoder without attention.
    contrast: { params: { ...params, va: [0, 0] } },
  },
  chineseLabels: {
    the: '这个',
    European: '欧洲',
    Economic: '经济',
    Area: '区',
    'la (the)': 'la（这个）',
    'zone (Area)': 'zone（区）',
    'économique (Economic)': 'économique（经济）',
    'européenne (European)': 'européenne（欧洲）',
  },
  compute,
});
