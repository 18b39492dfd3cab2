/** The options that say which pairs attend and what their logits become: read, checked, and turned into block fields. */
import { VARIANT_BLOCK, type AttentionBlock } from '../../../../build/generated/abi.ts';
import { readBiases } from './biases.ts';
import { describe, fail } from '../../errors/errors.ts';
import { NULL_PTR, type CallArena, type Ptr } from '../../call/call_arena.ts';
import type { Instance } from '../../runtime/instance.ts';
import { hasPairs, type Sizes } from './layout.ts';
import { readMasks, type Mask, type Masks } from './masks.ts';
import { checkSoftmax, normalizerAxes, readNormalizer, readTemperature, type NormalizerSpec } from './normalizers.ts';
import { readIntegers, readNumbers } from '../../tensor/number_lists.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import type { Operand } from '../../tensor/operands.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger } from '../../errors/options.ts';
import { patternOf, type PatternSource, type Program } from './pattern_source.ts';
import { readRelativePositions } from './relative_positions.ts';
import type { ReadScore } from './scores.ts';
import type { VariantPart } from './variant_part.ts';
import { readWeightScale, type WeightScaleSpec } from './weight_scale.ts';
import type { AttentionOptions } from '../types/options.ts';

export interface AttentionSpec extends Masks {
  readonly scale: number;
  /** Whether `scale` is 1/√D because none was given. */
  readonly defaultScale: boolean;
  readonly softcap: number;
  readonly causal: boolean;
  readonly windowLeft: number;
  readonly windowRight: number;
  /** [B]; null = 0. */
  readonly offsets: Int32Array | null;
  /** [B]; null = Tk. */
  readonly keyLengths: Int32Array | null;
  /** The last of the call's keys: no mask forbids them, and no bias applies to them, for they have no position. */
  readonly appendedKeys: number;
  /** [H]: of ALiBi and of distances, together. */
  readonly slopes: Float32Array | null;
  /** 0 both ways, 1 forward, 2 backward. */
  readonly direction: number;
  readonly sinks: Float32Array | null;
  /** Divides the finished logits. */
  readonly temperature: number;
  readonly normalizer: NormalizerSpec;
  /** Whether the edges of the pattern's graph have values of the call. */
  readonly hasEdges: boolean;
  /** The pattern's program for this call. */
  readonly pattern: Program | null;
  readonly planTable: PatternSource['planTable'] | null;
  readonly score: ReadScore | null;
  readonly weightScale: WeightScaleSpec | null;
  /** The other options that have fields in the block of variants. */
  readonly axes: readonly VariantPart[];
  /** The operands of that block, which `out` must not overlap. */
  readonly tables: readonly Operand[];
  /** LaTeX of what is added: to the scores, and to keys and values by relative position. */
  readonly terms: { readonly bias: string; readonly key: string; readonly value: string };
  /** How the cache has the keys, where they are a cache's. */
  readonly kvLayout: KvLayout | null;
}

export interface KvLayout extends Pick<
  AttentionBlock,
  'kvFloat16' | 'kvSinkTokens' | 'kvEvictedRows' | 'kvWindow' | 'kvIrregular'
> {
  /** The program that keeps the pairs which no ring has evicted; null = all. */
  readonly pairs: Int32Array | null;
}

/** Where the arrays of a spec are in wasm memory. */
export interface BoundSpec {
  readonly offsets: Ptr;
  readonly keyLengths: Ptr;
  readonly slopes: Ptr;
  readonly sinks: Ptr;
  readonly mask: Ptr;
  readonly floatMask: Ptr;
  readonly keyMask: Ptr;
  readonly keyFloatMask: Ptr;
  readonly axes: Ptr;
}

