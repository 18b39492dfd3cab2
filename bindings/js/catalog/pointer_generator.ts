import { pointerGenerator as compute } from '../mechanisms/pointer_generator.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { identityMatrix, normalForm, readableWords, sparseMatrix } from './samples/words.ts';

/** The words of the vocabulary, in each language. */
const vocabulary = ['beat', '.', 'the'];
const inChinese = ['击败', '。', '这'];
const blankOf = (steps: number) => sparseMatrix(steps, 1, []);

/** A word's vector is that of its place: a word that stands twice has two, and is one word of the distribution. */
function sampleOf(words: readonly string[]) {
  const n = words.length;
  const known = words.map((word) => {
    const place = vocabulary.indexOf(normalForm(word));
    return place < 0 ? inChinese.indexOf(word) : place;
  });
  /** Words that are not in the vocabulary have the numbers after it. */
  const { distinct: others } = readableWords(words.filter((_, place) => known[place]! < 0));
  const forms = others.map(normalForm);
  const sourceIds = words.map((word, place) =>
    known[place]! < 0 ? vocabulary.length + forms.indexOf(normalForm(word)) : known[place]!,
  );
  const axes = [...words, 'known'];
  const source = words.map((_, place) => [...words.map((_, one) => Number(one === place)), Number(known[place]! >= 0)]);
  const steps = words.map((_, step) => `step ${step + 1}`);
  const params = {
    /** Earlier words score more, and one that has been read (coverage near 1) less than any other. */
    Wh: sparseMatrix(
      n + 1,
      1,
      words.map((_, place) => [place, 0, n > 1 ? 1.25 - (2.25 * place) / (n - 1) : 1.25]),
    ),
    Ws: [[0]],
    wc: [-4],
    battn: [0],
    /** Sharper for a longer text, whose scores lie closer. */
    v: [n > 4 ? 8 * (n - 1) : 8],
    /** The vocabulary's word that is being read; the state has no say. */
    V: sparseMatrix(
      n + 2,
      3,
      known.flatMap((word, place) => (word < 0 ? [] : [[1 + place, word, 8] as const])),
    ),
    b: [0, 0, 0],
    Vprime: identityMatrix(3),
    bprime: [0, 0, 0],
    /** p_gen is high where the word that is read is known. */
    whstar: axes.map((_, axis) => (axis === n ? 6 : 0)),
    ws: [0],
    wx: [0],
    bptr: -3,
  };
  return {
    inputs: { source, sourceIds, decoder: blankOf(n), decoderInputs: blankOf(n) },
    params,
    labels: {
      source: [words, axes],
      sourceIds: [words],
      decoder: [steps, null],
      Wh: [axes, null],
      V: [['state', ...axes], vocabulary],
      whstar: [axes],
    },
    contrast: { params: { ...params, wc: [0] } },
    sizes: { Tt: n, Ts: n, Hs: n + 1 },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['Federer', 'beat', 'Nadal', '.']);
const { sourceIds } = sample.inputs;

export default system({
  id: 'pointer_generator',
  family: 'pointing',
  title: { en: 'Pointer-generator with coverage', zh: '指针生成网络与覆盖机制' },
  aliases: ['See et al. summarizer', 'coverage', 'PGN', '指针生成网络', '覆盖机制'],
  notations: [
    {
      text: texts.survey,
      writes: 'p_gen = σ(w_hᵀ h_t + w_sᵀ s_t + w_xᵀ x_t + b)',
      means: { en: 'h*_t, the context', zh: 'h*_t，即上下文向量' },
    },
  ],
  paper: {
    authors: 'See, Liu, Manning',
    title: 'Get To The Point: Summarization with Pointer-Generator Networks',
    year: 2017,
    url: 'https://arxiv.org/abs/1704.04368',
    equations: 'eq. 1 to 13',
  },
  equation:
    "a^t = \\operatorname{softmax}(v^\\top \\tanh(h_i W_h + s_t W_s + c_i^t w_c + b)),\\quad P(w) = p_{gen} P_{vocab}(w) + (1 - p_{gen}) \\sum_{i:\\, w_i = w} a_i^t,\\quad c^t = \\sum_{t' < t} a^{t'}",
  parent: 'pointer_network',
  slots: { score: 'v^\\top \\tanh(h_i W_h + s_t W_s + c_i^t w_c + b)', value: 'h_i' },
  complexity: {
    letters: ['Tt', 'Ts', 'Hs', 'S', 'E', 'A', 'P', 'V'],
    sizes: { Tt: sizes.Tt, Ts: sizes.Ts, Hs: sizes.Hs, S: 1, E: 1, A: 1, P: 3, V: 3 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, Hs, S, E, A, P, V }) =>
      Ts! * Hs! * A! + Tt! * (S! * A! + Ts! * (2 * A! + Hs!) + (S! + Hs!) * P! + P! * V! + Hs! + S! + E!),
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'Coverage moves it on: the steps copy “Federer”, generate “beat”, copy “Nadal”, generate the period, and p_gen is 0.06, 0.95, 0.05, 0.81. Coverage loss is 0.46 in all; without coverage (wc = 0) it would be 3, with “Federer” four times.',
        zh: '覆盖机制让它往前走：依次拷贝“费德勒”、生成“击败”、拷贝“纳达尔”、生成句号，p_gen 是 0.06、0.95、0.05、0.81。覆盖损失总共 0.46；没有覆盖（wc = 0）会是 3，而且四步都是“费德勒”。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        sourceIds.every((word, step) => largest(rowAt(trace, 'distribution', [step])) === word) &&
        [0.06, 0.95, 0.05, 0.81].every((gate, step) => isNear(valueAt(trace, 'pGen', [step]), gate, 0.005)) &&
        isNear(
          rowAt(trace, 'coverageLoss', []).reduce((sum, loss) => sum + loss, 0),
          0.46,
          0.005,
        ),
    },
  },
  chineseLabels: { Federer: '费德勒', beat: '击败', Nadal: '纳达尔', '.': '。', the: '这' },
  sampleOf,
  compute,
});
