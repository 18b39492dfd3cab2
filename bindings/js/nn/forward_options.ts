/** Which pairs attend: masks in the words of PyTorch's modules, turned into those of the package's functions. */
import { describe, fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { isPlainObject, ownProperties, readOptions } from '../errors/options.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { AskWeights, RequestTypes } from '../attention/types/results.ts';
import { joinMasks } from '../attention/options/masks.ts';
import type { MaskInput } from '../attention/types/options.ts';
import type { MultiHeadOptions } from '../attention/types/projected.ts';
import type { Module } from './module.ts';
import { isTensor } from '../tensor/tensor.ts';
import { readOperand } from '../tensor/operands.ts';

/** The options of `fovea.multiHeadAttention` that a module has settled, or takes in other words. */
type Settled = 'heads' | 'kvHeads' | 'weightLayout' | 'addZeroAttention' | 'mask' | 'averageWeights';
type RequestedOutputs = 'returnWeights' | 'returnLse' | 'returnLogits' | 'trace';

/**
 * THE MASKS ARE THOSE OF PyTorch's MODULES: a boolean true means NOT allowed. It is the opposite of the option `mask` of
 * fovea.attention, of ONNX and of scaled_dot_product_attention; it has another name therefore. A row without an allowed key gives
 * zeros, where PyTorch gives NaN. All other options are those of `fovea.attention`: `causal`, `window`, `keyLengths`, `bias`, ...
 */
export interface LayerForwardOptions<P extends Pattern | undefined = Pattern | undefined> extends Omit<
  MultiHeadOptions<RequestTypes<boolean, P>>,
  Settled | RequestedOutputs
> {
  readonly pattern?: P;
  /** [Tq, Tk], or [B·H, Tq, Tk]. Boolean: true = NOT allowed. Floats are added to the logits. */
  readonly attnMask?: MaskInput | undefined;
  /** [B, Tk], or [Tk] without a batch. Boolean: true = the key is padding. Floats are added to the logits. */
  readonly keyPaddingMask?: MaskInput | undefined;
}

export interface EncoderForwardOptions<P extends Pattern | undefined = Pattern | undefined> extends LayerForwardOptions<P> {
  /**
   * The lengths of several sequences, each at least 1: x is then [ΣT, E], the rows of one sequence after those of another, and a token attends
   * within its own sequence alone. A sequence has the same bits alone and among others. Not together with attnMask, keyPaddingMask and keyLengths.
   */
  readonly lengths?: readonly number[] | Int32Array | BigInt64Array | undefined;
}

/** With what is asked for beside the output, as from `fovea.multiHeadAttention`. */
export interface ForwardOptions<
  R extends RequestTypes<AskWeights, Pattern | undefined> = RequestTypes<AskWeights, Pattern | undefined>,
>
  extends LayerForwardOptions<R['pattern']>, Pick<MultiHeadOptions<R>, RequestedOutputs> {
  /** Whether weights that are asked for are the mean over the heads; default that of the module, true. */
  readonly averageAttnWeights?: boolean | undefined;
}

/** PyTorch's masks as options of `fovea.multiHeadAttention`. */
export type ReadOptions = Omit<MultiHeadOptions, 'heads'> & Pick<ForwardOptions, 'averageAttnWeights'>;

export interface PairSizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}

/** All options: a name that is missing here does not compile. */
const RULES: Record<keyof LayerForwardOptions, true> = {
  attnMask: true,
  keyPaddingMask: true,
  causal: true,
  causalAlign: true,
  causalOffset: true,
  window: true,
  keyLengths: true,
  score: true,
  scale: true,
  softcap: true,
  bias: true,
  relativeKeys: true,
  relativeValues: true,
  sinks: true,
  normalizer: true,
  temperature: true,
  weightScale: true,
  pattern: true,
};
export const RESULT_OPTIONS: readonly string[] = [
  'returnWeights',
  'averageAttnWeights',
  'returnLse',
  'returnLogits',
  'trace',
] satisfies (keyof ForwardOptions)[];

/** The meaning of booleans, which Hugging Face and ONNX have the other way round. */
const TRUE_IS_NOT = "true = not allowed, the inverse of Hugging Face's attention_mask";

