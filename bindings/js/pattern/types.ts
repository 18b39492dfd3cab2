/** The public types of `fovea/pattern`: options, and what patterns tell. */

/** A pattern as JSON holds it: `[builder, ...arguments]`, patterns among the arguments written the same way. */
export type PatternJSON = readonly [name: string, ...args: unknown[]];

/** The pairs that a pattern is asked about. */
export interface PatternSizes {
  readonly queries: number;
  readonly keys: number;
  /** Query i stands at position i + offset; default 0, may be negative. */
  readonly offset?: number | undefined;
  /** Query heads; by default as many as the pattern tells apart. */
  readonly heads?: number | undefined;
  /** Batch entries; by default as many as the pattern tells apart. */
  readonly batch?: number | undefined;
}

/** A boolean mask: 1 = may attend. */
export interface PatternMask {
  data: Uint8Array;
  shape: number[];
}

/** Kept pairs as lists. */
export interface PatternPairs {
  shape: number[];
  /** One more than there are rows. */
  indptr: Int32Array;
  indices: Int32Array;
}

/** Whether a pair is kept. */
export type PairFunction = (i: number, j: number, head: number, batch: number) => boolean;

export interface RandomOptions {
  /** How many blocks of keys each block of queries sees; all of them where there are no more. */
  readonly perQuery: number;
  /** Tokens in a block; default 1. */
  readonly block?: number | undefined;
  /** 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
}

export interface AxialOptions {
  /** The grid's lengths, e.g. [height, width]; the last varies fastest. */
  readonly shape: readonly number[];
  /** The axis to attend along: 0 … rank - 1, or -rank … -1 from the end. */
  readonly axis: number;
}

export interface NeighborsOptions {
  /** [height, width] */
  readonly shape: readonly [number, number];
  /** How many rows and columns a key may be away; [down, across] where they differ. */
  readonly radius: number | readonly [number, number];
  /** Tokens before those of the image, such as a class token: they see all tokens, and all tokens see them. Default 0. */
  readonly prefixTokens?: number | undefined;
}

export interface LongformerOptions {
  /** How many tokens besides its own a query sees, half of them on each side: even. */
  readonly window: number;
  /** Every so many positions one is seen; default 1. */
  readonly dilation?: number | undefined;
  /** Positions that see all and are seen by all; default none. */
  readonly globalTokens?: readonly number[] | Int32Array | undefined;
}

export interface BigBirdOptions {
  /** Tokens in a block; default 64. */
  readonly block?: number | undefined;
  /** Blocks of the sliding window, its own counted: odd; default 3. */
  readonly window?: number | undefined;
  /** How many blocks at the beginning see all and are seen by all; default 2. */
  readonly global?: number | undefined;
  /** How many blocks each block sees besides, drawn at random; default 3. */
  readonly random?: number | undefined;
  /** 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
}

/** Edges from a query to a key. */
export interface EdgesOptions {
  /** [query, key] pairs, or flat: query, key, query, key, … */
  readonly edges: readonly (readonly [number, number])[] | readonly number[] | Int32Array;
  /** Added to the logit of each edge, in the order of the edges. */
  readonly bias?: readonly number[] | Float32Array | undefined;
}

/** The keys of query i: indices[indptr[i]] up to indices[indptr[i + 1]]. */
export interface ListsOptions {
  /** [Tq + 1], from 0, never falling. */
  readonly indptr: readonly number[] | Int32Array;
  readonly indices: readonly number[] | Int32Array;
  /** Added to the logit of each edge, in the order of `indices`. */
  readonly bias?: readonly number[] | Float32Array | undefined;
}

export type GraphOptions = EdgesOptions | ListsOptions;

export interface LshOptions {
  /** How many buckets tokens fall into: even. */
  readonly buckets: number;
  /** How often they are hashed; a pair is kept that meets in any round. Default 1. */
  readonly rounds?: number | undefined;
  /** 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
}

/** Lists of positions. */
export type Positions = readonly number[] | Int32Array;
