import type { Pattern, PatternBuilders } from 'fovea/pattern';
import { pattern } from 'fovea/pattern';
import type { Painting } from './painting.ts';
import { bitsOf } from './painting.ts';

/** Sparse attention's patterns as they are chosen: parts with a number or two each, negated or not, joined by "or" or "and". */

export interface Field {
  readonly name:
    | 'reach'
    | 'left'
    | 'right'
    | 'every'
    | 'stride'
    | 'last'
    | 'window'
    | 'global'
    | 'block'
    | 'random'
    | 'seed'
    | 'from'
    | 'count';
  readonly usual: number;
  readonly least: number;
  readonly most: number;
  /** 2 where only even numbers make sense. */
  readonly step: number;
}

/** A call of one of the package's builders: the page runs it, and shows it as code. */
type Call = readonly [builder: keyof PatternBuilders, ...args: unknown[]];

interface PartSpec {
  readonly fields: readonly Field[];
  /** Joined by "or" where there are several. */
  readonly calls: (...values: number[]) => readonly Call[];
}

/** The most tokens that the page draws. */
const LONGEST = 64;
const field = (name: Field['name'], usual: number, least = 1, most = LONGEST, step = 1): Field => ({
  name,
  usual,
  least,
  most,
  step,
});

const firstTokens = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const PARTS = {
  local: { fields: [field('reach', 1, 0)], calls: (k) => [['local', k]] },
  atrous: { fields: [field('every', 3)], calls: (k) => [['atrous', k]] },
  sparse: {
    fields: [field('reach', 3)],
    calls: (k) => [
      ['local', k],
      ['atrous', k],
    ],
  },
  causal: { fields: [], calls: () => [['causal']] },
  truncated: { fields: [field('left', 2, 0), field('right', 0, 0)], calls: (left, right) => [['truncated', left, right]] },
  strided: { fields: [field('stride', 3)], calls: (stride) => [['strided', stride]] },
  fixed: { fields: [field('stride', 3), field('last', 1)], calls: (stride, last) => [['fixed', stride, last]] },
  longformer: {
    fields: [field('window', 2, 0, LONGEST, 2), field('global', 1, 0)],
    calls: (window, n = 0) => [['longformer', { window, globalTokens: firstTokens(n) }]],
  },
  bigBird: {
    fields: [field('block', 1), field('random', 1, 0), field('seed', 1, 0, 999_999)],
    calls: (block, random, seed) => [['bigBird', { block, window: 3, global: 1, random, seed }]],
  },
  block: { fields: [field('block', 3)], calls: (size) => [['block', size]] },
  global: {
    fields: [field('from', 1), field('count', 1)],
    calls: (from = 1, n = 1) => [['globalTokens', firstTokens(n).map((i) => i + from - 1)]],
  },
} as const satisfies Record<string, PartSpec>;

export type PartKind = keyof typeof PARTS;
export const PART_KINDS = Object.keys(PARTS) as PartKind[];

export interface Part {
  readonly kind: PartKind;
  /** One for each of its fields. */
  readonly values: readonly number[];
  readonly not: boolean;
}

/** How the parts are joined. */
export type Joint = 'or' | 'and';

export const MOST_PARTS = 4;

/** One part more: of another kind than those that are there. */
export function withAnother(parts: readonly Part[]): readonly Part[] {
  const kind = PART_KINDS.find((candidate) => parts.every((one) => one.kind !== candidate)) ?? 'local';
  return parts.length < MOST_PARTS ? [...parts, part(kind)] : parts;
}

export const fieldsOf = (kind: PartKind): readonly Field[] => PARTS[kind].fields;

/** A part of this kind, its numbers brought into their ranges; the usual ones where none are given. */
export function part(kind: PartKind, values: readonly number[] = [], not = false): Part {
  const fitted = fieldsOf(kind).map((one, i) => fitting(one, values[i] ?? NaN) ?? one.usual);
  // The last columns of a stride are no more than its own length.
  return { kind, not, values: kind === 'fixed' ? [fitted[0]!, Math.min(fitted[0]!, fitted[1]!)] : fitted };
}

/** The nearest number that the field allows, or null for none. */
export function fitting({ least, most, step }: Field, value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Math.min(most, Math.max(least, Math.floor(value / step) * step));
}

export function patternOf(parts: readonly Part[], joint: Joint): Pattern {
  const [first, ...others] = parts.map((one) => {
    const [call, ...further] = callsOf(one).map(run);
    const made = call!.or(...further);
    return one.not ? made.not() : made;
  });
  return first![joint](...others);
}

/** The pattern of `patternOf`, as code. */
export function patternCode(parts: readonly Part[], joint: Joint): string {
  const [first, ...others] = parts.map((one) => {
    const [call, ...further] = callsOf(one).map(write);
    return `${call}${further.length > 0 ? `.or(${further.join(', ')})` : ''}${one.not ? '.not()' : ''}`;
  });
  return others.length === 0 ? first! : `${first}.${joint}(${others.join(', ')})`;
}

/** The seed of the parts that draw at random, or undefined where none does. */
export function seedOf(parts: readonly Part[]): number | undefined {
  const drawing = parts.find(({ kind, values }) => kind === 'bigBird' && values[1] !== 0);
  return drawing?.values[2];
}

export function paintedPattern(painting: Painting, tokens: number): Pattern {
  return pattern.fromMask({ data: bitsOf(painting, tokens), shape: [tokens, tokens] });
}

/** One string of 0 and 1 for each query. */
export function paintedCode(painting: Painting, tokens: number): string {
  const bits = bitsOf(painting, tokens);
  const rows = firstTokens(tokens).map((i) => `  '${bits.slice(i * tokens, (i + 1) * tokens).join('')}',\n`);
  return `pattern.fromMask([\n${rows.join('')}].map((row) => Array.from(row, (bit) => bit === '1')))`;
}

function callsOf({ kind, values }: Part): readonly Call[] {
  return (PARTS[kind] as PartSpec).calls(...values);
}

function run([builder, ...args]: Call): Pattern {
  return (pattern[builder] as (...args: unknown[]) => Pattern)(...args);
}

function write([builder, ...args]: Call): string {
  return `pattern.${builder}(${args.map(literal).join(', ')})`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, entry]) => `${name}: ${literal(entry)}`)
    .join(', ')} }`;
}
