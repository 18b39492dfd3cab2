/** How the axes of q, k and v are read: [T, D], [H, T, D], [B, H, T, D], the other layouts, and heads packed in the width. */
import { fail } from '../../errors/errors.ts';
import type { Operand } from '../../tensor/operands.ts';
import { checkChoice, checkInteger } from '../../errors/options.ts';
import { formatShape, type Shape } from '../../tensor/shapes.ts';
import type { AttentionOptions, Layout } from '../types/options.ts';

/** An operand seen as [B, H, T, width], with strides in elements; an axis it lacks has length 1 and stride 0. */
export interface HeadsShape {
  readonly batch: number;
  readonly heads: number;
  readonly tokens: number;
  readonly width: number;
  readonly batchStride: number;
  readonly headStride: number;
  readonly tokenStride: number;
}

/** The sizes of one side of a call. */
export type SideSizes = Pick<HeadsShape, 'batch' | 'heads' | 'tokens' | 'width'>;

/** How one call's arguments are laid out. */
export interface LayoutChoice {
  readonly layout: Layout | 'packed';
  /** Packed only: heads in q, and in k and v. */
  readonly heads: number;
  readonly kvHeads: number;
}

/** Which axes q has: results lose the others. */
export interface Axes {
  readonly batch: boolean;
  readonly heads: boolean;
}

export interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly valueWidth: number;
}

/** Whether there is any pair of a query and a key: without one, what is said of each batch entry or head is of no use. */
export function hasPairs({ batch, heads, queries, keys }: Pick<Sizes, 'batch' | 'heads' | 'queries' | 'keys'>): boolean {
  return batch > 0 && heads > 0 && queries > 0 && keys > 0;
}

const LAYOUTS = ['bhtd', 'bthd', 'btd'] as const;

/** The names of the axes by layout and rank. */
const AXES: Record<Layout | 'packed', Record<number, string>> = {
  bhtd: { 2: 'td', 3: 'htd', 4: 'bhtd' },
  bthd: { 2: 'td', 3: 'thd', 4: 'bthd' },
  btd: { 2: 'td', 3: 'btd' },
  packed: { 2: 'td', 3: 'btd' },
};

export function readLayout(fn: string, options: Pick<AttentionOptions, 'layout' | 'heads' | 'kvHeads'>): LayoutChoice {
  const { layout, heads, kvHeads } = options;
  checkChoice(fn, 'layout', layout, LAYOUTS);
  checkHeads(fn, heads, kvHeads);
  if (heads === undefined) return { layout: layout ?? 'bhtd', heads: 1, kvHeads: 1 };
  if (layout !== undefined && layout !== 'btd')
    fail('option', fn, `heads are packed in the width of [B, T, H·D], got heads with layout '${layout}'`);
  return { layout: 'packed', heads, kvHeads: kvHeads ?? heads };
}

/** `heads` and `kvHeads` as options: integers, and one divides the other. */
export function checkHeads(fn: string, heads: unknown, kvHeads: unknown): void {
  if (heads === undefined) {
    if (kvHeads !== undefined) fail('option', fn, 'kvHeads must go with heads, got kvHeads alone');
    return;
  }
  checkInteger(fn, 'heads', heads, 1, 2 ** 20);
  if (kvHeads === undefined) return;
  checkInteger(fn, 'kvHeads', kvHeads, 1, 2 ** 20);
  if (heads % kvHeads !== 0) fail('shape', fn, `kvHeads must divide heads, got heads ${heads}, kvHeads ${kvHeads}`);
}

