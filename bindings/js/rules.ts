/** The options that say which pairs attend and what their logits become: read, checked, and turned into block fields. */
import { AXES_FIELDS } from './abi.ts';
import { readBiases } from './biases.ts';
import type { AttentionFields, AxesFields } from './blocks.ts';
import { describe, fail } from './errors.ts';
import { NOWHERE, type Frame, type Span } from './frame.ts';
import type { Instance } from './instance.ts';
import type { Sizes } from './layout.ts';
import { readMask, type Mask } from './masks.ts';
import { checkSoftmax, normalizerAxes, readNormalizer, readTemperature, type Normalizer } from './normalizers.ts';
import { readList, readNumbers } from './number_lists.ts';
import type { Operand } from './operands.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger } from './options.ts';
import { knownAs, type PairSizes, type Program } from './programs.ts';
import { readRelativePositions } from './relative_positions.ts';
import type { ReadScore } from './scores.ts';
import type { AttentionOptions } from './types.ts';

export interface Rules {
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
  readonly mask: Mask | null;
  /** Two masks only where appended keys make them: rules as booleans beside a float mask. */
  readonly floatMask: Mask | null;
  /** [H]: of ALiBi and of distances, together. */
  readonly slopes: Float32Array | null;
  /** 0 both ways, 1 forward, 2 backward. */
  readonly direction: number;
  readonly sinks: Float32Array | null;
  /** Divides the finished logits. */
  readonly temperature: number;
  readonly normalizer: Normalizer;
  /** What the pattern is for this call. */
  readonly pattern: Program | null;
  readonly score: ReadScore | null;
  /** What is chosen on the axes that have a block of their own. */
  readonly axes: readonly AxisPart[];
  /** Whether anything of `axes` goes by position. */
  readonly placed: boolean;
  /** What `axes` hold that `out` must not overlap. */
  readonly tables: readonly Operand[];
  /** LaTeX of what is added: to the scores, and to keys and values by relative position. */
  readonly terms: { readonly bias: string; readonly key: string; readonly value: string };
  /** How the cache has the keys, where they are a cache's. */
  readonly store: KeyStore | null;
}

export interface KeyStore extends Pick<AttentionFields, 'storeHalves' | 'storeKeepFirst' | 'storeShift' | 'storeWindow'> {
  /** The program that keeps the pairs which no ring has evicted; null = all. */
  readonly pairs: Int32Array | null;
}

/** Reserves room for what one option of an axis holds, and returns the fields that it sets. */
export type AxisPart = (frame: Frame) => () => Partial<AxesFields>;

/** Where the rules are in wasm memory. */
export interface PlacedRules {
  readonly offsets: Span;
  readonly keyLengths: Span;
  readonly slopes: Span;
  readonly sinks: Span;
  readonly mask: Span;
  readonly floatMask: Span;
  readonly axes: Span;
}

/** The options that this file reads. */
export const RULE_OPTIONS = [
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
  'normalize',
  'temperature',
  'pattern',
  'score',
] as const satisfies readonly (keyof AttentionOptions)[];

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
const FARTHEST = 2 ** 29;

export function readRules(
  instance: Instance,
  fn: string,
  options: Pick<AttentionOptions, (typeof RULE_OPTIONS)[number]>,
  sizes: Sizes,
  score: ReadScore | null = null,
): Rules {
  const { scale, softcap, causal, window } = options;
  if (scale !== undefined) checkFinite(fn, 'scale', scale);
  checkBoolean(fn, 'causal', causal);
  const keyLengths = readKeyLengths(fn, options.keyLengths, sizes);
  const [windowLeft, windowRight] = window === undefined ? [-1, -1] : readWindow(fn, window);
  const mask = options.mask === undefined ? null : readMask(instance, fn, options.mask, sizes);
  const offsets = readOffsets(fn, options, keyLengths, sizes);
  const biases = readBiases(instance, fn, options.bias, sizes);
  if (score !== null && score.axis !== null && options.relativeKeys !== undefined)
    fail('option', fn, 'relativeKeys go with scores that are products of q and k, got an additive score');
  const relative = readRelativePositions(biases, options, sizes);
  const normalizer = readNormalizer(fn, options.normalize);
  const temperature = readTemperature(fn, options.temperature);
  if (options.sinks !== undefined) checkSoftmax(fn, 'sinks', normalizer);
  return {
    scale: scale ?? score?.scale ?? 1 / Math.sqrt(sizes.width),
    defaultScale: (scale ?? score?.scale ?? null) === null,
    softcap: readSoftcap(fn, softcap),
    causal: causal ?? false,
    windowLeft,
    windowRight,
    offsets,
    keyLengths,
    mask: mask?.type === 'boolean' ? mask : null,
    floatMask: mask?.type === 'float' ? mask : null,
    slopes: biases.slopes,
    direction: biases.direction,
    sinks: options.sinks === undefined ? null : readSinks(fn, options.sinks, sizes.heads),
    pattern: options.pattern === undefined ? null : readPattern(fn, options.pattern, { ...sizes, offsets }),
    score,
    axes: [...(score?.axis ? [score.axis] : []), ...biases.parts, ...normalizerAxes(normalizer, temperature)],
    placed: biases.parts.length > 0,
    tables: biases.tables,
    terms: { bias: biases.terms, ...relative },
    temperature,
    normalizer,
    store: null,
  };
}

