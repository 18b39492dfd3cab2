/**
 * Keys appended to every sequence (PyTorch's add_bias_kv and add_zero_attn): they have no position, no rule forbids them
 * and no bias applies to them. Rules that count positions would see them as the last keys, so they become masks here.
 */
import { fail } from '../../errors/errors.ts';
import type { Heap } from '../../runtime/heap.ts';
import type { Sizes } from '../options/layout.ts';
import type { Mask } from '../options/masks.ts';
import { plainOperand, type Operand } from '../../tensor/operands.ts';
import type { Rules } from '../options/rules.ts';
import { extentOf, rowMajor, sizeOf } from '../../tensor/shapes.ts';

/** The rules for `sizes.keys + count` keys, of which the last `count` are always allowed; `sizes` are those before. */
export function appendKeys(fn: string, heap: Heap, rules: Rules, sizes: Sizes, count: number): Rules {
  const { keyLengths, offsets, causal, windowLeft, windowRight, direction, mask, floatMask, slopes } = rules;
  const forbids = causal || windowLeft >= 0 || windowRight >= 0 || direction > 0 || keyLengths !== null || mask !== null;
  const perBatch = offsets !== null || keyLengths !== null;
  return {
    ...rules,
    causal: false,
    windowLeft: -1,
    windowRight: -1,
    keyLengths: null,
    slopes: null,
    direction: 0,
    terms: { ...rules.terms, bias: '' },
    mask: forbids ? booleanMask(fn, rules, sizes, count, perBatch) : null,
    floatMask: floatMask !== null || slopes !== null ? additiveMask(fn, heap, rules, sizes, count, offsets !== null) : null,
  };
}

function booleanMask(fn: string, rules: Rules, sizes: Sizes, count: number, perBatch: boolean): Mask {
  const { mask, causal, windowLeft, windowRight, direction, offsets, keyLengths } = rules;
  const allowed = mask === null ? null : mask.operand.data;
  const shape = pairsShape(sizes, count, perBatch || varies(mask, 0), varies(mask, 1));
  const data = allocate(fn, shape, (length) => new Uint8Array(length));
  forEachPair(shape, (at, b, h, i, j) => {
    if (j >= sizes.keys) return void (data[at] = 1);
    const p = i + (offsets?.[b] ?? 0);
    const near = (!causal || j <= p) && (windowLeft < 0 || j >= p - windowLeft) && (windowRight < 0 || j <= p + windowRight);
    const faced = direction === 0 || (direction === 1 ? j < p : j > p);
    const kept = faced && (keyLengths === null || j < keyLengths[b]!);
    data[at] = Number(near && kept && (allowed === null || allowed[index(mask!, b, h, i, j)] !== 0));
  });
  return madeMask('boolean', shape, data);
}

function additiveMask(
  fn: string,
  heap: Heap,
  { floatMask, slopes, offsets }: Rules,
  sizes: Sizes,
  count: number,
  perBatch: boolean,
): Mask {
  const shape = pairsShape(sizes, count, perBatch || varies(floatMask, 0), slopes !== null || varies(floatMask, 1));
  const data = allocate(fn, shape, (length) => new Float32Array(length));
  const added = floatMask === null ? null : numbersOf(heap, floatMask.operand);
  forEachPair(shape, (at, b, h, i, j) => {
    if (j >= sizes.keys) return;
    const distance = Math.abs(i + (offsets?.[b] ?? 0) - j);
    data[at] = (added === null ? 0 : added[index(floatMask!, b, h, i, j)]!) - (slopes === null ? 0 : slopes[h]! * distance);
  });
  return madeMask('float', shape, data);
}

type PairsShape = readonly [batch: number, heads: number, queries: number, keys: number];

function pairsShape(sizes: Sizes, count: number, perBatch: boolean, perHead: boolean): PairsShape {
  return [perBatch ? sizes.batch : 1, perHead ? sizes.heads : 1, sizes.queries, sizes.keys + count];
}

function varies(mask: Mask | null, axis: 0 | 1): boolean {
  return mask !== null && mask.strides[axis] !== 0;
}

function forEachPair(
  [batch, heads, queries, keys]: PairsShape,
  visit: (at: number, b: number, h: number, i: number, j: number) => void,
): void {
  let at = 0;
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < queries; i++) {
        for (let j = 0; j < keys; j++) visit(at++, b, h, i, j);
      }
    }
  }
}

function index({ strides: [batch, head, query, key] }: Mask, b: number, h: number, i: number, j: number): number {
  return b * batch + h * head + i * query + j * key;
}

function numbersOf(heap: Heap, operand: Operand): ArrayLike<number> {
  return operand.address === null ? operand.data : heap.floats(operand.address, extentOf(operand.shape, operand.strides));
}

function allocate<A>(fn: string, shape: PairsShape, make: (length: number) => A): A {
  try {
    return make(sizeOf(shape));
  } catch (error) {
    return fail(
      'memory',
      fn,
      `JavaScript refused a mask of ${sizeOf(shape)} pairs, which the appended keys need beside these rules`,
      error,
    );
  }
}

function madeMask(type: Mask['type'], shape: PairsShape, data: Uint8Array | Float32Array): Mask {
  const [batch, head, query] = rowMajor(shape) as [number, number, number, number];
  const operand = plainOperand('mask', shape, data, type === 'boolean' ? 'Uint8Array' : 'Float32Array');
  return { type, operand, strides: [shape[0] === 1 ? 0 : batch, shape[1] === 1 ? 0 : head, query, 1] };
}