/** Reads the axes of one operand; `heads` is how many are packed in its width. */
export function readHeads(fn: string, operand: Operand, choice: LayoutChoice, heads: number): HeadsShape {
  const { shape, strides, name } = operand;
  const axes = AXES[choice.layout][shape.length];
  if (axes === undefined) {
    const expected = Object.values(AXES[choice.layout]).map(spell).join(', ');
    const hint =
      choice.layout === 'packed'
        ? ' with heads packed in the width'
        : choice.layout === 'bhtd'
          ? ''
          : ` with layout '${choice.layout}'`;
    fail('shape', fn, `${name} must be ${expected}${hint}, got ${formatShape(shape)}${widthHint(shape)}`);
  }
  const b = axes.indexOf('b');
  const h = axes.indexOf('h');
  const t = axes.indexOf('t');
  const d = axes.indexOf('d');
  const packed = choice.layout === 'packed';
  const whole = shape[d]!;
  if (packed && whole % heads !== 0) {
    fail('shape', fn, `${name}'s width must be a multiple of its ${heads} heads, got ${formatShape(shape)}`);
  }
  return {
    batch: b < 0 ? 1 : shape[b]!,
    batchStride: b < 0 ? 0 : strides[b]!,
    heads: packed ? heads : h < 0 ? 1 : shape[h]!,
    headStride: packed ? whole / heads : h < 0 ? 0 : strides[h]!,
    tokens: shape[t]!,
    tokenStride: strides[t]!,
    width: packed ? whole / heads : whole,
  };
}

/** `[]` as no tokens of the width of `like`; anything else as it is. */
export function emptyTokens(operand: Operand, like: Operand, heads: number, kvHeads: number): Operand {
  if (!isEmptyList(operand.shape) || like.shape.length < 2) return operand;
  const width = (like.shape.at(-1)! / kvHeads) * heads;
  return { ...operand, shape: [0, width], strides: [width, 1] };
}

/** The array to pass in place of `[]` where nothing tells its width. */
export function widthHint(shape: Shape): string {
  return isEmptyList(shape) ? '; an empty list has no width: pass { data: [], shape: [0, width] }' : '';
}

/** Whether it is the shape of `[]`, which does not tell its width. */
export function isEmptyList(shape: Shape): boolean {
  return shape.length === 1 && shape[0] === 0;
}

export function axesOf(q: Operand, choice: LayoutChoice): Axes {
  const axes = AXES[choice.layout][q.shape.length]!;
  return { batch: axes.includes('b'), heads: choice.layout === 'packed' || axes.includes('h') };
}

type Each<T> = Readonly<Record<'q' | 'k' | 'v', T>>;

/**
 * The one set of sizes of q, k and v, or a `shape` error that says which rule they break. `hasBatch`: whether q has the axis; `choice`:
 * how the axes were read, where the caller may choose it for all three.
 */
export function matchSizes(
  fn: string,
  operands: Each<Operand>,
  q: SideSizes,
  k: SideSizes,
  v: SideSizes,
  hasBatch: boolean,
  choice?: LayoutChoice,
): Sizes {
  const rule = brokenRule(operands, { q, k, v }, hasBatch);
  if (rule !== null) {
    // A cache is k and v in one.
    const given = [operands.q, operands.k, ...(operands.v.name === operands.k.name ? [] : [operands.v])];
    const got = given.map(({ name, shape }) => `${name} ${formatShape(shape)}`).join(', ');
    fail('shape', fn, `${rule}, got ${got}${given.length < 3 ? '' : remedy(operands, { q, k, v }, hasBatch, choice)}`);
  }
  const batch = commonBatch(q.batch, k.batch, v.batch)!;
  return { batch, heads: q.heads, kvHeads: k.heads, queries: q.tokens, keys: k.tokens, width: q.width, valueWidth: v.width };
}

/** The first rule of sizes that is broken; null where all hold. */
function brokenRule(
  { q: { name: nameQ }, k: { name: nameK }, v: { name: nameV } }: Each<Operand>,
  { q, k, v }: Each<SideSizes>,
  hasBatch: boolean,
): string | null {
  if (q.width !== k.width) return `${nameQ} and ${nameK} must share their width`;
  if (q.width === 0) return `the width of ${nameQ} and ${nameK} must be at least 1`;
  if (k.tokens !== v.tokens) return `${nameK} and ${nameV} must have as many tokens as each other`;
  if (k.heads !== v.heads) return `${nameK} and ${nameV} must have as many heads as each other`;
  if (k.heads !== q.heads && (k.heads === 0 || q.heads % k.heads !== 0))
    return `the ${k.heads} heads of ${nameK} and ${nameV} must equal or divide the ${q.heads} of ${nameQ}`;
  const batch = commonBatch(q.batch, k.batch, v.batch);
  if (batch === null) return 'batch sizes must be equal or 1';
  return hasBatch || batch === 1 ? null : `${nameQ} must have a batch axis when ${nameK} or ${nameV} have one`;
}

