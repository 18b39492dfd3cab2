/** Calls of recurrent layers: arguments read and checked. */
import { instanceOf } from '../../runtime/instances.ts';
import { readIntegers } from '../../tensor/number_lists.ts';
import { fail } from '../../errors/errors.ts';
import { checkChoice, readOptions } from '../../errors/options.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { isTensor, type Tensor } from '../../tensor/tensor.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { readLayers, readNames, type Family } from './params.ts';
import { CELL_OPTIONS, gateReplaces, kindOf, planLayers, readState, type Sequences } from './plan.ts';
import type { GruOptions, LstmResult, RecurrentOptions, RnnOptions } from './types.ts';
import { Outputs, readTargets } from '../../call/outputs.ts';
import { finish, plan } from '../../call/call.ts';
import { readOperand } from '../../tensor/operands.ts';

const OPTIONS = ['layout', 'initialState', 'lengths', 'out'] as const satisfies readonly (keyof RecurrentOptions)[];

/** `rnn`, `gru` and `lstm`. */
export function runLayers(
  family: Family,
  fovea: unknown,
  input: unknown,
  params: unknown,
  options: (RnnOptions & GruOptions) | undefined,
): LstmResult<NDArray | Tensor> {
  const fn = family;
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, [...OPTIONS, ...CELL_OPTIONS[family]]);
  const kind = kindOf(fn, family, known);
  const updateReplaces = gateReplaces(fn, known);
  checkChoice(fn, 'layout', known.layout, ['btd', 'tbd']);
  const operand = readOperand(instance, fn, 'x', input);
  const { shape, strides } = operand;
  if (shape.length !== 2 && shape.length !== 3)
    fail('shape', fn, `x must be [T, I] or ${known.layout === 'tbd' ? '[T, B, I]' : '[B, T, I]'}, got ${formatShape(shape)}`);
  const batched = shape.length === 3;
  const [batchAxis, tokenAxis] = !batched ? [-1, 0] : known.layout === 'tbd' ? [1, 0] : [0, 1];
  const x: Sequences = {
    operand,
    batch: batched ? shape[batchAxis]! : 1,
    tokens: shape[tokenAxis]!,
    width: shape.at(-1)!,
    batchStride: batched ? strides[batchAxis]! : 0,
    tokenStride: strides[tokenAxis]!,
    tokenFirst: batchAxis === 1,
  };
  if (x.width === 0) fail('shape', fn, `the width of x must be at least 1, got ${formatShape(shape)}`);
  const layers = readLayers(instance, fn, family, readNames(fn, family, params), x.width);
  const stateShape = (width: number): number[] => [
    layers.list.length * layers.directions,
    ...(batched ? [x.batch] : []),
    width,
  ];
  const initial = readState(instance, fn, family, known.initialState, stateShape(layers.state), stateShape(layers.hidden));
  const lengths = readLengths(fn, known.lengths, x);
  const targets = readTargets(fn, known.out, ['output']);

  const call = plan(instance, fn, (arena) => {
    const arrays = layers.list.flat().flatMap((weights) => weights.arrays);
    const inputs = [operand, ...arrays, initial.hidden, initial.cell].filter((one) => one !== null);
    const outputs = new Outputs(arena, targets, isTensor(input), () => inputs);
    const output = outputs.reserve('output', [...shape.slice(0, -1), layers.directions * layers.state]);
    const hidden = outputs.fresh(stateShape(layers.state));
    const cell = family === 'lstm' ? outputs.fresh(stateShape(layers.hidden)) : null;
    planLayers(
      arena,
      { kind, updateReplaces, layers, x, initial, lengths },
      { output: output.ptr, hidden: hidden.ptr, cell: cell?.ptr ?? null },
    );
    return () => ({
      output: output.finish(),
      hidden: hidden.finish(),
      ...(cell === null ? {} : { cell: cell.finish() }),
    });
  });
  return finish(call) as LstmResult<NDArray | Tensor>;
}

function readLengths(fn: string, lengths: unknown, { batch, tokens }: Sequences): Int32Array | null {
  if (lengths === undefined) return null;
  return readIntegers(fn, 'lengths', lengths, 0, tokens, { length: batch, per: 'sequence' });
}
