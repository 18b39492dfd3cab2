/** A family of models as the runners see it: its layers, its tables, its head, and how its file names the weights. */
import type { CausalDecoderOptions } from '../../nn/causal_decoder_options.ts';
import type { LayerConfig } from '../../nn/layer_config.ts';
import type { ActivationName } from '../../ops/activations.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { ModelConfig } from '../config.ts';

/** Pairs [from, to] that turn a name of the file into one of the module: see `LoadOptions.rename` of fovea/nn. */
export type RenameTable = readonly (readonly [from: string | RegExp, to: string])[];

/** Weights whose numbers in a file are not the module's: which, by the module's names, and how they become the module's. */
export interface Convert {
  readonly names: RegExp;
  readonly numbers: (data: Float32Array) => Float32Array;
}

/** The part that gives classes or tags: out(activation(dense(state))), or out(state). */
export interface HeadSpec {
  /** The state that it reads: the first token's, the mean of all, or each token's. */
  readonly of: 'first' | 'mean' | 'tokens';
  readonly labels: readonly string[];
  readonly dense: { readonly activation: ActivationName; readonly bias: boolean; readonly norm: boolean } | null;
  readonly bias: boolean;
}

export interface EncoderSpec {
  readonly kind: 'encoder';
  readonly architecture: string;
  readonly layers: readonly LayerConfig[];
  readonly vocabSize: number;
  /** Learned positions: the rows of their table, and the row of the first token; null where there are none. */
  readonly positions: { readonly rows: number; readonly first: number } | null;
  /** Kinds of tokens that have a row each; 0 where there are none. */
  readonly types: number;
  /** T5's two-way table of biases by distance, for all layers; null where there is none. */
  readonly distanceBuckets: { readonly buckets: number; readonly maxDistance: number } | null;
  readonly finalNorm: boolean;
  /** The most tokens that the weights allow. */
  readonly maxTokens: number;
  readonly head: HeadSpec | null;
  readonly rename: RenameTable;
  readonly convert?: Convert;
}

export interface DecoderSpec {
  readonly kind: 'decoder';
  readonly architecture: string;
  readonly options: CausalDecoderOptions;
  readonly maxTokens: number;
  readonly rename: RenameTable;
  readonly convert?: Convert;
}

/** A family reads the config. */
export type EncoderFamily = (config: ModelConfig, instance: Instance) => EncoderSpec;
export type DecoderFamily = (config: ModelConfig) => DecoderSpec;
