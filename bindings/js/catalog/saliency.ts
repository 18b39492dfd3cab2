import { saliency as compute } from '../mechanisms/saliency.ts';
import { system } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix, vector } from './samples/words.ts';

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, axis } = readableWords(words, ['noun', 'verb'], false, has);
  /** σ(8 · (content word - 1/2)): nouns and verbs are content words. */
  const Wg = sparseMatrix(axes.length, 1, [
    [axis['noun']!, 0, 8],
    [axis['verb']!, 0, 8],
  ]);
  return {
    inputs: { x: vectors },
    params: { Wg, bg: vector([-4]) },
    labels: { x: [words, axes], Wg: [axes, ['gate']], bg: [['gate']] },
    contrast: { params: { Wg, bg: vector([0]) } },
    sizes: { T: words.length, D: axes.length },
  } satisfies OtherWords;
}
const words = ['the', 'cat', 'chases', 'a', 'mouse'];
const { sizes, ...sample } = sampleOf(words);

export default system({
  id: 'saliency',
  family: 'pooling',
  title: { en: 'Saliency: max pooling and gating', zh: '显著性注意力' },
  aliases: [
    'bottom-up attention',
    'max pooling',
    'gating',
    'stimulus-driven attention',
    '自下而上的注意力',
    '最大汇聚',
    '门控',
  ],
  paper: {
    authors: 'Qiu',
    title: 'Neural Networks and Deep Learning',
    year: 2020,
    url: 'https://nndl.github.io',
    equations: 'section 8.2',
  },
  equation: 'g_i = \\sigma(x_i W_g + b_g),\\quad \\textstyle\\sum_i g_i \\odot x_i,\\quad \\max_i x_i',
  parent: 'dot',
  slots: { score: 'w_g^\\top x_i + b_g', normalizer: '\\sigma' },
  complexity: {
    letters: ['T', 'D', 'G'],
    sizes: { ...sizes, G: 1 },
    pairs: ({ T, G }) => T! * G!,
    multiplyAdds: ({ T, D, G }) => T! * D! * G! + T! * D!,
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'No question is asked: content words stand out by themselves. The gates of “cat”, “chases” and “mouse” open to 0.98, those of “the” and “a” to 0.02.',
        zh: '没有任何问题，实词自己凸显出来：“猫”“追”“老鼠”的门开到 0.98，“那”和“着”的门只有 0.02。',
      },
      tolerance: 0.005,
      holds: (trace) => {
        const gates = words.map((_, token) => rowAt(trace, 'gate', [token])[0]!);
        return [0.02, 0.98, 0.98, 0.02, 0.98].every((gate, token) => isNear(gates[token]!, gate, 0.005));
      },
    },
  },
  chineseLabels: { the: '那', cat: '猫', chases: '追', a: '着', mouse: '老鼠' },
  sampleOf,
  compute,
});
