/** `TransformerDecoder`: layers one after another, all over the same memory. */
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { LayerNorm } from './layer_norm.ts';
import { Module } from './module.ts';
import { asMemory, TransformerDecoderLayer, type DecoderForwardOptions } from './transformer_decoder_layer.ts';
import { readStackOptions, runStack, type TransformerStackOptions } from './transformer_encoder.ts';
import { normOf, runSequences } from './transformer_encoder_layer.ts';

/**
 * `torch.nn.TransformerDecoder`, with its names: `layers.0.…`, `layers.1.…`, … as TransformerDecoderLayer; `norm.…` of the final norm.
 *
 * MASKS ARE PyTorch's: true means NOT allowed; `causal: true` is the mask of a decoder. See `LayerForwardOptions`.
 *
 * @example
 * import { TransformerDecoder } from 'fovea/nn';
 * const decoder = new TransformerDecoder(fovea, { numLayers: 2, dModel: 2, nHead: 1, dimFeedforward: 4, seed: 1 });
 * const { shape } = decoder.forward([[1, 0], [0, 1]], [[1, 1]], { causal: true });
 * console.assert(shape.join() === '2,2');
 */
export class TransformerDecoder extends Module {
  readonly #layers: readonly TransformerDecoderLayer[];
  readonly #norm: LayerNorm | null;
  readonly #batchFirst: boolean;

  /** Decoder layers, one after another: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerStackOptions) {
    const fn = 'TransformerDecoder';
    super(fn, fovea);
    const { numLayers, finalNorm, layer, seed } = readStackOptions(fn, options);
    this.#batchFirst = layer.batchFirst ?? true;
    this.#layers = Array.from({ length: numLayers }, (_, n) =>
      this.adopt(`layers.${n}`, new TransformerDecoderLayer(fovea, layer)),
    );
    this.#norm = finalNorm ? this.adopt('norm', normOf(fovea, layer)) : null;
    this.begin(fn, seed);
  }

  /**
   * Runs the decoder layers one after another, and the final norm where there is one.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false.
   * @param memory [Tm, E], [B, Tm, E] or [Tm, B, E]: what the encoder gave.
   * @param options masks and other attention options, for every layer.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, memory: ArrayInput, options: DecoderForwardOptions = {}): ResultArray<X> {
    const fn = this.fn('forward');
    return runSequences(this, fn, x, this.#batchFirst, (tensor) => {
      const seen = asMemory(this, fn, memory, this.#batchFirst);
      const attentionOptions = this.#layers[0]!.readOptions(fn, tensor, seen, options);
      return runStack(this.#layers, this.#norm, tensor, (layer, input) => layer.run(fn, input, seen, attentionOptions));
    });
  }
}
