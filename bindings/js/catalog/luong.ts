import { luong as compute } from '../mechanisms/luong.ts';
import { system } from './entry/define.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const sourceWords = ['他', '昨天', '去了', '北京'];
const targetWords = ['he', 'visited', 'Beijing', 'yesterday'];
const source = readableWords(sourceWords);
const target = readableWords(targetWords);
/** A dictionary: each English word asks for its Chinese one. */
const dictionary = [
  ['he', '他'],
  ['visited', '去了'],
  ['Beijing', '北京'],
  ['yesterday', '昨天'],
] as const;
const Wa = sparseMatrix(
  4,
  4,
  dictionary.map(([english, chinese]) => [target.axis[english]!, source.axis[chinese]!, 8]),
);
/** The context alone. */
const Wc = identityMatrix(4).concat(sparseMatrix(4, 4, []));

const meaningOf = (word: string): string =>
  dictionary.find((pair) => (pair as readonly string[]).includes(word))!.find((one) => one !== word)!;
/** The words of the other language have the reader's beside them. */
const labelsOf = (source: readonly string[], target: readonly string[]) => ({
  source: [source, source],
  decoder: [target, target],
  Wa: [target, source],
  Wc: [[...source, ...target], source],
});

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
    sizes: { Tt: 4, Ts: 4, S: 4, Hs: 4, D: 4 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, S, Hs, D }) => Tt! * (S! * Hs! + 2 * Ts! * Hs! + (Hs! + S!) * D!),
  },
  defaults: {
    inputs: { source: source.vectors, decoder: target.vectors },
    params: { Wa, Wc },
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
    // With Wa = I the score is a dot product: each word asks for the axis of its own number.
    contrast: { params: { Wa: identityMatrix(4, 8), Wc } },
  },
  chinese: {
    labels: labelsOf(
      sourceWords,
      targetWords.map((word) => `${word}（${meaningOf(word)}）`),
    ),
  },
  compute,
});
