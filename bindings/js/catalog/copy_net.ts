import { copyNet as compute } from '../mechanisms/copy_net.ts';
import { system } from './entry/define.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const words = ['hello', ',', 'I', 'am', 'Pablo', 'Diego', 'Ruiz', 'Picasso'];
const vocabulary = ['hello', ',', 'I', 'am', 'welcome', '⟨start⟩', '⟨unknown⟩'];
/** The words of the name are not in the vocabulary: they are words 7 to 10. */
const sourceIds = [0, 1, 2, 3, 7, 8, 9, 10];
const decoderIds = [5, 4, 7, 8, 9];
const reply = ['welcome', 'Pablo', 'Diego', 'Ruiz', 'Picasso'];
const replyIds = [4, 7, 8, 9, 10];
const { vectors, axes, axis } = readableWords(words, [], true);
const place = (n: number): number => axis[`#${n}`]!;

/** Eight codes of ±1 at right angles, one for each place: the parity of the bits that two numbers share. */
const code = (a: number, b: number): number => [1, 2, 4].reduce((sign, bit) => (a & b & bit ? -sign : sign), 1);
const codes = (row: (p: number) => number, p: number, factor: number) =>
  Array.from({ length: 8 }, (_, unit) => [row(p), unit, factor * code(p, unit)] as const);
const [E, Hs, S] = [3, axes.length, 9];
/** The state has the code of the place to copy from: after what was read again (ζ), else after “am” (c); and whether it begins. */
const wanted = [0, 1, 2, 3, 4, 5, 6].flatMap((n) => [
  ...codes(() => E + place(n), n + 1, 12).map(([column, unit, value]) => [unit, column, value] as const),
  ...codes(() => E + Hs + place(n), n + 1, 4).map(([column, unit, value]) => [unit, column, value] as const),
]);
const gru = (entries: readonly (readonly [number, number, number])[]) =>
  sparseMatrix(
    3 * S,
    E + 2 * Hs,
    entries.map(([unit, column, value]) => [2 * S + unit, column, value]),
  );
const decoder = {
  weight_ih_l0: gru([...wanted, [8, 0, 8]]),
  weight_hh_l0: sparseMatrix(3 * S, S, []),
  /** z = 0: the state is new at every step. */
  bias_ih_l0: Array.from({ length: 3 * S }, (_, n) => (n >= S && n < 2 * S ? -20 : 0)),
};
const params = {
  /** (begin), (greeting), (any other word). */
  embedding: vocabulary.map((word) => (word === '⟨start⟩' ? [1, 0, 0] : word === 'welcome' ? [0, 1, 0] : [0, 0, 1])),
  Wa: sparseMatrix(S, 1, []),
  /** The attentive read finds “am”. */
  Ua: sparseMatrix(Hs, 1, [[axis['am']!, 0, 3]]),
  va: [10],
  decoder,
  Wo: sparseMatrix(S, vocabulary.length, [[8, 4, 16]]),
  Wc: sparseMatrix(
    Hs,
    S,
    words.flatMap((_, p) => codes(place, p, 4)),
  ),
};
/** Without the part of the input that is ζ. */
const blind = gru([...wanted.filter(([, column]) => column >= E + Hs), [8, 0, 8]]);

export default system({
  id: 'copy_net',
  family: 'pointing',
  title: { en: 'CopyNet', zh: 'CopyNet 拷贝机制' },
  aliases: ['copying mechanism', 'selective read', '拷贝机制', '复制机制', '选择性读取'],
  notations: [
    {
      text: 'Gu et al. 2016',
      writes: {
        en: 'ψ_c(y_t = x_j) = σ(h_jᵀ W_c) s_t, σ a nonlinearity',
        zh: 'ψ_c(y_t = x_j) = σ(h_jᵀ W_c) s_t，σ 是非线性函数',
      },
      means: { en: 'σ is tanh', zh: 'σ 是 tanh' },
    },
    {
      text: 'Gu et al. 2016',
      writes: { en: 'the set of words 𝒱 ∪ {UNK} ∪ 𝒳', zh: '词的集合 𝒱 ∪ {UNK} ∪ 𝒳' },
      means: {
        en: 'ids below V, then those of the source that V lacks',
        zh: '小于 V 的编号是词表里的词，其后是源序列中词表里没有的词',
      },
    },
  ],
  paper: {
    authors: 'Gu, Lu, Li, Li',
    title: 'Incorporating Copying Mechanism in Sequence-to-Sequence Learning',
    year: 2016,
    url: 'https://arxiv.org/abs/1603.06393',
    equations: 'eq. 4 to 9',
  },
  equation:
    'p(w) = \\frac{1}{Z}\\Big(e^{\\psi_g(w)} + \\sum_{j:\\, x_j = w} e^{\\psi_c(x_j)}\\Big),\\quad \\psi_c(x_j) = \\tanh(h_j W_c) \\cdot s_t,\\quad \\zeta(y_{t-1}) = \\sum_j \\rho_{tj} h_j',
  parent: 'pointer_network',
  slots: { score: '\\tanh(h_j W_c) \\cdot s_t', normalizer: '\\text{one softmax over words and positions}' },
  complexity: {
    letters: ['Tt', 'Ts', 'Hs', 'S', 'E', 'A', 'V'],
    sizes: { Tt: 5, Ts: 8, Hs, S, E, A: 1, V: vocabulary.length },
    pairs: ({ Tt, Ts }) => 3 * Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, Hs, S, E, A, V }) =>
      Ts! * Hs! * (A! + S!) + Tt! * (S! * A! + Ts! * (A! + 2 * S! + 2 * Hs!) + 3 * S! * (E! + 2 * Hs! + S!) + S! * V!),
  },
  defaults: {
    inputs: { source: vectors, sourceIds, decoderIds },
    params,
    labels: {
      source: [words, axes],
      sourceIds: [words],
      decoderIds: [['⟨start⟩', ...reply.slice(0, -1)]],
      embedding: [vocabulary, ['begin', 'greeting', 'other']],
      Ua: [axes, null],
    },
    claim: {
      text: {
        en: 'To “hello, I am Pablo Diego Ruiz Picasso” it generates “welcome”, then copies “Pablo”, “Diego”, “Ruiz”, “Picasso”, which the vocabulary lacks, each with 0.99 or more: the selective read tells which position was copied, and the next follows.',
        zh: '听到“你好，我叫欧阳修远”，它先生成“欢迎”，再逐字拷贝词表里没有的“欧”“阳”“修”“远”，概率都在 0.99 以上：选择性读取告诉它刚拷贝了哪个位置，于是接着拷贝下一个。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        replyIds.every((word, step) => isNear(rowAt(trace, 'distribution', [step])[word]!, 1, 0.01)) &&
        largest(rowAt(trace, 'generate', [0])) === 4 &&
        [1, 2, 3, 4].every((step) => isNear(valueAt(trace, 'copy', [step, step + 3]), 1, 0.01)),
    },
    // Without the selective read it starts the name again at every step.
    contrast: { params: { ...params, decoder: { ...decoder, weight_ih_l0: blind } } },
  },
  chineseLabels: {
    hello: '你好',
    ',': '，',
    I: '我',
    am: '叫',
    Pablo: '欧',
    Diego: '阳',
    Ruiz: '修',
    Picasso: '远',
    welcome: '欢迎',
    '⟨start⟩': '（开始）',
    '⟨unknown⟩': '（未登录词）',
    begin: '开始',
    other: '其他',
  },
  compute,
});
