import { pointerGenerator as compute } from '../mechanisms/pointer_generator.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const words = ['Federer', 'beat', 'Nadal', '.'];
const vocabulary = ['beat', '.', 'the'];
/** The names are not in the vocabulary: they are words 3 and 4. */
const sourceIds = [3, 0, 4, 1];
const { vectors, axes: distinct, axis } = readableWords(words);
const axes = [...distinct, 'known'];
const source = vectors.map((vector, place) => [...vector, Number(sourceIds[place]! < vocabulary.length)]);
const steps = ['step 1', 'step 2', 'step 3', 'step 4'];
const blank = sparseMatrix(4, 1, []);

const params = {
  /** Earlier words score more, and one that has been read (coverage near 1) less than any other. */
  Wh: sparseMatrix(axes.length, 1, [[0, 0, 1.25], [1, 0, 0.5], [2, 0, -0.25], [3, 0, -1]]),
  Ws: [[0]],
  wc: [-4],
  battn: [0],
  v: [8],
  /** The vocabulary's word that is being read; the state has no say. */
  V: sparseMatrix(1 + axes.length, 3, [[1 + axis['beat']!, 0, 8], [1 + axis['.']!, 1, 8]]),
  b: [0, 0, 0],
  Vprime: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  bprime: [0, 0, 0],
  /** p_gen is high where the word that is read is known. */
  whstar: axes.map((name) => (name === 'known' ? 6 : 0)),
  ws: [0],
  wx: [0],
  bptr: -3,
}; // prettier-ignore

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
    sizes: { Tt: 4, Ts: 4, Hs: axes.length, S: 1, E: 1, A: 1, P: 3, V: 3 },
    pairs: ({ Tt, Ts }) => Tt! * Ts!,
    multiplyAdds: ({ Tt, Ts, Hs, S, E, A, P, V }) =>
      Ts! * Hs! * A! + Tt! * (S! * A! + Ts! * (2 * A! + Hs!) + (S! + Hs!) * P! + P! * V! + Hs! + S! + E!),
  },
  defaults: {
    inputs: { source, sourceIds, decoder: blank, decoderInputs: blank },
    params,
    labels: {
      source: [words, axes],
      sourceIds: [words],
      decoder: [steps, null],
      Wh: [axes, null],
      V: [['state', ...axes], vocabulary],
      whstar: [axes],
    },
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
    contrast: { params: { ...params, wc: [0] } },
  },
  chineseLabels: { Federer: '费德勒', beat: '击败', Nadal: '纳达尔', '.': '。', the: '这' },
  compute,
});
