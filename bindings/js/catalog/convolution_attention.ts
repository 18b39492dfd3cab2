import { convolutionAttention as compute } from '../mechanisms/convolution_attention.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf, valueAt } from './entry/stage_values.ts';

/** A dark left half, a bright right half. */
const image = [0, 1, 2, 3].map(() => [[0], [0], [1], [1]]);
/** Finds vertical edges. */
const W = [
  [-1, 0, 1],
  [-2, 0, 2],
  [-1, 0, 1],
].map((row) => row.map((tap) => [[tap]]));
const rows = ['row 1', 'row 2', 'row 3', 'row 4'];
const columns = ['column 1', 'column 2', 'column 3', 'column 4'];

export default system({
  id: 'convolution_attention',
  family: 'beyondText',
  title: { en: 'Self-attention that is a convolution', zh: '等同于卷积的自注意力' },
  aliases: ['convolution as self-attention', 'quadratic positional encoding', '卷积是自注意力的特例', '卷积与自注意力'],
  notations: [
    {
      text: 'Cordonnier et al. 2020',
      writes: '−α(‖δ‖² − 2⟨δ, Δ⟩)',
      means: { en: '−α‖δ − Δ‖², which differs by a constant of each row', zh: '−α‖δ − Δ‖²，每一行只差一个常数' },
    },
    {
      text: texts.chapter,
      writes: { en: 'the size of the receptive field is chosen by hand', zh: '感受野的大小是人决定的' },
      means: {
        en: 'head h sees the one position at Δ_h; all heads together are the receptive field',
        zh: '头 h 只看 Δ_h 处的一个位置；所有头合起来是感受野',
      },
    },
  ],
  paper: {
    authors: 'Cordonnier, Loukas, Jaggi',
    title: 'On the Relationship between Self-Attention and Convolutional Layers',
    year: 2020,
    url: 'https://arxiv.org/abs/1911.03584',
    equations: 'theorem 1 and the quadratic encoding',
  },
  equation:
    'o_q = \\sum_h \\left(\\sum_k \\operatorname{softmax}_k\\left(-\\alpha \\lVert (k - q) - \\Delta_h \\rVert^2\\right) x_k\\right) W_h + b',
  parent: 'image_self_attention',
  slots: { score: '0', bias: '-\\alpha \\lVert (k - q) - \\Delta_h \\rVert^2' },
  complexity: {
    letters: ['h', 'w', 'kh', 'kw', 'C', 'O'],
    sizes: { h: 4, w: 4, kh: 3, kw: 3, C: 1, O: 1 },
    pairs: ({ h, w, kh, kw }) => kh! * kw! * h! * w! * (h! + kh! - 1) * (w! + kw! - 1),
    multiplyAdds: ({ h, w, kh, kw, C, O }) => kh! * kw! * h! * w! * C! * ((h! + kh! - 1) * (w! + kw! - 1) + O!),
  },
  ranges: { 'options.alpha': { from: 0, to: 150, step: 0.5 } },
  defaults: {
    inputs: { image },
    params: { W },
    options: { alpha: 150 },
    labels: { image: [rows, columns, null], W: [['above', 'here', 'below'], ['left', 'here', 'right'], null, null] },
    claim: {
      text: {
        en: 'Nine heads, each sees one of the nine positions around a pixel; together they are the 3×3 convolution: both give 4.00 at the edge and differ nowhere. With a small α the heads blur.',
        zh: '九个头各看像素周围九个位置中的一个，合起来就是 3×3 卷积：在边缘处两者都是 4.00，处处相同。α 很小时，各头就模糊了。',
      },
      tolerance: 0.005,
      holds: (trace) => {
        const { data } = stageOf(trace, 'convolution');
        return (
          isNear(valueAt(trace, 'output', [1, 1, 0]), 4, 0.005) &&
          stageOf(trace, 'output').data.every((sum, n) => isNear(sum, data[n]!, 0.005))
        );
      },
    },
    contrast: { options: { alpha: 1 } },
  },
  compute,
});
