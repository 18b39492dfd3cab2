/** Reading masks: boolean or additive, broadcast to [B, H, Tq, Tk] through strides of 0. */
import { fail } from '../../errors/errors.ts';
import type { Instance } from '../../runtime/instance.ts';
import { internalsOf, setInternals } from '../../runtime/internals.ts';
import { readOperand, type Operand } from '../../tensor/operands.ts';
import { broadcastStrides, formatShape } from '../../tensor/shapes.ts';
import type { Sizes } from './layout.ts';
import type { MaskInput } from '../types/options.ts';

export interface Mask {
  readonly type: 'boolean' | 'float';
  readonly operand: Operand;
  /** [batch, head, query, key], in elements. */
  readonly strides: readonly [number, number, number, number];
}

const BOOLEAN_KINDS = ['booleans', 'Uint8Array'];
const FLOAT_KINDS = ['Float32Array', 'Float64Array', 'Float16Array', 'numbers', 'Tensor'];

/** The masks of a call: a pair must be allowed by all of them. */
export interface Masks {
  readonly mask: Mask | null;
  readonly floatMask: Mask | null;
  /** [B or 1, 1, 1, Tk]: beside a mask of pairs of the same type. */
  readonly keyMask: Mask | null;
  readonly keyFloatMask: Mask | null;
}

export const NO_MASKS: Masks = { mask: null, floatMask: null, keyMask: null, keyFloatMask: null };

interface MaskPair {
  readonly pairs: unknown;
  readonly keys: unknown;
}

/** The option `mask` of a call that has a mask of pairs and one of keys, [B or 1, 1, 1, Tk]. */
export function joinMasks(pairs: MaskInput, keys: MaskInput): MaskInput {
  const joined = {};
  setInternals(joined, 'masks', { pairs, keys } satisfies MaskPair);
  return joined as MaskInput;
}

/** Reads the option `mask` for the pairs of `sizes`. */
export function readMasks(instance: Instance, fn: string, input: unknown, sizes: Sizes): Masks {
  const joined = internalsOf<MaskPair>(fn, input, 'masks');
  const own = readMask(instance, fn, joined === undefined ? input : joined.pairs, sizes);
  const masks: Masks = { ...NO_MASKS, [own.type === 'boolean' ? 'mask' : 'floatMask']: own };
  if (joined === undefined) return masks;
  const keys = readMask(instance, fn, joined.keys, sizes);
  return { ...masks, [keys.type === 'boolean' ? 'keyMask' : 'keyFloatMask']: keys };
}

/** Reads `mask` for the pairs of `sizes`; nested numbers of nothing but 0 and 1 are an error, as they may mean either. */
function readMask(instance: Instance, fn: string, input: unknown, sizes: Sizes): Mask {
  const operand = readOperand(instance, fn, 'mask', input, 'mask');
  const boolean = BOOLEAN_KINDS.includes(operand.kind);
  if (!boolean && !FLOAT_KINDS.includes(operand.kind)) {
    fail(
      'value',
      fn,
      `mask.data must be a Uint8Array or booleans (0 or false = forbid), or a Float32Array, Float64Array or numbers (added), got a ${operand.kind}`,
    );
  }
  if (operand.kind === 'numbers' && operand.data.length > 0 && Array.prototype.every.call(operand.data, isBit)) {
    fail(
      'value',
      fn,
      'a mask of numbers is added to the logits, but this one holds only 0 and 1: for a boolean mask pass true and false or a Uint8Array, to add these very numbers pass a Float32Array',
    );
  }
  const pairs = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  const strides = broadcastStrides(operand.shape, operand.strides, pairs);
  if (strides === null) {
    const [rows, keys] = operand.shape;
    const isPadding = operand.shape.length === 2 && rows === sizes.batch && keys === sizes.keys;
    // The pairs that there would be if the axes of q and k were [B, T, H, D].
    const exchanged = [sizes.batch, sizes.queries, sizes.heads, sizes.kvHeads];
    const remedy = isPadding
      ? `; reshape a mask [B, Tk] of padding to [${rows}, 1, 1, ${keys}], or pass keyLengths`
      : broadcastStrides(operand.shape, operand.strides, exchanged) !== null
        ? "; if q and k are [B, T, H, D], pass layout: 'bthd'"
        : '';
    const rule = `mask must broadcast to [B, H, Tq, Tk] = ${formatShape(pairs)}`;
    fail('shape', fn, `${rule}, got ${formatShape(operand.shape)}${remedy}`);
  }
  return { type: boolean ? 'boolean' : 'float', operand, strides: strides as unknown as Mask['strides'] };
}

function isBit(value: number): boolean {
  return value === 0 || value === 1;
}