/** The options that this file reads. */
export const SPEC_OPTIONS = [
  'scale',
  'causal',
  'causalAlign',
  'causalOffset',
  'window',
  'mask',
  'keyLengths',
  'softcap',
  'bias',
  'relativeKeys',
  'relativeValues',
  'sinks',
  'normalizer',
  'temperature',
  'weightScale',
  'pattern',
  'score',
] as const satisfies readonly (keyof AttentionOptions)[];

const UNBOUNDED = [-1, -1] as const;
/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
const MAX_POSITION = 2 ** 29;

export function readAttentionSpec(
  instance: Instance,
  fn: string,
  options: Pick<AttentionOptions, (typeof SPEC_OPTIONS)[number]>,
  sizes: Sizes,
  score: ReadScore | null = null,
): AttentionSpec {
  const { scale, softcap, causal, window } = options;
  if (scale !== undefined) checkFinite(fn, 'scale', scale);
  checkBoolean(fn, 'causal', causal);
  const keyLengths = readKeyLengths(fn, options.keyLengths, sizes);
  const sides = window === undefined ? UNBOUNDED : readWindow(fn, window);
  const masks = readMasks(instance, fn, options.mask, sizes);
  const offsets = readOffsets(fn, options, keyLengths, sizes);
  const pattern = options.pattern === undefined ? null : readPattern(fn, options.pattern);
  const program = pattern?.program(fn, { ...sizes, offsets }) ?? null;
  const biases = readBiases(instance, fn, options.bias, { sizes, offsets, pattern: program });
  if (score !== null && score.axis !== null && options.relativeKeys !== undefined)
    fail('option', fn, 'relativeKeys go with scores that are products of q and k, got an additive score');
  const relative = readRelativePositions(biases, options, sizes);
  const normalizer = readNormalizer(fn, options.normalizer);
  const temperature = readTemperature(fn, options.temperature);
  if (options.sinks !== undefined) checkSoftmax(fn, 'sinks', normalizer);
  return {
    scale: scale ?? score?.scale ?? 1 / Math.sqrt(sizes.width),
    defaultScale: (scale ?? score?.scale ?? null) === null,
    softcap: readSoftcap(fn, softcap),
    causal: causal ?? false,
    windowLeft: sides[0],
    windowRight: sides[1],
    offsets,
    keyLengths,
    mask: masks.mask,
    floatMask: masks.floatMask,
    keyMask: masks.keyMask,
    keyFloatMask: masks.keyFloatMask,
    appendedKeys: 0,
    slopes: biases.slopes,
    direction: biases.direction,
    sinks: options.sinks === undefined ? null : readSinks(fn, options.sinks, sizes.heads, hasPairs(sizes)),
    hasEdges: biases.hasEdges,
    pattern: program,
    planTable: pattern?.planTable ?? null,
    score,
    weightScale: readWeightScale(biases, options.weightScale, sizes),
    axes: (score?.axis ? [score.axis] : []).concat(biases.parts, normalizerAxes(normalizer, temperature)),
    tables: biases.tables,
    terms: { bias: biases.terms, key: relative.key, value: relative.value },
    temperature,
    normalizer,
    kvLayout: null,
  };
}

/** Reserves room for what the spec holds. */
export function bindSpec(arena: CallArena, spec: AttentionSpec): BoundSpec {
  const { offsets, keyLengths, slopes, sinks } = spec;
  return {
    offsets: arena.placeIntegers(offsets),
    keyLengths: arena.placeIntegers(keyLengths),
    slopes: arena.placeFloats(slopes),
    sinks: arena.placeFloats(sinks),
    mask: placeBytes(arena, spec.mask),
    floatMask: placeFloats(arena, spec.floatMask),
    keyMask: placeBytes(arena, spec.keyMask),
    keyFloatMask: placeFloats(arena, spec.keyFloatMask),
    axes: placeAxes(arena, spec),
  };
}

const placeBytes = (arena: CallArena, mask: Mask | null): Ptr => (mask === null ? NULL_PTR : arena.placeBytes(mask.operand));
const placeFloats = (arena: CallArena, mask: Mask | null): Ptr => (mask === null ? NULL_PTR : arena.place(mask.operand));