/** Reserves room for what the rules hold. */
export function placeRules(frame: Frame, rules: Rules): PlacedRules {
  const { offsets, keyLengths, slopes, sinks, mask, floatMask, direction } = rules;
  const axes = direction === 0 ? rules.axes : [...rules.axes, () => () => ({ direction })];
  return {
    offsets: frame.placeIntegers(offsets),
    keyLengths: frame.placeIntegers(keyLengths),
    slopes: frame.placeFloats(slopes),
    sinks: frame.placeFloats(sinks),
    mask: mask === null ? NOWHERE : frame.placeBytes(mask.operand),
    floatMask: floatMask === null ? NOWHERE : frame.place(floatMask.operand),
    axes: axes.length === 0 ? NOWHERE : placeAxes(frame, axes),
  };
}

function placeAxes(frame: Frame, axes: readonly AxisPart[]): Span {
  const parts = axes.map((part) => part(frame));
  return frame.placeBlock(AXES_FIELDS, () => Object.assign({ temperature: 1 }, ...parts.map((fields) => fields())));
}

function readPattern(fn: string, pattern: unknown, sizes: PairSizes): Program {
  const source = knownAs(pattern)?.pattern;
  if (source !== undefined) return source.program(fn, sizes);
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
    return Math.min(entry, 2 * FARTHEST);
  }) as [number, number];
}

export function readKeyLengths(
  fn: string,
  keyLengths: unknown,
  { batch, keys }: Pick<Sizes, 'batch' | 'keys'>,
): Int32Array | null {
  if (keyLengths === undefined) return null;
  const lengths = readList(fn, 'keyLengths', keyLengths, batch, 'batch entry');
  lengths.forEach((length, b) => checkInteger(fn, `keyLengths[${b}]`, length, 0, keys));
  return Int32Array.from(lengths);
}

/** offset[b] of p(i) = i + offset[b]; null where it is 0 for all. */
function readOffsets(
  fn: string,
  options: AttentionOptions,
  keyLengths: Int32Array | null,
  { batch, queries, keys }: Sizes,
): Int32Array | null {
  const { causalAlign, causalOffset } = options;
  checkChoice(fn, 'causalAlign', causalAlign, ['top-left', 'bottom-right']);
  if (causalOffset === undefined) {
    if (causalAlign !== 'bottom-right') return null;
    return Int32Array.from({ length: batch }, (_, b) => (keyLengths?.[b] ?? keys) - queries);
  }
  if (causalAlign !== undefined)
    fail(
      'option',
      fn,
      `causalAlign and causalOffset both place the queries: pass one of them, got causalAlign '${causalAlign}', causalOffset ${describe(causalOffset)}`,
    );
  const offsets =
    typeof causalOffset === 'number'
      ? new Array<number>(batch).fill(causalOffset)
      : readList(fn, 'causalOffset', causalOffset, batch, 'batch entry');
  if (typeof causalOffset === 'number') checkInteger(fn, 'causalOffset', causalOffset, -FARTHEST, FARTHEST);
  else offsets.forEach((offset, b) => checkInteger(fn, `causalOffset[${b}]`, offset, -FARTHEST, FARTHEST));
  return Int32Array.from(offsets);
}

/** One finite number for every query head. */
export function readSinks(fn: string, sinks: unknown, heads: number): Float32Array {
  if (typeof sinks !== 'number') return Float32Array.from(readNumbers(fn, 'sinks', sinks, heads));
  checkFinite(fn, 'sinks', sinks);
  return new Float32Array(heads).fill(sinks);
}
