/** The public types of recurrent layers. B sequences of T tokens, I wide; Hd hidden width; P = Hd, or what W_hr projects to. */
import type { Tensor } from '../../tensor/tensor.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { NDArray } from '../../tensor/array_types.ts';

/**
 * The weights by their names in PyTorch: `weight_ih_l0` [G·Hd, I], `weight_hh_l0` [G·Hd, P], `bias_ih_l0` and `bias_hh_l0` [G·Hd]
 * (each may be left out), `weight_hr_l0` [P, Hd] of an LSTM that projects; `_l1`, … for the layers above, whose I is the width of
 * the output below; with `_reverse` behind it for the direction that runs backward. How many layers and which directions there
 * are is read off the names. The G gates lie one after another: LSTM i, f, g, o; GRU r, z, n.
 */
export type RecurrentParams = Readonly<
  Partial<
    Record<`${`weight_${'ih' | 'hh' | 'hr'}` | `bias_${'ih' | 'hh'}`}_l${number}${'' | '_reverse'}`, ArrayInput | undefined>
  >
>;

/** [layers · directions, B, width], as a call returns it; without the axis B where x has none. */
export interface RecurrentState<A = ArrayInput> {
  /** P wide. */
  readonly hidden?: A | undefined;
  /** LSTM only, Hd wide. */
  readonly cell?: A | undefined;
}

export interface RecurrentOptions {
  /** The order of axes of an x of rank 3 and of the output: 'btd' [B, T, I] (default), or 'tbd' [T, B, I]. */
  readonly layout?: 'btd' | 'tbd' | undefined;
  /** The initial state of the layers; default 0. */
  readonly initialState?: RecurrentState | undefined;
  /**
   * [B] integers 0…T: tokens from there on are padding. Their output is 0, the last state is that after the last token before
   * them, and the backward direction begins there.
   */
  readonly lengths?: readonly number[] | Int32Array | BigInt64Array | undefined;
  readonly out?: { readonly output?: NDArray | Tensor | undefined } | undefined;
}

export interface RnnOptions extends RecurrentOptions {
  /** Default 'tanh'. */
  readonly nonlinearity?: 'tanh' | 'relu' | undefined;
}

export interface GruOptions extends RecurrentOptions {
  /**
   * Default true: r multiplies W_hn h + b_hn, as in PyTorch. false: r multiplies h before W_hn does, as in Cho et al. 2014 and in
   * ONNX with linear_before_reset = 0.
   */
  readonly resetAfter?: boolean | undefined;
  /**
   * The part of the update gate. Default 'keep': z is the share of h that stays, h' = (1 - z)∘n + z∘h, as in PyTorch, ONNX and Cho et
   * al. 2014. 'replace': z is the share of n that comes in, h' = (1 - z)∘h + z∘n, as in Bahdanau, Cho, Bengio 2015.
   */
  readonly updateGate?: 'keep' | 'replace' | undefined;
}

export interface RecurrentResult<A = NDArray> {
  /** The shape of x, but directions · P wide: forward first, then backward. */
  output: A;
  /** The state after the last token of each layer and direction. */
  hidden: A;
}

export interface LstmResult<A = NDArray> extends RecurrentResult<A> {
  cell: A;
}
