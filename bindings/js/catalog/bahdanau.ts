import { bahdanau as compute } from '../mechanisms/bahdanau.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt } from './entry/stage_values.ts';
import { identityMatrix, sparseMatrix } from './samples/words.ts';

/**
 * Weights that read the places of a source in this order and translate the word at each. A word's vector is that of its place: a word that stands
 * twice has two.
 */
function sampleIn(words: readonly string[], order: readonly number[], translations: readonly string[]) {
  const n = words.length;
  const axes = [...words, 'position'];
  const source = words.map((_, place) => [...words.map((_, other) => Number(other === place)), place / n]);
  /** The word that the decoder wrote before each step; none before the first. */
  const decoderInputs = sparseMatrix(
    n,
    n,
    order.slice(1).map((_, step) => [step + 1, step, 1]),
  );
  /** The state is the position that comes next, by tanh, chosen by the word just read. */
  const C = sparseMatrix(
    n + 1,
    1,
    order.slice(1).map((place, step) => [order[step]!, 0, artanh(place / n)]),
  );
  /** Two units make a bump where the position of the key is that of the state: tanh(4n(h - s) + 2) - tanh(4n(h - s) - 2). */
  const sharpness = 4 * n;
  const Wa = [[-sharpness, -sharpness]];
  const Ua = sparseMatrix(n + 1, 2, [
    [n, 0, sharpness],
    [n, 1, sharpness],
  ]);
  const alignment = { Wa, Ua, va: [4, -4], ba: [2, -2] };
  /** Gates: z = 1 takes the new state whole. */
  const gates = {
    ...{ W: sparseMatrix(n, 1, []), Wz: sparseMatrix(n, 1, []), Wr: sparseMatrix(n, 1, []) },
    ...{ U: [[0]], Uz: [[0]], Ur: [[0]], Cz: sparseMatrix(n + 1, 1, []), Cr: sparseMatrix(n + 1, 1, []) },
    bz: [20],
  };
  /** The word read is translated: each word's two maxout units are those of its translation. */
  const dictionary = order.map((place, step) => [place, 2 * step, 1] as const);
  const readout = {
    ...{ Uo: sparseMatrix(1, 2 * n, []), Vo: sparseMatrix(n, 2 * n, []), Co: sparseMatrix(n + 1, 2 * n, dictionary) },
    Wo: identityMatrix(n, 8),
  };
  const params = { ...alignment, C, ...gates, ...readout };
  return {
    inputs: { source, decoderInputs },
    params,
    labels: {
      source: [words, axes],
      decoderInputs: [order.map((_, step) => `step ${step + 1}`), translations],
      C: [axes, ['position wanted']],
      Ua: [axes, ['left edge', 'right edge']],
      Wo: [translations, translations],
    },
    // Every step sees the mean of the source: the one fixed vector of an encoder-decoder without attention.
    contrast: { params: { ...params, va: [0, 0] } },
    sizes: { Tt: n, Ts: n, S: 1, Hs: n + 1, E: n, A: 2, l: n, V: n },
  } satisfies OtherWords;
}

/** Its series; four digits set a state to a position. */
function artanh(x: number): number {
  let [sum, power] = [0, x];
  for (let n = 1; n < 2000; n += 2) [sum, power] = [sum + power / n, power * x * x];
  return Number(sum.toFixed(4));
}

/** Each word stands for itself, in the order of the text: a dictionary of other words is not there. */
const sampleOf = (words: readonly string[]) =>
  sampleIn(
    words,
    words.map((_, place) => place),
    words,
  );
const words = ['the', 'European', 'Economic', 'Area'];
const translation = ['la (the)', 'zone (Area)', 'économique (Economic)', 'européenne (European)'];
const { sizes, ...sample } = sampleIn(words, [0, 3, 2, 1], translation);

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
    sizes,
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, S, Hs, E, A, l, V }) =>
      Ts! * Hs! * A! + Tt! * (S! * A! + Ts! * (A! + Hs!) + (3 * S! + 2 * l!) * (E! + S! + Hs!) + l! * V!),
  },
  defaults: {
    ...sample,
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
  sampleOf,
  compute,
});
