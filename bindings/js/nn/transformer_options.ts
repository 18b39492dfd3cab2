/** The options that encoder and decoder layers of PyTorch's kind share, and those of their stacks. */
import type { ActivationName } from '../ops/activations.ts';
import type { SeedOption } from './module.ts';

export interface TransformerLayerOptions extends SeedOption {
  /** The width E of the tokens. */
  readonly dModel: number;
  readonly nHead: number;
  /** Default 2048. */
  readonly dimFeedforward?: number | undefined;
  /** Default 'relu'. */
  readonly activation?: ActivationName | undefined;
  /** Default 1e-5. */
  readonly layerNormEps?: number | undefined;
  /** Whether norms stand before attention and feed-forward (pre-norm), not behind the sums. Default false. */
  readonly normFirst?: boolean | undefined;
  /** Default true; false: neither the linear layers nor the norms have any. */
  readonly bias?: boolean | undefined;
  /** Default true, [B, T, E]; PyTorch's default is false, [T, B, E]. */
  readonly batchFirst?: boolean | undefined;
}

export interface TransformerStackOptions extends TransformerLayerOptions {
  readonly numLayers: number;
  /** Whether a norm `norm` stands behind the last layer; default false. */
  readonly finalNorm?: boolean | undefined;
}

/** @internal */
export const LAYER_OPTIONS = [
  ...(['dModel', 'nHead', 'dimFeedforward', 'activation', 'layerNormEps', 'normFirst', 'bias', 'batchFirst'] as const),
  'seed',
] as const satisfies readonly (keyof TransformerLayerOptions)[];
