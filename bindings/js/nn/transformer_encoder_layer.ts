/** `TransformerEncoderLayer`: self-attention and feed-forward, each with its residual and its norm. */
import type { Fovea } from '../fovea/fovea.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { runEncoder, type EncoderParts } from './encoder_call.ts';
import { ENCODER_LAYER_OPTIONS, readEncoderConfig, withWindow, type TransformerEncoderLayerOptions } from './encoder_config.ts';
import { EncoderLayer } from './encoder_layer.ts';
import type { EncoderForwardOptions } from './forward_options.ts';
import { Module } from './module.ts';

/**
 * `torch.nn.TransformerEncoderLayer`, with its names: `self_attn.…` as MultiHeadAttention, `linear1.…`, `linear2.…` as FeedForward,
 * `norm1.…`, `norm2.…`. Post-norm: h = norm1(x + attention(x)), y = norm2(h + feedForward(h)); pre-norm: h = x +
 * attention(norm1(x)), y = h + feedForward(norm2(h)). With `gated` linear1 has 2·dimFeedforward rows, those of `up` before those of `gate`.
 *
 * MASKS ARE PyTorch's: true means NOT allowed. See `LayerForwardOptions`.
 * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.1; pre-norm: Xiong et al. 2020, arXiv:2002.04745; `gated`: Shazeer 2020, arXiv:2002.05202;
 * `norm: 'rms'`: Zhang, Sennrich 2019, arXiv:1910.07467; `rope`: Su et al. 2021, arXiv:2104.09864.
 *
 * @example
 * import { TransformerEncoderLayer } from 'fovea/nn';
 * const layer = new TransformerEncoderLayer(fovea, { dModel: 4, nHead: 2, dimFeedforward: 8, activation: 'gelu', seed: 1 });
 * const { shape } = layer.forward([[1, 0, 0, 1], [0, 1, 1, 0]], { keyPaddingMask: [false, true] });
 * console.assert(shape.join() === '2,4');
 */
export class TransformerEncoderLayer extends Module {
  readonly #parts: EncoderParts;

  /** An encoder layer: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerEncoderLayerOptions) {
    const fn = 'TransformerEncoderLayer';
    super(fn, fovea);
    const known = readOptions(fn, options, ENCODER_LAYER_OPTIONS, translate);
    const { window, batchFirst = true } = known;
    checkBoolean(fn, 'batchFirst', batchFirst);
    const config = withWindow(fn, readEncoderConfig(this.instance, fn, known), window);
    this.#parts = { layers: [this.adopt('', new EncoderLayer(fovea, config))], finalNorm: null, batchFirst };
    this.begin(fn, known.seed);
  }

  /**
   * Self-attention and the feed-forward layers, each with its residual and norm.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false; [ΣT, E] with `lengths`.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options: EncoderForwardOptions = {}): ResultArray<X> {
    return runEncoder(this, this.fn('forward'), this.#parts, x, options, false)[0]!;
  }
}
