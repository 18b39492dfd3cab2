/** Rows in wasm memory times a number, and their soft cap, as steps of a planned call. */
import { ACTIVATION } from '../../../build/generated/enums/activation.ts';
import { ARITHMETIC } from '../../../build/generated/enums/arithmetic.ts';
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';

/** y <- factor · x; y may be x. */
export function planScale(arena: CallArena, x: Ptr, count: number, factor: number, y: Ptr = x): void {
  const sizes = arena.placeIntegers(Int32Array.of(count, 1, 0));
  const b = arena.placeFloats(Float32Array.of(factor));
  const run = (): void => {
    const { address } = sizes;
    arena.run('arithmetic', ARITHMETIC_BLOCK, {
      ...{ kind: ARITHMETIC.indexOf('multiply'), scale: 1, rank: 1 },
      ...{ lengths: address, aStrides: address + 4, bStrides: address + 8 },
      ...{ a: x.address, b: b.address, y: y.address },
    });
  };
  arena.steps.push({ operation: null, run });
}

/** y <- cap · tanh(x / cap), x being written over; y may be x. */
export function planSoftcap(arena: CallArena, x: Ptr, rows: number, columns: number, cap: number, y: Ptr): void {
  const count = rows * columns;
  planScale(arena, x, count, 1 / cap);
  const capped = arena.reuse(x, count);
  const run = (): void =>
    arena.run('activation', ACTIVATION_BLOCK, {
      ...{
        activation: ACTIVATION.indexOf('tanh'),
        parameter: 0,
        x: x.address,
        xRow: columns,
        rows,
        columns,
        y: capped.address,
      },
    });
  arena.steps.push({ operation: null, run });
  planScale(arena, capped, count, cap, y);
}
