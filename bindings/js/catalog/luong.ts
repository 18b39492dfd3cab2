import { luong as compute } from '../mechanisms/luong.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, normalForm, readableWords, sparseMatrix } from './samples/words.ts';

/** A dictionary: each English word asks for its Chinese one. */
const dictionary = [
  ['he', '他'],
  ['visited', '去了'],
  ['Beijing', '北京'],
  ['yesterday', '昨天'],
] as const;
const meaningOf = (word: string): string | undefined =>
  dictionary.find((pair) => (pair as readonly string[]).includes(word))?.find((one) => one !== word);

function sampleIn(sourceWords: readonly string[], targetWords: readonly string[]) {
  const [source, target] = [readableWords(sourceWords), readableWords(targetWords)];
  const [S, T] = [source.distinct.length, target.distinct.length];
  /** A word that the dictionary does not have asks for itself. */
  const Wa = sparseMatrix(
    T,
    S,
    target.distinct.flatMap((word, n) => {
      const meant = normalForm(meaningOf(word) ?? word);
      const found = source.distinct.findIndex((one) => normalForm(one) === meant);
      return found < 0 ? [] : [[n, found, 8] as const];
    }),
  );
  /** The context alone. */
  const Wc = identityMatrix(S).concat(sparseMatrix(T, S, []));
  return {
    inputs: { source: source.vectors, decoder: target.vectors },
    params: { Wa, Wc },
    labels: labelsOf(sourceWords, targetWords, source.distinct, target.distinct),
    // With Wa = I the score is a dot product: each word asks for the axis of its own number.
    contrast: {
      params: {
        Wa: sparseMatrix(
          T,
          S,
          Array.from({ length: S < T ? S : T }, (_, n) => [n, n, 8]),
        ),
        Wc,
      },
    },
    sizes: { Tt: targetWords.length, Ts: sourceWords.length, S: T, Hs: S, D: S },
  } satisfies OtherWords;
}
/** `source` and `target` are words, the others the axes of their vectors. */
const labelsOf = (source: readonly string[], target: readonly string[], sourceAxes = source, targetAxes = target) => ({
  source: [source, sourceAxes],
  decoder: [target, targetAxes],
  Wa: [targetAxes, sourceAxes],
  Wc: [[...sourceAxes, ...targetAxes], sourceAxes],
});

/** The target has the dictionary's word for each of the source, and the word itself where it has none. */
const sampleOf = (words: readonly string[]) =>
  sampleIn(
    words,
    words.map((word) => meaningOf(word) ?? word),
  );
const [sourceWords, targetWords] = [
  ['他', '昨天', '去了', '北京'],
  ['he', 'visited', 'Beijing', 'yesterday'],
];
const { inputs, params, contrast, sizes } = sampleIn(sourceWords, targetWords);

export default system({
  id: 'luong',
  family: 'alignment',
  title: { en: 'Luong global attention', zh: 'Luong 全局注意力' },
  aliases: ['global attention', 'multiplicative attention', '全局注意力', '双线性注意力', '乘性注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 'exp(score(h_t, h̄_s)) / Σ exp(score(h_t, h̄_s))',
      means: { en: "Σ over s' of h̄_{s'}", zh: "对 s' 求和，分数里是 h̄_{s'}" },
    },
    {
      text: texts.survey,
      writes: 'tanh(W_c [s_t; c_t])',
      means: { en: "[c_t; h_t], the paper's order", zh: '[c_t; h_t]，按论文的顺序' },
    },
    {
      text: 'Luong et al. 2015, eq. 8',
      writes: 'h_tᵀ W_a h̄_s',
      means: {
        en: 'W_a stands the same: rows of the target, columns of the source',
        zh: 'W_a 的写法相同：行属于目标，列属于源',
      },
    },
  ],
  paper: { ...luong2015, equations: 'eq. 5 to 8' },
  equation:
    'a_t = \\operatorname{softmax}_s(h_t W_a \\cdot \\bar h_s),\\quad c_t = \\sum_s a_t(s)\\, \\bar h_s,\\quad \\tilde h_t = \\tanh([c_t; h_t] W_c)',
  parent: 'bahdanau',
  slots: { score: 'h_t W_a \\cdot \\bar h_s' },
  complexity: {
    letters: ['Tt', 'Ts', 'S', 'Hs', 'D'],
    sizes,
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, S, Hs, D }) => Tt! * (S! * Hs! + 2 * Ts! * Hs! + (Hs! + S!) * D!),
  },
  defaults: {
    inputs,
    params,
    options: { score: 'general' },
    labels: labelsOf(
      sourceWords.map((word) => `${word} (${meaningOf(word)})`),
      targetWords,
    ),
    claim: {
      text: {
        en: 'Wa is a dictionary: each English word attends to the Chinese one of its meaning, “visited” to “去了”, with weight 0.999.',
        zh: '矩阵 Wa 是一本词典：he、visited、Beijing、yesterday 分别看“他”“去了”“北京”“昨天”，权重都是 0.999。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        [0, 2, 3, 1].every((position, step) => isNear(rowAt(trace, 'weights', [step])[position]!, 0.999, 0.0005)),
    },
    contrast,
  },
  chinese: {
    labels: labelsOf(
      sourceWords,
      targetWords.map((word) => `${word}（${meaningOf(word)}）`),
    ),
  },
  sampleOf,
  compute,
});