/** Suggests what makes the sizes match: another layout, or another order of arguments. */
function remedy(operands: Each<Operand>, sides: Each<SideSizes>, hasBatch: boolean, choice: LayoutChoice | undefined): string {
  const layout =
    choice?.layout === 'bhtd' ? (['btd', 'bthd'] as const).find((layout) => fitsLayout(operands, sides, layout)) : undefined;
  if (layout !== undefined) return `; for ${spell(AXES[layout][operands.q.shape.length]!)} pass layout: '${layout}'`;
  const { q, k, v } = sides;
  if (brokenRule(operands, { q, k: v, v: k }, hasBatch) === null)
    return `; are ${operands.k.name} and ${operands.v.name} exchanged?`;
  if (brokenRule(operands, { q: k, k: q, v }, hasBatch) === null)
    return `; are ${operands.q.name} and ${operands.k.name} exchanged?`;
  return '';
}

/** Whether the sizes match where the axes are read by `layout`; the width is the last in each. */
function fitsLayout(operands: Each<Operand>, { q, k, v }: Each<SideSizes>, layout: Layout): boolean {
  const { q: ofQ, k: ofK, v: ofV } = operands;
  if ([ofQ, ofK, ofV].some(({ shape }) => AXES[layout][shape.length] === undefined)) return false;
  const choice = { layout, heads: 1, kvHeads: 1 };
  const read = (operand: Operand, { width }: SideSizes): SideSizes => ({ ...readHeads('', operand, choice, 1), width });
  return brokenRule(operands, { q: read(ofQ, q), k: read(ofK, k), v: read(ofV, v) }, axesOf(ofQ, choice).batch) === null;
}

/** The one size among batch sizes that are equal or 1; null where they are not. */
function commonBatch(...sizes: readonly number[]): number | null {
  let batch = 1;
  for (const size of sizes) {
    if (size === 1 || size === batch) continue;
    if (batch !== 1) return null;
    batch = size;
  }
  return batch;
}

/** [B, H, ...rest] less the axes that q lacks. */
export function withoutMissing(axes: Axes, sizes: { batch: number; heads: number }, rest: Shape): number[] {
  const shape: number[] = [];
  if (axes.batch) shape.push(sizes.batch);
  if (axes.heads) shape.push(sizes.heads);
  for (const length of rest) shape.push(length);
  return shape;
}

/** The output: q's rank and layout, width Dv, with its strides as [B, H, T, Dv] in a row-major array of that shape. */
export function outputLayout(
  axes: Axes,
  choice: LayoutChoice,
  sizes: Pick<Sizes, 'batch' | 'heads' | 'queries' | 'valueWidth'>,
): { shape: number[]; batchStride: number; headStride: number; tokenStride: number } {
  const { batch, heads, queries, valueWidth } = sizes;
  const shape = axes.batch ? [batch] : [];
  const isPacked = choice.layout === 'packed';
  const isByToken = isPacked || choice.layout === 'bthd';
  if (isByToken) shape.push(queries);
  if (axes.heads && !isPacked) shape.push(heads);
  if (!isByToken) shape.push(queries);
  shape.push(isPacked ? heads * valueWidth : valueWidth);
  return {
    shape,
    batchStride: heads * queries * valueWidth,
    headStride: isByToken ? valueWidth : queries * valueWidth,
    tokenStride: isByToken ? heads * valueWidth : valueWidth,
  };
}

function spell(axes: string): string {
  return `[${axes.toUpperCase().split('').join(', ')}]`;
}
