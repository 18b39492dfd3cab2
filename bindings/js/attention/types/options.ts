/** The options of `attention`. Dimension letters: B batch, H heads, Tq queries, Tk keys, D key width, Dv value width. */
import type { OutTargets } from '../../call/out_targets.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { ArrayData16, ForeignTensor, NestedBooleans, NestedNumbers, NestedRows } from '../../tensor/array_types.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { AttentionBias, AttentionScore } from './entries.ts';
import type { Normalizer } from './normalizer.ts';
import type { RequestTypes } from './results.ts';
import type { WeightScale } from './weight_scale.ts';

/**
 * Which pairs may attend (boolean) or what is added to their logits (float). Broadcast by NumPy's rule to [B, H, Tq, Tk].
 * Boolean: nested booleans, or a Uint8Array (0 = forbid, anything else = attend); true = attend, as in PyTorch's
 * scaled_dot_product_attention and ONNX. `torch.nn.MultiheadAttention` writes the opposite: invert its masks first.
 * Float: Float32Array, Float64Array, a Tensor or nested numbers; an entry of exactly -Infinity forbids the pair.
 */
export type MaskInput =
  | NestedBooleans
  | NestedNumbers
  | NestedRows
  | ArrayData16
  | ForeignTensor
  | Tensor
  | {
      readonly data: Uint8Array | Float32Array | Float64Array | readonly boolean[] | readonly number[];
      readonly shape: readonly number[];
    };

export type Layout = 'bhtd' | 'bthd' | 'btd';
export type CausalAlign = 'top-left' | 'bottom-right';

/** A learned row for every distance clip(j - p(i), -clip, clip): [2·clip + 1, width], or [H, 2·clip + 1, width]; finite. */
export interface RelativeRows {
  readonly table: ArrayInput;
  /** In positions, 0 or more. */
  readonly clip: number;
}

/** Where options are kept in a variable, R says what they ask for: `AttentionOptions<RequestTypes<true>>`. */
export interface AttentionOptions<R extends RequestTypes = RequestTypes> {
  /** How a query and a key are compared, in place of their dot product. Made by `fovea/score`. */
  readonly score?: AttentionScore | undefined;
  /** Multiplies the scores; default 1/√D, with a `score` 1 but for `score.scaledDot()`; may be 0 or negative. */
  readonly scale?: number | undefined;
  /** Key j is allowed for query i only if j ≤ p(i), where p(i) = i + offset. */
  readonly causal?: boolean | undefined;
  /** 'top-left': offset 0 (default). 'bottom-right': offset = keyLengths[b] (or Tk) - Tq. Not together with causalOffset. */
  readonly causalAlign?: CausalAlign | undefined;
  /** The offset itself, one number or one per batch entry; may be negative. */
  readonly causalOffset?: number | readonly number[] | Int32Array | BigInt64Array | undefined;
  /** [left, right], inclusive: p - left ≤ j ≤ p + right; -1 = unbounded on that side. */
  readonly window?: readonly [number, number] | undefined;
  readonly mask?: MaskInput | undefined;
  /** [B] integers 0…Tk: keys from there on are padding. */
  readonly keyLengths?: readonly number[] | Int32Array | BigInt64Array | undefined;
  /** softcap·tanh(score/softcap), before mask and bias; 0 = none. */
  readonly softcap?: number | undefined;
  /** One bias or several, added after the cap. Made by `fovea/score`; each kind at most once, but for alibi, whose slopes add up. */
  readonly bias?: AttentionBias | readonly AttentionBias[] | undefined;
  /** Added to the key by distance, so that a score is scale·q·(k + row); rows of width Dk (Shaw et al. 2018, arXiv:1803.02155). */
  readonly relativeKeys?: RelativeRows | undefined;
  /** Added to the value by distance: rows of width Dv. Never held for every pair. */
  readonly relativeValues?: RelativeRows | undefined;
  /** [H], a logit per head, or one for all: it only adds exp(sink) to the denominator. */
  readonly sinks?: number | readonly number[] | Float32Array | Tensor | undefined;
  /** How logits become weights; default 'softmax'. */
  readonly normalizer?: Normalizer | undefined;
  /** Above 0; divides the finished logits, whatever the normalizer; default 1. `returnLogits` gives those before it. */
  readonly temperature?: number | undefined;
  /** Multiplies the weights, `weights` included, after the normalizer; lse and logits know nothing of it. */
  readonly weightScale?: WeightScale | undefined;
  /** The pairs that may attend, besides all other masks; what is not among them is not computed. Made by `fovea/pattern`. */
  readonly pattern?: R['pattern'];
  /** 'dense' = an array of all pairs; 'sparse' = lists of the allowed ones; true = 'dense' without a pattern, 'sparse' with one. */
  readonly returnWeights?: R['weights'];
  readonly returnLse?: R['lse'];
  /** 'raw' = scale·score; 'capped' = after softcap; 'biased' = after bias and float mask, forbidden pairs -Infinity. */
  readonly returnLogits?: R['logits'];
  readonly trace?: R['trace'];
  readonly out?: OutTargets | undefined;
  /** Order of axes: 'bhtd' (default), 'bthd', or 'btd', which reads rank 3 as [B, T, D]. */
  readonly layout?: Layout | undefined;
  /** Number of query heads packed in the width: q is [B, T, H·D]. */
  readonly heads?: number | undefined;
  /** Number of key/value heads packed in the width of k and v; divides heads. Default: heads. */
  readonly kvHeads?: number | undefined;
}
