/** `TransformerEncoder`: layers one after another. */
import type { Fovea } from '../fovea/fovea.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { swapAxes } from './axes.ts';
import type { LayerNorm } from './layer_norm.ts';
import { Module } from './module.ts';
import type { LayerForwardOptions } from './forward_options.ts';
import { readSize } from './sizes.ts';
import {
  LAYER_OPTIONS,
  normOf,
  readLayerOptions,
  runSequences,
  TransformerEncoderLayer,
  type TransformerLayerOptions,
} from './transformer_encoder_layer.ts';

export interface TransformerStackOptions extends TransformerLayerOptions {
  readonly numLayers: number;
  /** Whether a LayerNorm `norm` stands behind the last layer; default false. */
  readonly finalNorm?: boolean | undefined;
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
  readonly #layers: readonly TransformerEncoderLayer[];
  readonly #norm: LayerNorm | null;
  readonly #batchFirst: boolean;

  /** Encoder layers, one after another: weights come from `loadStateDict`, or are drawn where `options.seed` is given. */
  constructor(fovea: Fovea, options: TransformerStackOptions) {
    const fn = 'TransformerEncoder';
    super(fn, fovea);
    const { numLayers, finalNorm, layer, seed } = readStackOptions(fn, options);
    this.#batchFirst = layer.batchFirst ?? true;
    this.#layers = Array.from({ length: numLayers }, (_, n) =>
      this.adopt(`layers.${n}`, new TransformerEncoderLayer(fovea, layer)),
    );
    this.#norm = finalNorm ? this.adopt('norm', normOf(fovea, layer)) : null;
    this.begin(fn, seed);
  }

  /**
   * Runs the encoder layers one after another, and the final norm where there is one.
   *
   * @param x [T, E] or [B, T, E]; [T, B, E] where batchFirst is false.
   * @param options masks and other attention options, for every layer.
   * @returns the shape of x.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   */
  forward<X extends ArrayInput>(x: X, options: LayerForwardOptions = {}): ResultArray<X> {
    const fn = this.fn('forward');
    return runSequences(this, fn, x, this.#batchFirst, (tensor) => {
      const attentionOptions = this.#layers[0]!.readOptions(fn, tensor, options);
      return runStack(this.#layers, this.#norm, tensor, (layer, input) => layer.run(fn, input, attentionOptions));
    });
  }

  /**
   * The states before, between and behind the layers, Hugging Face's `hidden_states`.
   *
   * @param x, options as `forward`.
   * @returns numLayers + 1 arrays of the shape of x: a copy of x, then the output of each layer; the last has the bits of `forward`, with the
   *   final norm where there is one.
   * @throws AttentionError as `forward`.
   */
  hiddenStates<X extends ArrayInput>(x: X, options: LayerForwardOptions = {}): ResultArray<X>[] {
    const fn = this.fn('hiddenStates');
    const { fovea } = this;
    const states = fovea.scope(() => {
      const tensor = isTensor(x) ? x.clone() : fovea.tensor(x);
      const first = this.#batchFirst ? tensor : swapAxes(this, fn, 'x', tensor);
      const attentionOptions = this.#layers[0]!.readOptions(fn, first, options);
      const list = [first];
      for (const layer of this.#layers) list.push(layer.run(fn, list.at(-1)!, attentionOptions));
      if (this.#norm !== null) list.push(this.#norm.forward(list.pop()!));
      const own = this.#batchFirst ? list : list.map((state) => swapAxes(this, fn, 'output', state));
      return isTensor(x) ? own : own.map((state) => state.toArray());
    });
    return states as ResultArray<X>[];
  }
}

/** `layer` without what is the stack's. */
export function readStackOptions(
  fn: string,
  options: TransformerStackOptions,
): { numLayers: number; finalNorm: boolean; layer: TransformerLayerOptions; seed: number | undefined } {
  const known = readOptions(fn, options, [...LAYER_OPTIONS, 'numLayers', 'finalNorm'], translate);
  const { numLayers, finalNorm = false, seed, ...layer } = known;
  checkBoolean(fn, 'finalNorm', finalNorm);
  return { numLayers: readSize(fn, 'numLayers', numLayers), finalNorm, layer: readLayerOptions(fn, layer), seed };
}

/** Each layer's input but the first is freed once it is used. */
export function runStack<L>(
  layers: readonly L[],
  norm: LayerNorm | null,
  x: Tensor,
  run: (layer: L, input: Tensor, n: number) => Tensor,
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
