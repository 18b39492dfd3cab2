/** `TransformerEncoder`: layers one after another. */
import type { Fovea } from '../fovea/fovea.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { runEncoder, type EncoderParts } from './encoder_call.ts';
import { ENCODER_LAYER_OPTIONS, readEncoderConfig, withWindows, type TransformerEncoderOptions } from './encoder_config.ts';
import { EncoderLayer } from './encoder_layer.ts';
import type { EncoderForwardOptions } from './forward_options.ts';
import type { LayerConfig } from './layer_config.ts';
import { declareNorm } from './layer_weights.ts';
import { Module } from './module.ts';
import { readSize } from './sizes.ts';

/** The norm behind the last layer, `norm.…`: a module inside, so that its weights come after those of the layers, as in PyTorch. */
class FinalNorm extends Module {
  constructor(fovea: Fovea, config: LayerConfig) {
    super('FinalNorm', fovea);
    declareNorm(this, 'norm', config);
  }
}

/**
 * `torch.nn.TransformerEncoder`, with its names: `layers.0.…`, `layers.1.…`, … as TransformerEncoderLayer; `norm.…` of the final norm.
 *
 * MASKS ARE PyTorch's: true means NOT allowed. See `LayerForwardOptions`.
 *
 * @example
 * import { TransformerEncoder } from 'fovea/nn';
 * const encoder = new TransformerEncoder(fovea, { numLayers: 2, dModel: 4, nHead: 2, dimFeedforward: 8, seed: 1 });
 * const { shape } = encoder.forward([[1, 0, 0, 1], [0, 1, 1, 0]]);
 * console.assert(shape.join() === '2,4' && encoder.stateDict().has('layers.1.self_attn.in_proj_weight'));
 */
export class TransformerEncoder extends Module {
  readonly #parts: EncoderParts;

  /** Encoder layers, one after another: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerEncoderOptions) {
    const fn = 'TransformerEncoder';
    super(fn, fovea);
    const names = [...ENCODER_LAYER_OPTIONS, 'numLayers', 'finalNorm'] as const;
    const known = readOptions(fn, options, names, translate);
    const { numLayers, finalNorm = false, batchFirst = true, window } = known;
    checkBoolean(fn, 'finalNorm', finalNorm);
    checkBoolean(fn, 'batchFirst', batchFirst);
    const count = readSize(fn, 'numLayers', numLayers);
    const config = readEncoderConfig(this.instance, fn, known);
    const configs = withWindows(fn, config, window, count);
    this.#parts = {
      layers: configs.map((own, n) => this.adopt(`layers.${n}`, new EncoderLayer(fovea, own))),
      finalNorm: finalNorm ? this.adopt('', new FinalNorm(fovea, config)) : null,
      batchFirst,
    };
    this.begin(fn, known.seed);
  }

  /**
   * Runs the encoder layers one after another, and the final norm where there is one.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false; [ΣT, E] with `lengths`.
   * @param options masks and other attention options, for every layer.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options: EncoderForwardOptions = {}): ResultArray<X> {
    return runEncoder(this, this.fn('forward'), this.#parts, x, options, false)[0]!;
  }

  /**
   * The states before, between and behind the layers, Hugging Face's `hidden_states`.
   *
   * @param x, options as `forward`.
   * @returns numLayers + 1 arrays of the shape of x: a copy of x, then the output of each layer; the last has the bits of `forward`, with the
   *   final norm where there is one.
   * @throws AttentionError as `forward`.
   */
  hiddenStates<X extends ArrayInput>(x: X, options: EncoderForwardOptions = {}): ResultArray<X>[] {
    return runEncoder(this, this.fn('hiddenStates'), this.#parts, x, options, true);
  }
}
