/** The public types of `fovea/linear-attention`. Letters as in fovea.ts; F features. */
import type { ArrayInput } from '../tensor/array_input.ts';
import type { Layout } from '../attention/types/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { FeatureMap as CoreFeatureMap } from '../../../build/generated/enums/feature_map.ts';
import type { UpdateRule as Rule } from '../../../build/generated/enums/update_rule.ts';
import type { Requested } from '../attention/types/results.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * φ, by which similarity becomes a product: sim(q, k) = φ(q)·φ(k).
 * - 'elu1': elu(x) + 1 (Katharopoulos et al. 2020, arXiv:2006.16236, eq. 7)
 * - 'relu': max(x, 0); 'squaredRelu': its square (arXiv:2109.08668); 'identity': x; 'exp': e^x
 * - 'softmax': Efficient Attention (Shen et al. 2021, arXiv:1812.01243): softmax over the width of q, over the tokens of k
 * - 'favor+': e^(w·x - |x|²/2)/√F for random w, whose mean is softmax's e^(q·k) (Performer, arXiv:2009.14794, eq. 7)
 * - 'taylor': (1, x, x⊗x/√2), whose product is 1 + q·k + (q·k)²/2 (Based, arXiv:2402.18668 §3.2)
 * - 'precomputed': q and k hold features already
 */
export type FeatureMap = CoreFeatureMap | 'precomputed';

/** How a token changes the state, as in ONNX LinearAttention (opset 27): see `linearAttention`. */
export type UpdateRule = Rule;

export interface FeatureOptions {
  /** Default 'elu1'; with an updateRule 'identity'. */
  readonly featureMap?: FeatureMap | undefined;
  /** 'favor+': how many, F; default D·⌈ln D⌉, at least D. */
  readonly features?: number | undefined;
  /** 'favor+': 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
  /** 'favor+': 0 to 2047, other features of the same seed; default 0. */
  readonly redraw?: number | undefined;
  /** 'favor+': w itself, [F, D], in place of features, seed and redraw. */
  readonly projection?: ArrayInput | undefined;
}

/** The sums over the tokens so far: constant in size. Axes that q lacks are left out. */
export interface LinearAttentionState<A = ArrayInput> {
  /** Σ φ(k)⊗v: [B, Hkv, F, Dv]. */
  readonly s: A;
  /** Σ φ(k), where the call normalizes: [B, Hkv, F]. */
  readonly z?: A | undefined;
  /** With 'exp' and 'favor+': s and z of each feature are divided by its e^m; -Infinity before the first key. [B, Hkv, F]. */
  readonly m?: A | undefined;
}

export interface GateOptions {
  /** For 'gated' and 'gatedDelta': ln of what the state is multiplied by, for all or as [..., Hkv, T] or [..., Hkv, T, F]. */
  readonly decay?: number | ArrayInput | undefined;
  /** For 'delta' and 'gatedDelta': how far the state moves towards a value, for all or as [..., Hkv, T]. */
  readonly beta?: number | ArrayInput | undefined;
}

/** The options that a call and a `LinearState` share. */
export interface LinearRuleOptions extends FeatureOptions, GateOptions {
  /** Causal whichever it is. */
  readonly updateRule?: UpdateRule | undefined;
  /** A fixed decay γ in (0, 1], for all or one per key/value head, in place of `decay` (RetNet, arXiv:2307.08621 eq. 5). */
  readonly retention?: number | readonly number[] | undefined;
  /** Divides by φ(q)·Σ φ(k) + eps: default true, with an updateRule false. 'softmax' knows no such thing. */
  readonly normalize?: boolean | undefined;
  /**
   * With 'exp', 'favor+' and 'taylor': of q·k before φ, half of it to each side; default 1/√D. With others it multiplies the
   * output where that is not normalized; default 1, with an updateRule 1/√D.
   */
  readonly scale?: number | undefined;
  /** Added to the denominator; default 0. */
  readonly eps?: number | undefined;
  /** 'l2': rows of q and k are brought to length 1 before anything else; a row of zeros stays. */
  readonly qkNormalize?: 'l2' | undefined;
  /** Tokens that are computed together, at least 1; the core takes at most 48. */
  readonly chunkSize?: number | undefined;
}

/** The type parameters are those of what asks for results: they are present in the result's type then. */
export interface LinearOptions<
  S extends boolean | undefined = boolean | undefined,
  T extends boolean | undefined = boolean | undefined,
> extends LinearRuleOptions {
  /** Query i sees the keys up to i; Tq = Tk then. Default false; with an updateRule true. */
  readonly causal?: boolean | undefined;
  /** [B] integers 0…Tk: keys from there on are padding. */
  readonly keyLengths?: readonly number[] | Int32Array | undefined;
  /** The state before these keys. */
  readonly initialState?: LinearAttentionState | undefined;
  readonly returnState?: S;
  readonly trace?: T;
  readonly out?: { readonly output?: NDArray | Tensor | undefined } | undefined;
  /** See `attention`. */
  readonly layout?: Layout | undefined;
  readonly heads?: number | undefined;
  readonly kvHeads?: number | undefined;
}

export interface LinearResult<A = NDArray> {
  /** q's rank and layout, width Dv. */
  output: A;
  state?: LinearAttentionState<A>;
  trace?: TraceStage[];
}

/** `LinearResult` with what `returnState` of type S and `trace` of type T ask for present. */
export type RequestedLinearResult<A, S, T> = LinearResult<A> &
  Requested<'state', LinearAttentionState<A>, S> &
  Requested<'trace', TraceStage[], T>;

/** The options of `linearState`: a rule, and the sizes of what it will see. */
export interface LinearStateOptions extends LinearRuleOptions {
  /** For all tokens; numbers of each token go to `step`. */
  readonly decay?: number | undefined;
  readonly beta?: number | undefined;
  /** Default 1, and then results have no axis for it where q has none. */
  readonly batch?: number | undefined;
  /** Hkv; the query heads of a step are a multiple of it. */
  readonly kvHeads: number;
  /** D. */
  readonly width: number;
  /** Dv; default: width. */
  readonly valueWidth?: number | undefined;
}

export interface StepOptions extends GateOptions {
  readonly out?: { readonly output?: NDArray | Tensor | undefined } | undefined;
}

/** A LinearState as JSON holds it; made by `toJSON`, read by `linearStateFrom`. */
export interface LinearStateJSON {
  readonly options: object;
  readonly length: number;
  readonly state: object;
}