/** A mask whose shape is [B or 1, H or 1, Tq or 1, Tk]. */
interface Wide {
  readonly boolean: boolean;
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

/**
 * Checks the masks and the names of the options, of which `also` are those of the module; the others are checked by the call that they go to.
 * A call over a cache takes no key lengths.
 */
export function readForwardOptions(
  module: Module,
  fn: string,
  options: ForwardOptions,
  sizes: PairSizes,
  also: readonly string[] = [],
  isCached = false,
): ReadOptions {
  const own = ownOptions(fn, options);
  const given = (name: string): unknown => own[name as keyof ForwardOptions];
  if (given('mask') !== undefined)
    fail('option', fn, 'mask is not an option of modules, whose attnMask has true where a pair is NOT allowed');
  for (const name of RESULT_OPTIONS)
    if (!also.includes(name) && given(name) !== undefined) fail('option', fn, `${name} must be asked of a MultiHeadAttention`);
  const names = [...Object.keys(RULES), ...also] as (keyof ForwardOptions)[];
  const { attnMask, keyPaddingMask, ...others } = readOptions<ForwardOptions>(fn, own, names, translate);
  const { batch, heads, queries, keys } = sizes;
  if (isCached && others.keyLengths !== undefined)
    fail('option', fn, 'keyLengths cannot be combined with a cache: pass keyPaddingMask, [B, Tk] with the tokens of the cache');
  const pairs =
    attnMask === undefined
      ? null
      : readWide(
          module,
          fn,
          'attnMask',
          attnMask,
          (shape) => {
            if (shape.length === 2) return [1, 1, queries, keys];
            return shape.length === 3 ? [batch, heads, queries, keys] : null;
          },
          `[Tq, Tk] or [B·H, Tq, Tk] with Tq = ${queries}, Tk = ${keys}, B·H = ${batch * heads}`,
        );
  const padding =
    keyPaddingMask === undefined
      ? null
      : readWide(
          module,
          fn,
          'keyPaddingMask',
          keyPaddingMask,
          (shape) => {
            if (shape.length === 1 && batch === 1) return [1, 1, 1, keys];
            return shape.length === 2 ? [batch, 1, 1, keys] : null;
          },
          `[B, Tk] = [${batch}, ${keys}]`,
        );
  const lengths = padding === null ? null : lengthsOf(padding);
  if (lengths !== null && others.keyLengths === undefined && !isCached)
    return { ...others, keyLengths: lengths, ...(pairs === null ? {} : { mask: allowing(pairs) }) };
  if (pairs !== null && padding !== null) return { ...others, mask: joinMasks(allowing(pairs), allowing(padding)) };
  const mask = pairs ?? padding;
  return mask === null ? others : { ...others, mask: allowing(mask) };
}

/** The properties of the options themselves, each read once. */
export function ownOptions<T extends object>(fn: string, options: T): T {
  if (!isPlainObject(options)) fail('option', fn, `options must be an object, got ${describe(options)}`);
  return ownProperties(options);
}

/** Whether an object or its class has a property, which is not read. */
export function hasProperty(object: object, name: string): boolean {
  return Object.hasOwn(object, name) || (name in object && !(name in Object.prototype));
}

function readWide(
  { instance }: Module,
  fn: string,
  name: string,
  input: MaskInput,
  widen: (shape: readonly number[]) => number[] | null,
  rule: string,
): Wide {
  const { kind, shape, data } = readOperand(instance, fn, name, input, 'mask');
  const wide = widen(shape);
  // The axes before the last two of attnMask, or before the last of keyPaddingMask, are told apart by their lengths alone.
  if (
    wide === null ||
    sizeOf(wide) !== sizeOf(shape) ||
    shape.at(-1) !== wide[3] ||
    (shape.length === 3 && shape[1] !== wide[2])
  )
    fail('shape', fn, `${name} must be ${rule}, got ${formatShape(shape)}`);
  const boolean = kind === 'booleans' || kind === 'Uint8Array';
  if (!boolean && !/^(Float\d+Array|numbers|Tensor)$/.test(kind))
    fail('value', fn, `${name} must hold booleans (${TRUE_IS_NOT}), a Uint8Array or floats, got a ${kind}`);
  if (kind === 'numbers' && data.length > 0 && Array.prototype.every.call(data, (x) => x === 0 || x === 1))
    fail('value', fn, `${name} of numbers is added, got only 0 and 1: pass true and false (${TRUE_IS_NOT}), or a Float32Array`);
  return { boolean, data: isTensor(input) ? input.toArray().data : data, shape: wide };
}

/** The lengths that boolean padding says where it stands at the ends alone; else null. */
function lengthsOf({ boolean, data, shape: [batch, , , keys] }: Wide): number[] | null {
  if (!boolean) return null;
  const lengths: number[] = [];
  for (let b = 0; b < batch!; b++) {
    let length = 0;
    while (length < keys! && data[b * keys! + length] === 0) length++;
    for (let j = length; j < keys!; j++) if (data[b * keys! + j] === 0) return null;
    lengths.push(length);
  }
  return lengths;
}

/** In fovea's words. */
function allowing({ boolean, data, shape }: Wide): MaskInput {
  if (!boolean) return { data: Float32Array.from(data), shape };
  return { data: Uint8Array.from(data, (x) => Number(x === 0)), shape };
}
