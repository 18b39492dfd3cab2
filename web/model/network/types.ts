/** Messages between the page and the worker that runs a model. T tokens, E width, H heads, D width of a head. */

/** A head's replacement. Sizes are in tokens. */
export type HeadChange =
  | { readonly kind: 'off' }
  | { readonly kind: 'window'; readonly reach: number }
  | { readonly kind: 'topK'; readonly k: number }
  | { readonly kind: 'linear' };

export interface ChangedHead {
  readonly layer: number;
  readonly head: number;
  readonly change: HeadChange;
}

interface Rows {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Queries, keys and values of a layer's heads, after positions have turned queries and keys. */
export interface HeadInputs {
  /** [T, H·D] */
  readonly q: Rows;
  /** [T, Hkv·D]: H / Hkv heads of queries share one of keys and values. */
  readonly k: Rows;
  readonly v: Rows;
  readonly headDim: number;
  readonly causal: boolean;
}

/** One layer's part of a forward pass. */
export interface LayerPass {
  readonly inputs: HeadInputs;
  /** [H, T, T] */
  readonly weights: Float32Array;
  /** [H, T]: the length of what a head adds to each token, ‖output · Woᵀ‖ with the head's columns of Wo. */
  readonly contributions: Float32Array;
  /** [H, T]: the length of each token's value after Wo: a weight times it is what the token adds to another. */
  readonly values: Float32Array;
}

/** One forward pass over one input, as its pictures need it. */
export interface ForwardPass {
  readonly tokens: readonly string[];
  readonly heads: number;
  readonly layers: readonly LayerPass[];
}
