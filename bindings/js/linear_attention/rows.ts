/** q, k and v as they are read. */
import type { HeadsShape } from '../attention/options/layout.ts';
import type { CallArena } from '../call/call_arena.ts';
import { stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import type { Operand } from '../tensor/operands.ts';

/** q, k or v: where its numbers come from, and how its axes are read. */
export interface Input {
  readonly operand: Operand;
  readonly heads: HeadsShape;
}

/** The input in wasm memory. */
export function placeRows(arena: CallArena, { operand, heads }: Input): StridedPtr {
  return stridedPtr(arena.place(operand), heads);
}
