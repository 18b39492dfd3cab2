/** The options of `CausalDecoder` and of its calls. */
import type { KeyValueCache } from '../attention/types/entries.ts';
import { describe, fail } from '../errors/errors.ts';
import { isList, ownProperties, readOptions } from '../errors/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { CAUSAL_LAYER_OPTIONS, type CausalDecoderLayerOptions } from './layer_config.ts';

export interface CausalDecoderOptions extends CausalDecoderLayerOptions {
  /** V, how many tokens there are. */
  readonly vocabSize: number;
  readonly numLayers: number;
  /**
   * The options of single layers, in place of those above, one entry for each: windows and rotary positions that differ by layer, as in
   * Gemma. An entry may be empty.
   */
  readonly layers?: readonly Pick<CausalDecoderLayerOptions, 'window' | 'rope'>[] | undefined;
  /** The factor of the embedding's rows, as by √dModel in Gemma; default 1. */
  readonly embeddingScale?: number | undefined;
  /** Logits z become logitSoftcap·tanh(z / logitSoftcap), as in Gemma 2; default none. */
  readonly logitSoftcap?: number | undefined;
  /** The rows of learned positions that are added to the embedding, as in GPT-2; default none. */
  readonly maxPositions?: number | undefined;
  /** Whether the output's matrix is the embedding's. Default true; false: `head.weight` [V, E]. */
  readonly tieWeights?: boolean | undefined;
}

/** @internal */
export const DECODER_OPTIONS = [
  ...CAUSAL_LAYER_OPTIONS,
  ...(['vocabSize', 'numLayers', 'layers', 'embeddingScale', 'logitSoftcap', 'maxPositions', 'tieWeights'] as const),
] satisfies readonly (keyof CausalDecoderOptions)[];

/** @internal */
export const MAX_LAYERS = 4096;

export interface CausalForwardOptions {
  /** A `KvCache` for each layer, in order: see `cacheOptions`. Left out, the ids are the whole sequence. */
  readonly caches?: readonly KeyValueCache[] | undefined;
}

export interface CausalWeightsOptions extends CausalForwardOptions {
  readonly layers: readonly number[];
}

export interface CausalWeights {
  readonly logits: NDArray;
  readonly weights: readonly NDArray[];
}

/** @internal */
export function readSingleLayers(fn: string, layers: unknown, count: number): readonly object[] {
  if (layers === undefined) return [];
  if (!isList(layers) || layers.length !== count)
    return fail('value', fn, `layers must be a list of one object per layer, ${count}, got ${describe(layers)}`);
  return [...layers].map((one) => ownProperties(readOptions<object>(fn, one as object, ['window', 'rope'] as never[])));
}
