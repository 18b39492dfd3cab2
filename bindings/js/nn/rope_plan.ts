/** Rotary positions of rows in wasm memory, as steps of a planned call. */
import { ROTARY_BLOCK } from '../../../build/generated/blocks/rotary.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { OffsetPtr } from '../call/strided_ptr.ts';
import type { LayerConfig, RopeConfig } from './layer_config.ts';

/** Cosines, then sines, of the angles of one token, which layers with equal angles share. */
export type Turns = ReadonlyMap<RopeConfig['key'], Ptr>;
/** For several tokens of each sequence: the angles of each are computed. */
export const NO_TURNS: Turns = new Map();

/** For one token of each sequence: the angles of `position`. */
export function planTurns(arena: CallArena, layers: readonly LayerConfig[], position: number): Turns {
  const turns = new Map<string, Ptr>();
  for (const { rope } of layers)
    if (rope !== null && !turns.has(rope.key)) turns.set(rope.key, planAngles(arena, rope, position));
  return turns;
}

/** Queries and keys lie side by side: one call rotates both, in place. */
export function planRope(
  arena: CallArena,
  rope: RopeConfig,
  turns: Ptr | null,
  heads: HeadsShape,
  at: Ptr,
  position: number,
): void {
  const { rotaryWidth, interleaved } = rope;
  const own = turns === null ? { start: position, cos: NULL_PTR, sin: NULL_PTR } : { start: 0, ...pairOf(turns, rotaryWidth) };
  planRotary(arena, rope, { interleaved, heads, rotary: rotaryWidth, x: at, output: at, ...own });
}

/** The angles of a position: rotating a row of ones, then zeros, gives their cosines, then their sines. */
function planAngles(arena: CallArena, rope: RopeConfig, position: number): Ptr {
  const { rotaryWidth } = rope;
  const one = { batch: 1, heads: 1, tokens: 1, width: rotaryWidth, batchStride: 0, headStride: 0, tokenStride: rotaryWidth };
  const x = arena.placeFloats(new Float32Array(rotaryWidth).fill(1, 0, rotaryWidth / 2));
  const output = arena.reserveFloats(rotaryWidth);
  const own = { start: position, cos: NULL_PTR, sin: NULL_PTR };
  planRotary(arena, rope, { interleaved: false, heads: one, rotary: rotaryWidth, x, output, ...own });
  return output;
}

function pairOf(turns: Ptr, rotaryWidth: number): { readonly cos: Ptr; readonly sin: Ptr } {
  return { cos: turns, sin: new OffsetPtr(turns, rotaryWidth / 2) };
}

interface Rotation {
  readonly interleaved: boolean;
  /** The rows of x and of output. */
  readonly heads: HeadsShape;
  readonly rotary: number;
  readonly x: Ptr;
  readonly output: Ptr;
  readonly start: number;
  /** The row of position 0, or null: then they are computed. */
  readonly cos: Ptr;
  readonly sin: Ptr;
}

function planRotary(
  arena: CallArena,
  { frequencies }: RopeConfig,
  { heads, x, output, cos, sin, ...rotation }: Rotation,
): void {
  const { batch, tokens, width, batchStride, headStride, tokenStride } = heads;
  const run = (): void =>
    arena.run('rotary', ROTARY_BLOCK, {
      ...{ interleaved: Number(rotation.interleaved), batch, heads: heads.heads, tokens, width, rotary: rotation.rotary },
      ...{ x: x.address, xBatch: batchStride, xHead: headStride, xToken: tokenStride },
      ...{ output: output.address, outputBatch: batchStride, outputHead: headStride, outputToken: tokenStride },
      ...{ start: rotation.start, positions: 0, positionsBatch: 0, ...frequencies },
      ...{ cos: cos.address, sin: sin.address, tableRows: Number(cos.address !== 0) },
    });
  arena.steps.push({ operation: null, run });
}
