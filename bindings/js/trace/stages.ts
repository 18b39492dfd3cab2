/** The public types of traces. */
/** Which part of a trace to keep; without it everything is kept. */
export interface TraceSelection {
  readonly batch?: number | undefined;
  readonly head?: number | undefined;
  /** Query rows [from, to). */
  readonly rows?: readonly [number, number] | undefined;
}

/** The entries along an axis of a stage. 'token' is an axis of inputs and of states, 'valueFeature' the second width of a state. */
export type TraceAxis =
  | 'batch'
  | 'head'
  | 'query'
  | 'key'
  | 'token'
  | 'feature'
  | 'valueFeature'
  | 'step'
  | 'word'
  | 'layer'
  | 'row'
  | 'column'
  | 'edge'
  | 'round'
  | 'hop'
  | 'sentence'
  | 'memory'
  | 'candidate'
  | 'class'
  | 'base'
  | 'kind';

/** One named step of a computation, in the order in which it happens. */
export interface TraceStage {
  readonly name: string;
  /** LaTeX, row notation: softmax(QKᵀ/√d)V. */
  readonly formula: string;
  readonly shape: number[];
  /** The name of each axis of `shape`. */
  readonly axes: TraceAxis[];
  readonly data: Float32Array;
}
