/** Rows in wasm memory times a number, and their soft cap, as steps of a planned call. */
import { ACTIVATION } from '../../../build/generated/enums/activation.ts';
import { ARITHMETIC } from '../../../build/generated/enums/arithmetic.ts';
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import type { CallArena, Ptr } from '../call/call_arena.ts';

/** x <- factor · x. */
export function planScale(arena: CallArena, x: Ptr, count: number, factor: number): void {
  const sizes = arena.placeIntegers(Int32Array.of(count, 1, 0));
  const b = arena.placeFloats(Float32Array.of(factor));
  const run = (): void => {
    const { address } = sizes;
    arena.run('arithmetic', ARITHMETIC_BLOCK, {
      ...{ kind: ARITHMETIC.indexOf('multiply'), scale: 1, rank: 1 },
      ...{ lengths: address, aStrides: address + 4, bStrides: address + 8 },
      ...{ a: x.address, b: b.address, y: x.address },
    });
  };
  arena.steps.push({ operation: null, run });
}

/** x <- cap · tanh(x / cap). */
export function planSoftcap(arena: CallArena, x: Ptr, rows: number, columns: number, cap: number): void {
  planScale(arena, x, rows * columns, 1 / cap);
  const run = (): void =>
    arena.run('activation', ACTIVATION_BLOCK, {
      ...{ activation: ACTIVATION.indexOf('tanh'), parameter: 0, x: x.address, xRow: columns, rows, columns, y: x.address },
    });
  arena.steps.push({ operation: null, run });
  planScale(arena, x, rows * columns, cap);
}
