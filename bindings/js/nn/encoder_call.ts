/** Calls of an encoder: sequences of one length, or of several without padding. */
import { fail } from '../errors/errors.ts';
import { finish, plan } from '../call/call.ts';
import type { CallArena } from '../call/call_arena.ts';
import { freshOutput } from '../call/outputs.ts';
import { planCopy } from '../ops/copies.ts';
import { placeDense } from '../ops/operands.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { readIntegers } from '../tensor/number_lists.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { formatShape, rowMajor, sizeOf } from '../tensor/shapes.ts';
import { isTensor } from '../tensor/tensor.ts';
import { swapAxes } from './axes.ts';
import { FEW_ROWS, type EncoderLayer } from './encoder_layer.ts';
import { planEncoder } from './encoder_plan.ts';
import { ownOptions, readForwardOptions, type EncoderForwardOptions } from './forward_options.ts';
import type { LayerConfig } from './layer_config.ts';
import { reserveRoom, type Sequences } from './layer_room.ts';
import type { Module } from './module.ts';

/** An encoder as its calls see it. */
export interface EncoderParts {
  readonly layers: readonly EncoderLayer[];
  /** The module that has `norm.weight`; null where no norm stands behind the last layer. */
  readonly finalNorm: Module | null;
  readonly batchFirst: boolean;
}

interface ReadCall {
  readonly operand: Operand;
  readonly asTensor: boolean;
  readonly sequences: readonly Sequences[];
  readonly attention: LayerConfig['attention'];
  /** Rows behind those of x, which nobody reads: with them a sequence has the same bits alone and among others. */
  readonly filler: number;
}

/** The output of the last layer; with `all` x and the output of every layer. */
export function runEncoder<X extends ArrayInput>(
  module: Module,
  fn: string,
  parts: EncoderParts,
  x: X,
  options: EncoderForwardOptions,
  all: boolean,
): ResultArray<X>[] {
  const run = (input: ArrayInput): ResultArray<ArrayInput>[] => {
    const call = readCall(module, fn, parts, input, options);
    return finish(plan(module.instance, fn, (arena) => planCall(arena, parts, call, all)));
  };
  if (parts.batchFirst) return run(x) as ResultArray<X>[];
  const turned = module.fovea.scope(() =>
    run(swapAxes(module, fn, 'x', x as ArrayInput)).map((state) => swapAxes(module, fn, 'output', state as ArrayInput)),
  );
  return turned as ResultArray<X>[];
}

function readCall(
  module: Module,
  fn: string,
  { layers }: EncoderParts,
  x: ArrayInput,
  options: EncoderForwardOptions,
): ReadCall {
  const { dModel, heads } = layers[0]!.config;
  const operand = readOperand(module.instance, fn, 'x', x);
  const { shape } = operand;
  if ((shape.length !== 2 && shape.length !== 3) || shape.at(-1) !== dModel)
    fail('shape', fn, `x must be [T, E] or [B, T, E] with the width E = dModel = ${dModel}, got ${formatShape(shape)}`);
  const [batch, tokens] = [shape.length === 3 ? shape[0]! : 1, shape.at(-2)!];
  const own = ownOptions(fn, options);
  const { lengths } = own;
  const sizes = { batch, heads, queries: tokens, keys: tokens };
  const names = ['lengths'] satisfies (keyof EncoderForwardOptions)[];
  const rest: EncoderForwardOptions = { ...own, lengths: undefined };
  const attention = readForwardOptions(module, fn, rest, sizes, names);
  const same = { operand, asTensor: isTensor(x), attention };
  if (lengths === undefined) return { ...same, sequences: [{ batch, tokens }], filler: 0 };
  for (const name of ['attnMask', 'keyPaddingMask', 'keyLengths'] as const)
    if (own[name] !== undefined) fail('option', fn, `lengths cannot be combined with ${name}`);
  if (shape.length !== 2) fail('shape', fn, `x must be [ΣT, E] where lengths are given, got ${formatShape(shape)}`);
  const list = [...readIntegers(fn, 'lengths', lengths, 1, tokens)];
  const sum = list.reduce((total, length) => total + length, 0);
  if (sum !== tokens) fail('shape', fn, `lengths must add up to the ${tokens} rows of x, got ${sum}`);
  const isFew = tokens > 0 && tokens <= FEW_ROWS && layers.some((layer) => layer.roundsByRows(fn));
  return { ...same, sequences: list.map((length) => ({ batch: 1, tokens: length })), filler: isFew ? FEW_ROWS : 0 };
}

function planCall(
  arena: CallArena,
  { layers, finalNorm }: EncoderParts,
  { operand, asTensor, sequences, attention, filler }: ReadCall,
  all: boolean,
): () => ResultArray<ArrayInput>[] {
  const { config } = layers[0]!;
  const { shape } = operand;
  const count = sizeOf(shape);
  const outputs = Array.from({ length: all ? layers.length + 1 : 1 }, () => freshOutput(arena, shape, asTensor));
  const room = reserveRoom(arena, config, filler > 0 ? [...sequences, { batch: 1, tokens: filler }] : sequences);
  const floats = room.rows * config.dModel;
  const places = outputs.map(({ ptr }) => (filler > 0 ? arena.reserveFloats(floats) : ptr));
  const last = places.at(-1)!;
  const states = all ? places : [filler > 0 ? last : placeDense(arena, operand), ...layers.map(() => last)];
  if (filler > 0) planRun(arena, () => arena.heap.floats(states[0]!.address, floats).fill(0));
  if (all || filler > 0) {
    const strides = { fromStrides: operand.strides, toStrides: rowMajor(shape) };
    planRun(arena, planCopy(arena, { from: operand, to: states[0]!, offset: 0, shape, ...strides }));
  }
  planEncoder(arena, layers, {
    ...{ room, states, attention, weightsAt: new Map() },
    finalNorm: finalNorm === null ? null : { module: finalNorm, y: last },
  });
  const { heap } = arena;
  if (filler > 0)
    outputs.forEach(({ ptr }, n) =>
      planRun(arena, () => heap.floats(ptr.address, count).set(heap.floats(places[n]!.address, count))),
    );
  // Without a row there is nothing to run; planning has checked the options.
  if (count === 0) arena.steps.length = 0;
  return () => outputs.map((output) => output.finish());
}

function planRun(arena: CallArena, run: () => void): void {
  arena.steps.push({ operation: null, run });
}
