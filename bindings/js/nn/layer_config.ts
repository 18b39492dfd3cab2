/** The description of a layer of an encoder or a decoder: its sizes, norms, biases and attention, and the options of decoders, read. */
import { ROW_NORM, type RowNorm } from '../../../build/generated/enums/row_norm.ts';
import { fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger, ownProperties, readOptions } from '../errors/options.ts';
import type { SPEC_OPTIONS } from '../attention/options/attention_spec.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { readAngles, type Angles } from '../position/angles.ts';
import type { RotaryOptions } from '../position/types.ts';
import type { Instance } from '../runtime/instance.ts';
import { checkActivation, type ActivationName } from '../ops/activations.ts';
import type { SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

/** The most tokens that a cache may count. */
const MOST_TOKENS = 2 ** 29;

export interface CausalDecoderLayerOptions extends SeedOption {
  /** E, the width of the tokens. */
  readonly dModel: number;
  readonly nHead: number;
  /** Hkv, which divides nHead; default nHead. */
  readonly kvHeads?: number | undefined;
  /** D, the width of a head; default dModel / nHead. */
  readonly headDim?: number | undefined;
  /** Default 4·dModel. */
  readonly dimFeedforward?: number | undefined;
  /** Default 'geluTanh', with `gated` 'silu'. */
  readonly activation?: ActivationName | undefined;
  /** Whether the feed-forward is W₂·(up(x)·activation(gate(x))), as SwiGLU. Default false: W₂·activation(W₁·x). */
  readonly gated?: boolean | undefined;
  /** Default 'layer'; 'rms' as in Llama. */
  readonly norm?: RowNorm | undefined;
  /** Default 1e-5. */
  readonly normEps?: number | undefined;
  /**
   * Whether a second norm stands behind attention and another behind the feed-forward, before each is added to its input, as in Gemma 2:
   * `post_norm1`, `post_norm2`. Default false.
   */
  readonly postNorms?: boolean | undefined;
  /** Whether the linear layers and layer norms have one; default true with norm 'layer', false with 'rms'. */
  readonly bias?: boolean | undefined;
  /** Whether the projections of queries, keys and values have one, as in Qwen 2; default `bias`. */
  readonly qkvBias?: boolean | undefined;
  /** Whether the queries and keys of each head pass an RMS norm before their rotation, as in Qwen 3: `self_attn.q_norm`, `self_attn.k_norm`. Default false. */
  readonly qkNorm?: boolean | undefined;
  /** Rotary positions of queries and keys; default none. */
  readonly rope?: RopeOptions | undefined;
  /** How many tokens each attends to, itself and those before it; default all. A cache may be as short: `cacheOptions`. */
  readonly window?: number | undefined;
  /** The factor of the scores; default 1 / √headDim. */
  readonly scale?: number | undefined;
  /** Scores s become softcap·tanh(s / softcap); default none. */
  readonly softcap?: number | undefined;
  /** How the matrices of the linear layers are stored: 'outIn', the default, as in PyTorch's Linear; 'inOut' as in GPT-2's files. */
  readonly weightLayout?: WeightLayout | undefined;
}

export type RopeOptions = Pick<RotaryOptions, 'base' | 'scale' | 'ntk' | 'llama3' | 'interleaved' | 'rotaryWidth'>;

/** @internal */
export const CAUSAL_LAYER_OPTIONS = [
  ...(['dModel', 'nHead', 'kvHeads', 'headDim', 'dimFeedforward', 'activation', 'gated', 'norm', 'normEps', 'bias'] as const),
  ...(['postNorms', 'qkvBias', 'qkNorm', 'rope', 'window', 'scale', 'softcap', 'weightLayout', 'seed'] as const),
] as const satisfies readonly (keyof CausalDecoderLayerOptions)[];

/**
 * The matrices of a layer.
 * @internal
 */
export type LayerMatrix = 'self_attn.in_proj_' | 'self_attn.out_proj.' | 'linear1.' | 'linear2.';

/**
 * A layer of an encoder or a decoder.
 * @internal
 */
export interface LayerConfig {
  readonly dModel: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly between: number;
  readonly activation: ActivationName;
  readonly gated: boolean;
  readonly norm: RowNorm;
  readonly eps: number;
  /**
   * Where norms stand: before attention and before the feed-forward (Llama), behind the sum of each with its input (BERT), or before and behind
   * each (Gemma 2).
   */
  readonly normPlace: 'before' | 'behindSum' | 'around';
  /** False of a layer without the norm before attention, as ModernBERT's first. */
  readonly attentionNorm: boolean;
  /** The matrices that have a bias. */
  readonly biased: ReadonlySet<LayerMatrix>;
  readonly normBias: boolean;
  readonly qkNorm: boolean;
  readonly rope: RopeConfig | null;
  /** The pairs that attend, and what becomes of the scores. */
  readonly attention: Pick<AttentionOptions, (typeof SPEC_OPTIONS)[number]>;
  readonly inOut: boolean;
  readonly seed: number | undefined;
}

/** @internal */
export interface RopeConfig {
  readonly interleaved: boolean;
  readonly rotaryWidth: number;
  readonly frequencies: Angles['frequencies'];
  /** Equal for equal angles. */
  readonly key: string;
}

/** @internal */
export function readLayerConfig(instance: Instance, fn: string, options: CausalDecoderLayerOptions): LayerConfig {
  const known = readOptions(fn, options, CAUSAL_LAYER_OPTIONS, translate);
  const dModel = readSize(fn, 'dModel', known.dModel);
  const heads = readSize(fn, 'nHead', known.nHead);
  const kvHeads = readSize(fn, 'kvHeads', known.kvHeads, heads);
  if (heads % kvHeads !== 0) fail('shape', fn, `kvHeads must divide nHead, got nHead ${heads}, kvHeads ${kvHeads}`);
  if (known.headDim === undefined && dModel % heads !== 0)
    fail('shape', fn, `nHead must divide dModel, or headDim be given, got dModel ${dModel}, nHead ${heads}`);
  const headDim = readSize(fn, 'headDim', known.headDim, dModel / heads);
  const { gated = false, norm = 'layer', normEps: eps = 1e-5, weightLayout = 'outIn' } = known;
  const { activation = gated ? 'silu' : 'geluTanh', bias = norm === 'layer', postNorms = false, qkNorm = false } = known;
  const { qkvBias = bias, window, scale, softcap } = known;
  checkBoolean(fn, 'bias', bias);
  checkBoolean(fn, 'qkvBias', qkvBias);
  checkBoolean(fn, 'qkNorm', qkNorm);
  checkBoolean(fn, 'postNorms', postNorms);
  if (window !== undefined) checkInteger(fn, 'window', window, 1, MOST_TOKENS);
  if (scale !== undefined) checkFinite(fn, 'scale', scale);
  if (softcap !== undefined) checkPositive(fn, 'softcap', softcap);
  checkChoice(fn, 'weightLayout', weightLayout, ['outIn', 'inOut']);
  checkLayerKinds(fn, { gated, norm, activation, eps }, 'normEps');
  const between = readSize(fn, 'dimFeedforward', known.dimFeedforward, 4 * dModel);
  const rope = known.rope === undefined ? null : readRope(instance, fn, known.rope, headDim);
  const inOut = weightLayout === 'inOut';
  return {
    ...{ dModel, heads, kvHeads, headDim, between, activation, gated, norm, eps, rope, inOut, qkNorm, seed: known.seed },
    normPlace: postNorms ? 'around' : 'before',
    attentionNorm: true,
    biased: matricesWith({ qkv: qkvBias, out: bias, feedForward: bias }),
    normBias: bias && norm === 'layer',
    attention: { causal: true, window: window === undefined ? undefined : [window - 1, 0], scale, softcap },
  };
}

/**
 * Checks choices that encoders and decoders have alike; `epsName` is the name that options have for eps.
 * @internal
 */
export function checkLayerKinds(
  fn: string,
  { gated, norm, activation, eps }: Pick<LayerConfig, 'gated' | 'norm' | 'activation' | 'eps'>,
  epsName: string,
): void {
  checkBoolean(fn, 'gated', gated);
  checkChoice(fn, 'norm', norm, ROW_NORM);
  checkActivation(fn, activation);
  checkFinite(fn, epsName, eps);
  if (eps < 0) fail('value', fn, `${epsName} must be at least 0, got ${eps}`);
}

/**
 * The matrices of a layer that have a bias.
 * @internal
 */
export function matricesWith(bias: Readonly<Record<'qkv' | 'out' | 'feedForward', boolean>>): ReadonlySet<LayerMatrix> {
  const { qkv, out, feedForward } = bias;
  return new Set<LayerMatrix>([
    ...(qkv ? (['self_attn.in_proj_'] as const) : []),
    ...(out ? (['self_attn.out_proj.'] as const) : []),
    ...(feedForward ? (['linear1.', 'linear2.'] as const) : []),
  ]);
}

/** @internal */
export function checkPositive(fn: string, name: string, value: unknown): asserts value is number {
  checkFinite(fn, name, value);
  if ((value as number) <= 0) fail('value', fn, `${name} must be more than 0, got ${value}`);
}

/** @internal */
export function readRope(instance: Instance, fn: string, options: RopeOptions, headDim: number): RopeConfig {
  const known = readOptions(fn, options, ['base', 'scale', 'ntk', 'llama3', 'interleaved', 'rotaryWidth']);
  const { interleaved = false, rotaryWidth = headDim, ...angles } = known;
  checkBoolean(fn, 'rope.interleaved', interleaved);
  checkInteger(fn, 'rope.rotaryWidth', rotaryWidth, 2, headDim);
  if (rotaryWidth % 2 !== 0) fail('value', fn, `rope must rotate an even width, got ${rotaryWidth}`);
  const one: HeadsShape = {
    batch: 1,
    heads: 1,
    tokens: 1,
    width: headDim,
    batchStride: 0,
    headStride: 0,
    tokenStride: headDim,
  };
  const { frequencies } = readAngles(instance, fn, ownProperties(angles), one);
  return { interleaved, rotaryWidth, frequencies, key: `${rotaryWidth} ${Object.values(frequencies).join()}` };
}
