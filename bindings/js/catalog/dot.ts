import { score } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';
import { isChinese, readableWords } from './samples/words.ts';

/** The word that asks. */
const asking = { en: 'king', zh: '国王' };

function sampleOf(words: readonly string[], has?: HasFeature) {
  const query = isChinese(words) ? asking.zh : asking.en;
  const { vectors, axes } = readableWords([...words, query], ['royal', 'male', 'female'], false, has);
  const [k, q] = [vectors.slice(0, words.length), vectors.slice(words.length)];
  return {
    inputs: { q, k, v: k },
    labels: { q: [[query], axes], k: [words, axes], v: [words, axes] },
    sizes: { Tk: words.length, D: axes.length, Dv: axes.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['man', 'woman', 'king', 'queen']);

export default option({
  id: 'dot',
  family: 'basics',
  title: { en: 'Dot-product attention', zh: '点积注意力' },
  aliases: ['dot product', 'dot score', 'multiplicative attention', '点积', '点积模型', '点击注意力', '乘性注意力'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'a slip of one Chinese character: “click attention”', zh: '点击注意力, 点击模型' },
      means: { en: 'dot-product attention, dot-product model', zh: '点积注意力、点积模型' },
    },
    { text: texts.example, writes: 'α_{ij} = q^i k^i', means: 'α_{ij} = q^i k^j' },
  ],
  paper: { ...luong2015, equations: '§3.1, dot' },
  equation: '\\operatorname{softmax}(Q K^\\top)\\, V',
  parent: null,
  slots: { score: 'q^\\top k' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, ...sizes } },
  code: 'fovea.attention(q, k, v, { score: score.dot(), returnWeights: true })',
  defaults: {
    inputs,
    labels,
    claim: {
      text: {
        en: 'Scores count what two words share: “king” has 3 in common with itself, 1 with “man” and “queen”, 0 with “woman”. Its weights are 0.76, 0.10, 0.10 and 0.04.',
        zh: '分数数的是两个词有多少共同点：“国王”与自己有 3 点相同，与“男人”“王后”各 1 点，与“女人”没有。权重依次是 0.76、0.10、0.10、0.04。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isRowNear(trace, 'scores', [0], [1, 0, 3, 1], 0) && isRowNear(trace, 'weights', [0], [0.1, 0.04, 0.76, 0.1], 0.005),
    },
    contrast: { options: { score: score.cosine() } },
  },
  chineseLabels: { man: '男人', woman: '女人', king: '国王', queen: '王后' },
  sampleOf,
  compute: attentionWith(() => ({ score: score.dot() })),
});
