import { transformerGenerate as compute } from '../mechanisms/transformer_generate.ts';
import { system } from './entry/define.ts';
import { vaswani2017 } from './entry/papers.ts';
import { largest, rowAt, stageOf, valueAt } from './entry/stage_values.ts';
import {
  decoderLayer,
  encoderLayer,
  predictedWord,
  previousWord,
  sameWord,
  translation,
  wordTable,
} from './samples/induction.ts';

/** Chinese on both pages, with what each word means on the English one. */
const glossed = ['⟨start⟩', '猫 (cats)', '追 (chase)', '老鼠 (mice)', '。'];
const sourceWords = ['（开始）', '猫', '追', '老鼠', '。'];
const source = [0, 1, 2, 3, 4];

export default system({
  id: 'transformer_generate',
  family: 'selfAttention',
  title: { en: 'Generation with a transformer', zh: 'Transformer 逐词生成' },
  aliases: [
    'language model',
    'decoder-only transformer',
    '语言模型',
    'greedy decoding',
    'autoregressive decoding',
    'KV cache',
    '贪心解码',
    '自回归生成',
    '键值缓存',
  ],
  notations: [
    {
      text: 'Vaswani et al. 2017',
      writes: { en: 'y = (y_1, …, y_m), one element at a time, by beam search', zh: 'y = (y_1, …, y_m)，用束搜索逐个生成' },
      means: { en: 'the likeliest word of each step: a beam of one', zh: '每一步取概率最大的词：束宽为 1' },
    },
  ],
  paper: { ...vaswani2017, equations: '§3.1' },
  equation: '\\hat y_t = \\operatorname{argmax}\\, \\mathrm{Transformer}(x, \\hat y_{<t})',
  parent: 'transformer',
  complexity: {
    letters: ['S', 'T', 'E', 'F', 'V', 'encoderLayers', 'decoderLayers', 'heads'],
    sizes: { S: source.length, T: 4, E: 32, F: 1, V: 5, encoderLayers: 1, decoderLayers: 1, heads: 1 },
    pairs: ({ S, T, encoderLayers, decoderLayers, heads }) =>
      heads! * (encoderLayers! * S! * S! + decoderLayers! * ((T! * (T! + 1)) / 2 + T! * S!)),
    multiplyAdds: ({ S, T, E, F, V, encoderLayers, decoderLayers }) =>
      encoderLayers! * (S! * (4 * E! + 2 * F!) * E! + 2 * S! * S! * E!) +
      decoderLayers! * (T! * (6 * E! + 2 * F!) * E! + 2 * S! * E! * E! + (T! * (T! + 1) + 2 * T! * S!) * E!) +
      T! * E! * V!,
  },
  ranges: { 'options.maxLength': { from: 1, to: 8, step: 1 } },
  defaults: {
    inputs: { source },
    params: {
      sourceEmbedding: { weight: wordTable },
      targetEmbedding: { weight: wordTable },
      encoder: { layers: { 0: encoderLayer(previousWord) } },
      decoder: { layers: { 0: decoderLayer(sameWord, translation) } },
      generator: { weight: predictedWord },
    },
    options: { heads: 1, normFirst: true, scaleEmbedding: false, start: 0, end: 4, maxLength: 8 },
    labels: { source: [glossed] },
    claim: {
      text: {
        en: 'From the Chinese “猫 (cats) 追 (chase) 老鼠 (mice) 。” it writes “cats chase mice.” word by word, and stops at the period; the whole has a probability above 0.99. The encoder tells each source word which one stood before it, so each word written finds the one that follows.',
        zh: '读入“猫追老鼠。”，它逐词写出 cats chase mice 和句号，到句号就停，整句概率在 0.99 以上。编码器给每个词记下它前面是谁，所以刚写出的词总能找到下一个。',
      },
      tolerance: 0,
      holds: (trace) =>
        stageOf(trace, 'logits').shape[0] === 4 &&
        [1, 2, 3, 4].every((word, step) => largest(rowAt(trace, 'logits', [step])) === word) &&
        // ln 0.99
        valueAt(trace, 'logProbability', []) > -0.01005,
    },
    contrast: { options: { positions: 'none' } },
  },
  chinese: { labels: { source: [sourceWords] } },
  compute,
});
