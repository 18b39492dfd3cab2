/** The options of decoders that generate token by token, read. */
import { ROW_NORM, type RowNorm } from '../../../build/generated/enums/row_norm.ts';
import { fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger, ownProperties, readOptions } from '../errors/options.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import type { WeightLayout } from '../attention/types/projected.ts';
import { readAngles, type Angles } from '../position/angles.ts';
import type { RotaryOptions } from '../position/types.ts';
import type { Instance } from '../runtime/instance.ts';
import { checkActivation, type ActivationName } from '../ops/activations.ts';
import type { SeedOption } from './module.ts';
import { readSize } from './sizes.ts';

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
  /** Whether the linear layers and layer norms have one; default true with norm 'layer', false with 'rms'. */
  readonly bias?: boolean | undefined;
  /** Rotary positions of queries and keys; default none. */
  readonly rope?: Pick<RotaryOptions, 'base' | 'scale' | 'ntk' | 'llama3' | 'interleaved' | 'rotaryWidth'> | undefined;
  /** How the matrices of the linear layers are stored: 'outIn', the default, as in PyTorch's Linear; 'inOut' as in GPT-2's files. */
  readonly weightLayout?: WeightLayout | undefined;
}

/** @internal */
export const CAUSAL_LAYER_OPTIONS = [
  ...(['dModel', 'nHead', 'kvHeads', 'headDim', 'dimFeedforward', 'activation', 'gated', 'norm', 'normEps', 'bias'] as const),
  ...(['rope', 'weightLayout', 'seed'] as const),
] as const satisfies readonly (keyof CausalDecoderLayerOptions)[];

/** @internal */
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
  readonly bias: boolean;
  readonly rope: RopeConfig | null;
  readonly inOut: boolean;
  readonly seed: number | undefined;
}

/** @internal */
export interface RopeConfig {
  readonly interleaved: boolean;
  readonly rotaryWidth: number;
  readonly frequencies: Angles['frequencies'];
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
  const { activation = gated ? 'silu' : 'geluTanh', bias = norm === 'layer' } = known;
  checkBoolean(fn, 'gated', gated);
  checkBoolean(fn, 'bias', bias);
  checkChoice(fn, 'norm', norm, ROW_NORM);
  checkChoice(fn, 'weightLayout', weightLayout, ['outIn', 'inOut']);
  checkActivation(fn, activation);
  checkFinite(fn, 'normEps', eps);
  if (eps < 0) fail('value', fn, `normEps must be at least 0, got ${eps}`);
  const between = readSize(fn, 'dimFeedforward', known.dimFeedforward, 4 * dModel);
  const rope = known.rope === undefined ? null : readRope(instance, fn, known.rope, headDim);
  const inOut = weightLayout === 'inOut';
  return { dModel, heads, kvHeads, headDim, between, activation, gated, norm, eps, bias, rope, inOut, seed: known.seed };
}

function readRope(
  instance: Instance,
  fn: string,
  options: NonNullable<CausalDecoderLayerOptions['rope']>,
  headDim: number,
): RopeConfig {
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
  return { interleaved, rotaryWidth, frequencies: readAngles(instance, fn, ownProperties(angles), one).frequencies };
}
