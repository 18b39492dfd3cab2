/** The options that say which pairs attend and what their logits become: read, checked, and turned into block fields. */
import { VARIANT_BLOCK } from '../../../../build/generated/blocks/variant.ts';
import type { AttentionBlock } from '../../../../build/generated/blocks/attention.ts';
import { addBiases, type Biases } from './biases.ts';
import { describe, fail } from '../../errors/errors.ts';
import { someFields, type CallArena } from '../../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../../call/ptr.ts';
import type { Instance } from '../../runtime/instance.ts';
import { hasPairs, type Sizes } from './layout.ts';
import { NO_MASKS, readMasks, type Masks } from './masks.ts';
import { readNormalizer, readSinks, SOFTMAX, type NormalizerSpec } from './normalizers.ts';
import type { Operand } from '../../tensor/operands.ts';
import { checkBoolean, checkFinite } from '../../errors/options.ts';
import { patternOf, type PatternSource, type Program } from './pattern_source.ts';
import { readKeyLengths, readOffsets, readWindow } from './positions.ts';
import { NO_TERMS, readRelativePositions } from './relative_positions.ts';
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
  readonly sinks: Operand | null;
  readonly normalizer: NormalizerSpec;
  /** Whether the edges of the pattern's graph have values of the call. */
  readonly hasEdges: boolean;
  /** The pattern's program for this call. */
  readonly pattern: Program | null;
  readonly planTable: PatternSource['planTable'] | null;
  readonly score: ReadScore | null;
  readonly weightScale: WeightScaleSpec | null;
  /** The other options that have fields in the block of variants. */
  readonly variantParts: readonly VariantPart[];
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
  readonly variant: Ptr;
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

export function readAttentionSpec(
  instance: Instance,
  fn: string,
  options: Pick<AttentionOptions, (typeof SPEC_OPTIONS)[number]>,
  sizes: Sizes,
  score: ReadScore | null = null,
): AttentionSpec {
  const { scale, softcap, causal, window, mask, temperature, sinks, weightScale } = options;
  if (scale !== undefined) checkFinite(fn, 'scale', scale);
  checkBoolean(fn, 'causal', causal);
  const keyLengths = options.keyLengths === undefined ? null : readKeyLengths(fn, options.keyLengths, sizes);
  const sides = window === undefined ? UNBOUNDED : readWindow(fn, window);
  const masks = mask === undefined ? NO_MASKS : readMasks(instance, fn, mask, sizes);
  const isPlaced = options.causalAlign !== undefined || options.causalOffset !== undefined;
  const offsets = isPlaced ? readOffsets(fn, options, keyLengths, sizes) : null;
  const pattern = options.pattern === undefined ? null : readPattern(fn, options.pattern);
  const program = pattern?.program(fn, { ...sizes, offsets }) ?? null;
  // One literal: every call comes here, and spreading costs more than the rest.
  // prettier-ignore
  const biases: Biases = {
    instance, fn, sizes, offsets, pattern: program, slopes: null, direction: 0, hasEdges: false, terms: '', parts: [], tables: [],
  };
  if (score?.variantPart) biases.parts.push(score.variantPart);
  if (options.bias !== undefined) addBiases(biases, options.bias);
  const { relativeKeys, relativeValues } = options;
  const isRelative = relativeKeys !== undefined || relativeValues !== undefined;
  const relative = isRelative ? readRelativePositions(biases, relativeKeys, relativeValues, score) : NO_TERMS;
  const isSoftmax = options.normalizer === undefined && temperature === undefined;
  const normalizer = isSoftmax ? SOFTMAX : readNormalizer(biases, options.normalizer, temperature);
  return {
    scale: scale ?? score?.scale ?? 1 / Math.sqrt(sizes.width),
    defaultScale: (scale ?? score?.scale ?? null) === null,
    softcap: softcap === undefined ? 0 : readSoftcap(fn, softcap),
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
    sinks: sinks === undefined ? null : readSinks(biases, sinks, sizes.heads, hasPairs(sizes), normalizer),
    hasEdges: biases.hasEdges,
    pattern: program,
    planTable: pattern?.planTable ?? null,
    score,
    weightScale: weightScale === undefined ? null : readWeightScale(biases, weightScale, sizes),
    variantParts: biases.parts,
    tables: biases.tables,
    terms: { bias: biases.terms, key: relative.key, value: relative.value },
    normalizer,
    kvLayout: null,
  };
}

/** Reserves room for what the spec holds. */
export function bindSpec(arena: CallArena, spec: AttentionSpec): BoundSpec {
  return {
    offsets: arena.placeIntegers(spec.offsets),
    keyLengths: arena.placeIntegers(spec.keyLengths),
    slopes: arena.placeFloats(spec.slopes),
    sinks: arena.place(spec.sinks),
    mask: arena.placeBytes(spec.mask && spec.mask.operand),
    floatMask: arena.place(spec.floatMask && spec.floatMask.operand),
    keyMask: arena.placeBytes(spec.keyMask && spec.keyMask.operand),
    keyFloatMask: arena.place(spec.keyFloatMask && spec.keyFloatMask.operand),
    variant: bindVariant(arena, spec),
  };
}

/** Reserves the block of the options that have one of their own; NULL_PTR where there are none. */
export function bindVariant(arena: CallArena, { variantParts, direction, weightScale }: AttentionSpec): Ptr {
  const isShort = direction === 0 && weightScale === null;
  const all = isShort ? variantParts : [...variantParts, () => () => ({ direction }), ...(weightScale?.parts ?? [])];
  if (all.length === 0) return NULL_PTR;
  const parts = all.map((part) => part(arena));
  return arena.placeBlock(VARIANT_BLOCK, () =>
    someFields(Object.assign({ temperature: 1 }, ...parts.map((fields) => fields()))),
  );
}

function readPattern(fn: string, pattern: unknown): PatternSource {
  const source = patternOf(fn, pattern);
  if (source !== undefined) return source;
  return fail('value', fn, `pattern must be a Pattern that fovea/pattern has made, got ${describe(pattern)}`);
}

function readSoftcap(fn: string, softcap: unknown): number {
  checkFinite(fn, 'softcap', softcap);
  if (softcap < 0) fail('value', fn, `softcap must not be negative (0 = none), got ${softcap}`);
  return softcap;
}
