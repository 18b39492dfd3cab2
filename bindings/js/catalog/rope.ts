import type { AttentionOptions } from '../attention/types/index.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { rotaryEmbedding } from '../position/index.ts';
import { attention, attentionWork, without, type QueriesKeysValues } from './calls/attention_call.ts';
import { cosines, findPrevious, poems, sines } from './calls/positions.ts';
import { option } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';

/** Every key is the same vector; every query is that vector, rotated back by one step. */
const key = cosines.flatMap(() => [1, 0]);
const query = cosines.flatMap((cos, n) => [cos, -sines[n]!]);

function sampleOf(words: readonly string[]) {
  const [k, q] = [words.map(() => key), words.map(() => query)];
  const v = words.map((_, place) => [place]);
  return {
    inputs: { q, k, v },
    options: { start: 0, scale: 10 },
    labels: { q: [words, null], k: [words, null], v: [words, null] },
    claim: {
      text: {
        en: 'All queries are equal and all keys are equal; rotated by their positions, every token but the first weighs the one before it at least 0.988. Only the distance counts: from any other start the weights are the same.',
        zh: '所有查询都相同，所有键也都相同；按各自的位置旋转之后，除首字外每个字给前一个字的权重都不低于 0.988。起作用的只有距离：整体从别的位置开始，权重不变。',
      },
      tolerance: 0,
      holds: (trace) => findPrevious(trace, words.length, 0.988),
    },
    contrast: { inputs: { q: k, k, v } },
    sizes: { H: 1, Tq: words.length, Tk: words.length, D: 16, Dv: 1 },
  } satisfies EntryDefaults;
}
const sample = sampleOf(poems.en);

export default option({
  id: 'rope',
  family: 'selfAttention',
  title: { en: 'Rotary position embedding (RoPE)', zh: '旋转位置编码（RoPE）' },
  aliases: ['RoPE', 'rotary embedding', '旋转式位置编码'],
  notations: [
    {
      text: 'GPT-NeoX, Llama',
      writes: { en: 'pairs x[i], x[i + D/2]', zh: 'x[i] 与 x[i + D/2] 配成对' },
      means: {
        en: 'pairs x[2i], x[2i + 1] with interleaved: true, as in the paper',
        zh: 'interleaved: true 时 x[2i] 与 x[2i + 1] 配成对，与论文一致',
      },
    },
  ],
  paper: {
    authors: 'Su, Lu, Pan, Murtadha, Wen, Liu',
    title: 'RoFormer: Enhanced Transformer with Rotary Position Embedding',
    year: 2021,
    url: 'https://arxiv.org/abs/2104.09864',
    equations: '§3.2.2, eq. 14 to 16',
  },
  equation:
    'A_{ij} = \\operatorname{softmax}_j\\left((R_i q_i)^\\top (R_j k_j) / \\sqrt{d}\\right) = \\operatorname{softmax}_j\\left(q_i^\\top R_{j-i} k_j / \\sqrt{d}\\right)',
  parent: 'sinusoidal',
  slots: { score: 'q_i^\\top R_{j-i} k_j / \\sqrt{d}' },
  complexity: {
    ...attentionWork,
    sizes: sample.sizes,
    multiplyAdds: (sizes) => attentionWork.multiplyAdds(sizes) + 2 * sizes['H']! * (sizes['Tq']! + sizes['Tk']!) * sizes['D']!,
  },
  ranges: { 'options.start': { from: 0, to: 1000, step: 1 }, 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'fovea.attention(rotaryEmbedding(fovea, q, { interleaved: true, start }), rotaryEmbedding(fovea, k, { interleaved: true, start }), v, { scale, returnWeights: true })',
  defaults: sample,
  chinese: sampleOf(poems.zh),
  sampleOf,
  compute: (fovea: Fovea, { q, k, v }: QueriesKeysValues, _: object, options: AttentionOptions & { start: number }) => {
    const angles = { interleaved: true, start: options.start };
    const rotated = { q: rotaryEmbedding(fovea, q, angles), k: rotaryEmbedding(fovea, k, angles), v };
    return attention(fovea, rotated, {}, without(options, ['start']));
  },
});
