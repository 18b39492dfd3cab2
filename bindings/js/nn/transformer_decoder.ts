/** `TransformerDecoder`: layers one after another, all over the same memory. */
import type { Fovea } from '../fovea/fovea.ts';
import type { KeyValueCache } from '../attention/types/entries.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { readDecoderCaches } from './decoder_caches.ts';
import { ownOptions } from './forward_options.ts';
import type { LayerNorm } from './layer_norm.ts';
import { Module } from './module.ts';
import { readSize } from './sizes.ts';
import {
  asMemory,
  normOf,
  readLayerOptions,
  runSequences,
  TransformerDecoderLayer,
  type DecoderForwardOptions,
} from './transformer_decoder_layer.ts';
import { LAYER_OPTIONS, type TransformerStackOptions } from './transformer_options.ts';

export interface DecoderStackForwardOptions extends DecoderForwardOptions {
  /**
   * A `KvCache` of fovea/cache for each layer's self-attention, in order, made with `cacheOptions`: they hold the tokens before x, and take
   * those of x in. Masks then have the tokens of the caches before those of x as keys. With `causal: true` the results are those of the whole
   * sequence.
   */
  readonly caches?: readonly KeyValueCache[] | undefined;
  /** Others, for the keys and values of memory. The first call fills them; later ones read them, and project memory no more. */
  readonly memoryCaches?: readonly KeyValueCache[] | undefined;
}

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
    const known = readOptions(fn, options, [...LAYER_OPTIONS, 'numLayers', 'finalNorm'], translate);
    const { numLayers, finalNorm = false, seed, ...own } = known;
    checkBoolean(fn, 'finalNorm', finalNorm);
    const length = readSize(fn, 'numLayers', numLayers);
    const layer = readLayerOptions(fn, own);
    this.#batchFirst = layer.batchFirst ?? true;
    this.#layers = Array.from({ length }, (_, n) => this.adopt(`layers.${n}`, new TransformerDecoderLayer(fovea, layer)));
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
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` (also where a cache has no room) | `internal`; the
   *   caches are then as they were.
   */
  forward<X extends ArrayInput>(x: X, memory: ArrayInput, options: DecoderStackForwardOptions = {}): ResultArray<X> {
    const fn = this.fn('forward');
    return runSequences(this, fn, x, this.#batchFirst, (tensor) => {
      const seen = asMemory(this, fn, memory, this.#batchFirst);
      const { caches, memoryCaches, ...rest } = ownOptions(fn, options);
      const { before, list, during } = readDecoderCaches(fn, this.#layers, tensor, seen, caches, memoryCaches);
      const read = this.#layers[0]!.readOptions(fn, tensor, seen, rest, before);
      return during(() =>
        runStack(this.#layers, this.#norm, tensor, (layer, input, n) => layer.run(fn, input, seen, { ...read, ...list[n]! })),
      );
    });
  }

  /** The options of `kvCache` of fovea/cache for each of `caches` and `memoryCaches`, but capacity and batch. */
  get cacheOptions(): { readonly kvHeads: number; readonly width: number } {
    return this.#layers[0]!.cacheOptions;
  }
}

/** Each layer's input but the first is freed once it is used. */
function runStack(
  layers: readonly TransformerDecoderLayer[],
  norm: LayerNorm | null,
  x: Tensor,
  run: (layer: TransformerDecoderLayer, input: Tensor, n: number) => Tensor,
): Tensor {
  let current = x;
  const step = (next: Tensor): void => {
    if (current !== x) current.dispose();
    current = next;
  };
  layers.forEach((layer, n) => step(run(layer, current, n)));
  if (norm !== null) step(norm.forward(current));
  return current;
}