/** Reserves the block of the options that have one of their own; NULL_PTR where there are none. */
export function placeAxes(arena: CallArena, { axes, direction, weightScale }: AttentionSpec): Ptr {
  const isShort = direction === 0 && weightScale === null;
  const all = isShort ? axes : [...axes, () => () => ({ direction }), ...(weightScale?.parts ?? [])];
  if (all.length === 0) return NULL_PTR;
  const parts = all.map((part) => part(arena));
  return arena.placeBlock(VARIANT_BLOCK, () => Object.assign({ temperature: 1 }, ...parts.map((fields) => fields())));
}

function readPattern(fn: string, pattern: unknown): PatternSource {
  const source = patternOf(fn, pattern);
  if (source !== undefined) return source;
  return fail('value', fn, `pattern must be a Pattern that fovea/pattern has made, got ${describe(pattern)}`);
}

function readSoftcap(fn: string, softcap: unknown): number {
  if (softcap === undefined) return 0;
  checkFinite(fn, 'softcap', softcap);
  if (softcap < 0) fail('value', fn, `softcap must not be negative (0 = none), got ${softcap}`);
  return softcap;
}

function readWindow(fn: string, window: unknown): [number, number] {
  if (!Array.isArray(window) || window.length !== 2) fail('value', fn, `window must be [left, right], got ${describe(window)}`);
  return window.map((entry: unknown, side) => {
    checkInteger(fn, side === 0 ? 'window left' : 'window right', entry, -1, Infinity);
    return Math.min(entry, 2 * MAX_POSITION);
  }) as [number, number];
}

export function readKeyLengths(
  fn: string,
  keyLengths: unknown,
  { batch, keys }: Pick<Sizes, 'batch' | 'keys'>,
): Int32Array | null {
  if (keyLengths === undefined) return null;
  return readIntegers(fn, 'keyLengths', keyLengths, 0, keys, { length: batch, per: 'batch entry' });
}

/** offset[b] of p(i) = i + offset[b]; null where it is 0 for all. */
function readOffsets(fn: string, options: AttentionOptions, keyLengths: Int32Array | null, sizes: Sizes): Int32Array | null {
  const { batch, queries, keys } = sizes;
  const { causalAlign, causalOffset } = options;
  const filled = (value: number): Int32Array | null =>
    hasPairs(sizes) ? (zeros(fn, 'Int32Array', batch) as unknown as Int32Array).fill(value) : null;
  checkChoice(fn, 'causalAlign', causalAlign, ['top-left', 'bottom-right']);
  if (causalOffset === undefined) {
    if (causalAlign !== 'bottom-right') return null;
    return keyLengths === null ? filled(keys - queries) : keyLengths.map((length) => length - queries);
  }
  if (causalAlign !== undefined)
    fail(
      'option',
      fn,
      `causalAlign and causalOffset both place the queries: pass one of them, got causalAlign '${causalAlign}', causalOffset ${describe(causalOffset)}`,
    );
  if (typeof causalOffset !== 'number') {
    const wanted = { length: batch, per: 'batch entry' };
    return readIntegers(fn, 'causalOffset', causalOffset, -MAX_POSITION, MAX_POSITION, wanted);
  }
  checkInteger(fn, 'causalOffset', causalOffset, -MAX_POSITION, MAX_POSITION);
  return filled(causalOffset);
}

/** One finite number for every query head; null where there is no row that they would count in. */
export function readSinks(fn: string, sinks: unknown, heads: number, hasRows: boolean): Float32Array | null {
  if (typeof sinks !== 'number') return Float32Array.from(readNumbers(fn, 'sinks', sinks, heads));
  checkFinite(fn, 'sinks', sinks);
  return hasRows ? zeros(fn, 'Float32Array', heads).fill(sinks) : null;
}
