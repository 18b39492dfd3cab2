/** The public types of `fovea/position`. T tokens, D width. */
import type { SinusoidalForm as Form } from '../../../build/generated/enums/sinusoidal_form.ts';
import type { GruOptions, RecurrentParams, RecurrentState, RnnOptions } from '../ops/recurrent/types.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { Layout } from '../attention/types/options.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';

/**
 * Where sines and cosines lie: 'interleaved' sin a₀, cos a₀, sin a₁, …; 'splitHalf' all sines, then all cosines; 'tensor2tensor' as
 * 'splitHalf', with angles that end at position / base.
 */
export type SinusoidalForm = Form;

export interface SinusoidalOptions {
  /** T. */
  readonly tokens: number;
  /** D. */
  readonly width: number;
  /** Default 10000. */
  readonly base?: number | undefined;
  /** The position of the first token, default 0. */
  readonly start?: number | undefined;
  /** Default 'interleaved', as in the paper. */
  readonly form?: SinusoidalForm | undefined;
}

/** Integers [T], or [B, T] for sequences that differ. */
export type PositionIds = IntegerInput;

/** Llama 3.1's frequencies: slow pairs turn `factor` times slower, fast ones as before, those between them in between. */
export interface Llama3Scaling {
  readonly factor: number;
  /** The tokens that the model was trained with at first. */
  readonly originalTokens: number;
  /** Pairs that turn less often than this within them are slow; default 1. */
  readonly lowFrequency?: number | undefined;
  /** Pairs that turn more often than this within them are fast; default 4. */
  readonly highFrequency?: number | undefined;
}

export interface RotaryOptions {
  /** The pairs that are rotated: false x[i] and x[i + R/2] (GPT-NeoX, Llama; the default), true x[2i] and x[2i + 1] (GPT-J, the paper). */
  readonly interleaved?: boolean | undefined;
  /** R, even: the first R numbers of a row turn, the others stay. Default: the width, or what the tables have. */
  readonly rotaryWidth?: number | undefined;
  /** Default 10000. */
  readonly base?: number | undefined;
  /** Positions are multiplied by it: 1/f makes f times as many fit (linear interpolation). Default 1. */
  readonly scale?: number | undefined;
  /** f: the base becomes base·f^(R/(R - 2)), so that the slowest pair turns f times slower. Default 1. */
  readonly ntk?: number | undefined;
  readonly llama3?: Llama3Scaling | undefined;
  /** The position of the first token, default 0. */
  readonly start?: number | undefined;
  /** The position of every token, in place of `start`. */
  readonly positions?: PositionIds | undefined;
  /** In place of base and its kind: [rows, R/2], row p for position p, or [B, T, R/2] for the tokens of x. */
  readonly cos?: ArrayInput | undefined;
  readonly sin?: ArrayInput | undefined;
  /** See `attention`. */
  readonly layout?: Layout | undefined;
  readonly heads?: number | undefined;
}

export interface LearnedOptions {
  /** Which rows; or tokens and start. */
  readonly positions?: PositionIds | undefined;
  /** T: as many rows from `start` on. */
  readonly tokens?: number | undefined;
  /** Default 0. */
  readonly start?: number | undefined;
}

export interface RecurrentPositionOptions
  extends Pick<RnnOptions, 'nonlinearity'>, Pick<GruOptions, 'resetAfter' | 'updateGate'> {
  /** T. */
  readonly tokens: number;
  /** The weights of one layer that runs forward: weight_hh_l0 tells which cell it is. There is no input, so weight_ih_l0 has no effect. */
  readonly params: RecurrentParams;
  /** The initial state of the cell, [P] and for an LSTM [Hd]; default 0. */
  readonly initialState?: RecurrentState | undefined;
}
