/** Recurrent layers in wasm memory: what their steps need, one wasm call for each layer. */
import { RECURRENT_CELL, type RecurrentCell } from '../../../../build/generated/enums/recurrent_cell.ts';
import { RECURRENT_BLOCK } from '../../../../build/generated/blocks/recurrent.ts';
import { RECURRENT_DIRECTION_BLOCK } from '../../../../build/generated/blocks/recurrent_direction.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Ptr } from '../../call/ptr.ts';
import { checkShape, type Operand } from '../../tensor/operands.ts';
import { checkBoolean, checkChoice, readOptions } from '../../errors/options.ts';
import type { Shape } from '../../tensor/shapes.ts';
import type { Family, Layers } from './params.ts';
import { readContiguous } from './tools.ts';
import type { GruOptions, RecurrentState, RnnOptions } from './types.ts';
import type { Instance } from '../../runtime/instance.ts';

/** The options that say how a step is computed. */
export const CELL_OPTIONS = {
  rnn: ['nonlinearity'],
  gru: ['resetAfter', 'updateGate'],
  lstm: [],
} as const satisfies Record<Family, readonly (keyof (RnnOptions & GruOptions))[]>;

/** x of rank 2 or 3 as the core reads it; an axis that it lacks has length 1. */
export interface Sequences {
  readonly operand: Operand | null;
  readonly batch: number;
  readonly tokens: number;
  readonly width: number;
  readonly batchStride: number;
  readonly tokenStride: number;
  /** Whether the sequences of one token lie side by side in results. */
  readonly tokenFirst: boolean;
}

export function kindOf(fn: string, family: Family, { nonlinearity, resetAfter }: RnnOptions & GruOptions): RecurrentCell {
  checkChoice(fn, 'nonlinearity', nonlinearity, ['tanh', 'relu']);
  checkBoolean(fn, 'resetAfter', resetAfter);
  if (family === 'rnn') return nonlinearity ?? 'tanh';
  return family === 'gru' && resetAfter === false ? 'gruResetBefore' : family;
}

/** Whether a GRU's update gate weighs n, not h. */
export function gateReplaces(fn: string, { updateGate }: GruOptions): boolean {
  checkChoice(fn, 'updateGate', updateGate, ['keep', 'replace']);
  return updateGate === 'replace';
}

export interface InitialState {
  readonly hidden: Operand | null;
  readonly cell: Operand | null;
}

export interface RecurrentProblem {
  readonly kind: RecurrentCell;
  readonly updateReplaces: boolean;
  readonly layers: Layers;
  readonly x: Sequences;
  readonly initial: InitialState;
  readonly lengths: Int32Array | null;
}

/** Reserves room for the weights and for what lies between layers, and plans the wasm calls. */
export function planLayers(
  arena: CallArena,
  { kind, updateReplaces, layers, x, initial, lengths }: RecurrentProblem,
  to: { readonly output: Ptr; readonly hidden: Ptr; readonly cell: Ptr | null },
): void {
  const { hidden, state, directions, list } = layers;
  const { batch, tokens } = x;
  const place = (operand: Operand | null): Ptr | null => (operand === null ? null : arena.place(operand));
  const h0 = place(initial.hidden);
  const c0 = place(initial.cell);
  const placedLengths = arena.placeIntegers(lengths);
  const width = directions * state;
  const [batchStride, tokenStride] = x.tokenFirst ? [width, batch * width] : [tokens * width, width];
  let from = { ptr: place(x.operand), width: x.width, batchStride: x.batchStride, tokenStride: x.tokenStride };

  list.forEach((weightsOf, layer) => {
    const blocks = weightsOf.map((weights, d) => {
      const [weightIh, weightHh, biasIh, biasHh, weightHr] = weights.arrays.map(place);
      const nth = layer * directions + d;
      const at = (ptr: Ptr | null, width: number): number => (ptr === null ? 0 : ptr.address + 4 * nth * batch * width);
      return arena.placeBlock(RECURRENT_DIRECTION_BLOCK, () => ({
        weightIh: weightIh?.address ?? 0,
        weightHh: weightHh?.address ?? 0,
        biasIh: biasIh?.address ?? 0,
        biasHh: biasHh?.address ?? 0,
        weightHr: weightHr?.address ?? 0,
        initialHidden: at(h0, state),
        initialCell: at(c0, hidden),
        lastHidden: at(to.hidden, state),
        lastCell: at(to.cell, hidden),
      }));
    });
    const isLast = layer === list.length - 1;
    const output = isLast ? to.output : arena.reserveFloats(batch * tokens * width);
    const input = from;
    const find = (backward: boolean): number => blocks[weightsOf.findIndex((one) => one.backward === backward)]?.address ?? 0;
    const run = (): void =>
      arena.run('recurrent', RECURRENT_BLOCK, {
        kind: RECURRENT_CELL.indexOf(kind),
        updateReplaces: Number(updateReplaces),
        batch,
        tokens,
        width: input.width,
        hidden,
        state,
        x: input.ptr?.address ?? 0,
        xBatch: input.batchStride,
        xToken: input.tokenStride,
        output: output.address,
        outputBatch: batchStride,
        outputToken: tokenStride,
        lengths: placedLengths.address,
        forward: find(false),
        backward: find(true),
      });
    arena.steps.push({ operation: null, run });
    from = { ptr: output, width, batchStride, tokenStride };
  });
}

export function readState(
  instance: Instance,
  fn: string,
  family: Family,
  initialState: RecurrentState | undefined,
  hidden: Shape,
  cell: Shape,
): InitialState {
  const names = family === 'lstm' ? (['hidden', 'cell'] as const) : (['hidden'] as const);
  const known = readOptions(fn, initialState, names as readonly (keyof RecurrentState)[]);
  const read = (name: 'hidden' | 'cell', shape: Shape): Operand | null => {
    if (known[name] === undefined) return null;
    const operand = readContiguous(instance, fn, `initialState.${name}`, known[name]);
    const isVector = operand.shape.length === 1 && shape.length === 2 && shape[0] === 1 && operand.shape[0] === shape[1];
    if (!isVector) {
      const letters = ['layers·directions', ...(shape.length === 3 ? ['B'] : []), name === 'cell' ? 'Hd' : 'P'];
      checkShape(fn, operand, shape, `[${letters.join(', ')}]`);
    }
    return operand;
  };
  return { hidden: read('hidden', hidden), cell: read('cell', cell) };
}
