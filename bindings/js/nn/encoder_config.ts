/** The options of encoder layers, read. */
import { fail } from '../errors/errors.ts';
import { checkBoolean, isFunction, isList, readEntries } from '../errors/options.ts';
import { readWindow } from '../attention/options/positions.ts';
import type { RowNorm } from '../../../build/generated/enums/row_norm.ts';
import type { Instance } from '../runtime/instance.ts';
import { checkLayerKinds, matricesWith, readRope, type LayerConfig, type RopeOptions } from './layer_config.ts';
import { readSize } from './sizes.ts';
import { LAYER_OPTIONS, type TransformerLayerOptions, type TransformerStackOptions } from './transformer_options.ts';

/** Tokens before and behind its own that a token attends to, both counted without it; -1 = all on that side. */
export type EncoderWindow = readonly [left: number, right: number];

/** Options that PyTorch's layers lack. */
interface EncoderOptions {
  /** Whether the feed-forward is W₂·(up(x)·activation(gate(x))), as SwiGLU; `activation` is then 'silu' by default. Default false. */
  readonly gated?: boolean | undefined;
  /** Default 'layer'; 'rms' as in Llama, `bias` being then false by default. */
  readonly norm?: RowNorm | undefined;
  /** Whether the projections of attention have biases; default `bias`. */
  readonly attentionBias?: boolean | undefined;
  /** Whether `linear1` and `linear2` have biases; default `bias`. */
  readonly feedForwardBias?: boolean | undefined;
  /** Whether layer norms have biases; default `bias`. RMS norms have none. */
  readonly normBias?: boolean | undefined;
  /** Rotary positions of queries and keys, from 0 in each sequence; default none. */
  readonly rope?: RopeOptions | undefined;
}

export interface TransformerEncoderLayerOptions extends TransformerLayerOptions, EncoderOptions {
  /** Default none. A `window` of the call stands in its place. */
  readonly window?: EncoderWindow | null | undefined;
}

export interface TransformerEncoderOptions extends TransformerStackOptions, EncoderOptions {
  /**
   * One for all layers, one for each in a list, or a function that gives that of layer 0, 1, …; null = none, the default. A `window` of the
   * call stands in place of all.
   */
  readonly window?:
    EncoderWindow | null | readonly (EncoderWindow | null)[] | ((layer: number) => EncoderWindow | null) | undefined;
}

/** @internal */
export const ENCODER_LAYER_OPTIONS = [
  ...LAYER_OPTIONS,
  ...(['gated', 'norm', 'attentionBias', 'feedForwardBias', 'normBias', 'rope', 'window'] as const),
] as const satisfies readonly (keyof TransformerEncoderLayerOptions)[];

/**
 * The layer that the options describe, without its window.
 * @internal
 */
export function readEncoderConfig(
  instance: Instance,
  fn: string,
  known: Omit<TransformerEncoderLayerOptions, 'window'>,
): LayerConfig {
  const dModel = readSize(fn, 'dModel', known.dModel);
  const heads = readSize(fn, 'nHead', known.nHead);
  if (dModel % heads !== 0) fail('shape', fn, `nHead must divide dModel, got dModel ${dModel}, nHead ${heads}`);
  const headDim = dModel / heads;
  const { gated = false, norm = 'layer', layerNormEps: eps = 1e-5, normFirst = false, seed } = known;
  const { activation = gated ? 'silu' : 'relu', bias = norm === 'layer' } = known;
  const { attentionBias = bias, feedForwardBias = bias, normBias = bias && norm === 'layer' } = known;
  for (const [name, value] of Object.entries({ normFirst, bias, attentionBias, feedForwardBias, normBias }))
    checkBoolean(fn, name, value);
  checkLayerKinds(fn, { gated, norm, activation, eps }, 'layerNormEps');
  if (normBias && norm === 'rms') fail('option', fn, "normBias cannot be combined with norm: 'rms', whose norms have none");
  return {
    ...{ dModel, heads, kvHeads: heads, headDim, gated, norm, activation, eps, normBias, seed },
    between: readSize(fn, 'dimFeedforward', known.dimFeedforward, 2048),
    normPlace: normFirst ? 'before' : 'behindSum',
    attentionNorm: true,
    biased: matricesWith({ qkv: attentionBias, out: attentionBias, feedForward: feedForwardBias }),
    qkNorm: false,
    rope: known.rope === undefined ? null : readRope(instance, fn, known.rope, headDim),
    attention: { causal: false, window: undefined },
    inOut: false,
  };
}

/**
 * The config with a window.
 * @internal
 */
export function withWindow(fn: string, config: LayerConfig, window: unknown, name = 'window'): LayerConfig {
  if (window === undefined || window === null) return config;
  return { ...config, attention: { ...config.attention, window: readWindow(fn, window, name) } };
}

/**
 * The config of each layer of a stack, whose windows may differ.
 * @internal
 */
export function withWindows(fn: string, config: LayerConfig, window: unknown, count: number): LayerConfig[] {
  const each = (windowOf: (n: number) => unknown): LayerConfig[] =>
    Array.from({ length: count }, (_, n) => withWindow(fn, config, windowOf(n), `window of layer ${n}`));
  if (isFunction(window)) return each((n) => (window as (layer: number) => unknown)(n));
  if (!isList(window) || typeof window[0] === 'number') return Array<LayerConfig>(count).fill(withWindow(fn, config, window));
  if (window.length !== count)
    fail(
      'value',
      fn,
      `window must be [left, right], or a list of one for each of ${count} layers, got ${window.length} entries`,
    );
  const list = readEntries(fn, 'window', window, (entry) => entry);
  return each((n) => list[n]);
}
