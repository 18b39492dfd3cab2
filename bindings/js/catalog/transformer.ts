import { transformer as compute } from '../mechanisms/transformer.ts';
import { system } from './entry/define.ts';
import { texts, vaswani2017 } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import {
  decoderLayer,
  encoderLayer,
  induction,
  predictedWord,
  previousWord,
  sameWord,
  wordTable,
} from './samples/induction.ts';

const vocabulary = ['⟨start⟩', 'cats', 'chase', 'mice', '.'];
const source = [1, 2, 3, 4];
const target = [0, 1, 2, 3, 4, 1, 2];
const namesOf = (ids: readonly number[]) => ids.map((id) => vocabulary[id]!);

export default system({
  id: 'transformer',
  family: 'selfAttention',
  title: { en: 'Transformer', zh: 'Transformer' },
  aliases: [
    'cross-attention',
    'encoder-decoder attention',
    '交叉注意力',
    'encoder-decoder transformer',
    'Attention Is All You Need',
    'Transformer 模型',
    '变换器',
  ],
  notations: [
    {
      text: 'Vaswani et al. 2017',
      writes: 'LayerNorm(x + Sublayer(x))',
      means: {
        en: 'normFirst: false; the defaults have x + Sublayer(LayerNorm(x))',
        zh: 'normFirst: false；这里的默认值是 x + Sublayer(LayerNorm(x))',
      },
    },
    {
      text: 'PyTorch',
      writes: 'in_proj_weight',
      means: { en: 'W_q, W_k, W_v above one another, each [out, in]', zh: 'W_q、W_k、W_v 上下相接，形状各为 [out, in]' },
    },
    {
      text: texts.example,
      writes: '\\sqrt{d_k}',
      means: { en: 'the root of E / heads, the width of a head', zh: 'E / heads 的平方根，E / heads 是每个头的维度' },
    },
  ],
  paper: { ...vaswani2017, equations: 'eq. 1 and 2, §3' },
  equation:
    '\\mathrm{SelfAttention} \\to \\mathrm{Attention}(\\text{memory}) \\to \\mathrm{FFN}, \\text{ each } x + f(\\operatorname{norm}(x)),\\quad p = \\operatorname{softmax}(Y W_g^\\top)',
  parent: 'multi_head',
  slots: { mask: 'j \\le i \\text{ in the decoder}' },
  complexity: {
    letters: ['S', 'T', 'E', 'F', 'V', 'encoderLayers', 'decoderLayers', 'heads'],
    sizes: { S: source.length, T: target.length, E: 32, F: 1, V: 5, encoderLayers: 1, decoderLayers: 2, heads: 1 },
    pairs: ({ S, T, encoderLayers, decoderLayers, heads }) =>
      heads! * (encoderLayers! * S! * S! + decoderLayers! * ((T! * (T! + 1)) / 2 + T! * S!)),
    multiplyAdds: ({ S, T, E, F, V, encoderLayers, decoderLayers }) =>
      encoderLayers! * (S! * (4 * E! + 2 * F!) * E! + 2 * S! * S! * E!) +
      decoderLayers! * (T! * (6 * E! + 2 * F!) * E! + 2 * S! * E! * E! + (T! * (T! + 1) + 2 * T! * S!) * E!) +
      T! * E! * V!,
  },
  defaults: {
    inputs: { source, target },
    params: {
      sourceEmbedding: { weight: wordTable },
      encoder: { layers: { 0: encoderLayer(sameWord) } },
      decoder: { layers: { 0: decoderLayer(previousWord, sameWord), 1: decoderLayer(induction, sameWord) } },
      generator: { weight: predictedWord },
    },
    options: { heads: 1, normFirst: true, scaleEmbedding: false },
    labels: { source: [namesOf(source)], target: [namesOf(target)] },
    claim: {
      text: {
        en: 'Two layers continue a repetition: in “cats chase mice. cats chase” the first writes to each word which one stood before it; the last “chase” then attends with more than 0.99 to “mice”, the word after the first “chase”, and predicts it with more than 0.99. With nothing to repeat, words rest on the first token.',
        zh: '两层就能接着重复的话说下去：在“猫追老鼠。猫追”里，第一层给每个词记下它前面是谁；最后的“追”于是以 0.99 以上的权重看向上一个“追”后面的“老鼠”，并以 0.99 以上的概率预测它。没有可重复的词时，就停在第一个词元上。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        isNear(valueAt(trace, 'decoderWeights', [1, 0, 6, 3]), 1, 0.01) &&
        isNear(valueAt(trace, 'probability', [6, 3]), 1, 0.01) &&
        [1, 2, 3, 4].every((word) => isNear(valueAt(trace, 'decoderWeights', [1, 0, word, 0]), 1, 0.01)),
    },
    // Without positions the first layer cannot tell which word stood before.
    contrast: { options: { positions: 'none' } },
  },
  chineseLabels: { '⟨start⟩': '（开始）', cats: '猫', chase: '追', mice: '老鼠', '.': '。' },
  compute,
});
