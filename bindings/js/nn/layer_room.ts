/** The memory that a layer computes in, for rows of several sequences, and what it is given beside its weights. */
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import type { Operand } from '../tensor/operands.ts';
import type { LayerConfig } from './layer_config.ts';
import type { Turns } from './rope_plan.ts';

/** The weights of a layer by name; null where it has none of that name. */
export type Weights = (name: string) => Operand | null;

/** `batch` sequences of `tokens` tokens each, whose rows follow each other. */
export interface Sequences {
  readonly batch: number;
  readonly tokens: number;
}

/** Memory for what a layer computes on the way; the layers of a stack share it. */
export interface LayerRoom {
  /** Their rows follow each other. */
  readonly sequences: readonly Sequences[];
  readonly rows: number;
  readonly normed: Ptr;
  readonly qkv: Ptr;
  readonly attended: Ptr;
  readonly between: Ptr;
  readonly gated: Ptr;
  /** Lengths and strides of a sum of all rows. */
  readonly sum: Ptr;
}

export function reserveRoom(arena: CallArena, config: LayerConfig, sequences: readonly Sequences[]): LayerRoom {
  const { dModel, heads, headDim, between, gated } = config;
  const rows = sequences.reduce((sum, { batch, tokens }) => sum + batch * tokens, 0);
  return {
    sequences,
    rows,
    normed: arena.reserveFloats(rows * dModel),
    qkv: arena.reserveFloats(rows * qkvWidth(config)),
    attended: arena.reserveFloats(rows * heads * headDim),
    between: arena.reserveFloats(rows * between * (gated ? 2 : 1)),
    gated: gated ? arena.reserveFloats(rows * between) : NULL_PTR,
    sum: arena.placeIntegers(Int32Array.of(rows * dModel, 1, 1)),
  };
}

/** The rows of the parts of a joined weight of a layer: queries, keys and values; up and gate. */
export function partRows({ heads, kvHeads, headDim, between }: LayerConfig, name: string): readonly number[] {
  return /in_proj_\w+$/.test(name) ? [heads * headDim, kvHeads * headDim, kvHeads * headDim] : [between, between];
}

export function qkvWidth({ heads, kvHeads, headDim }: LayerConfig): number {
  return (heads + 2 * kvHeads) * headDim;
}

/** The inputs of a layer beside its rows and its weights. */
export interface LayerInputs {
  readonly cache: PlannedAppend | null;
  readonly turns: Turns;
  /** Where the weights of each sequence go, [batch, H, T, keys]; null where they are not asked for. */
  readonly weightsAt: readonly Ptr[] | null;
}
