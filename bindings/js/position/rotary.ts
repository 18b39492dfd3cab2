/** `rotaryEmbedding`: positions as angles that pairs of numbers turn by. */
import { instanceOf } from '../runtime/instances.ts';
import { ROTARY_BLOCK } from '../../../build/generated/blocks/rotary.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { fail } from '../errors/errors.ts';
import { checkBoolean, checkInteger, readOptions } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { readAngles, type Angles } from './angles.ts';
import type { RotaryOptions } from './types.ts';
import { freshOutput } from '../call/outputs.ts';
import { axesOf, outputLayout, readHeads, readLayout } from '../attention/options/layout.ts';
import { finish, plan } from '../call/call.ts';
import { readOperand } from '../tensor/operands.ts';

/**
 * Rotary positions (RoPE), for queries and keys before attention: pair i of a row at position p turns by a_i = p·base^(-2i/R),
 *
 *     (u, v) -> (u cos a_i - v sin a_i, u sin a_i + v cos a_i),   i < R/2
 *
 * so that q·k depends on how far apart they are.
 *
 * @param fovea an instance of this thread.
 * @param x [T, D], [H, T, D] or [B, H, T, D]; other layouts by the options `layout` and `heads`.
 * @param options which pairs (`form`, `rotaryWidth`), which positions (`start` or `positions`), which angles (`base`, and `scale`,
 *   `ntk` or `llama3` to go beyond the tokens of the training; or tables `cos` and `sin`).
 * @returns x's shape. A Tensor where x is one.
 * @throws AttentionError `shape` | `value` (also for a position outside of the tables) | `option` | `disposed` | `memory` | `load`.
 *
 * Accuracy: angles, sines and cosines in double, rounded once; then two products and a sum.
 * Source: Su et al. 2021, arXiv:2104.09864 §3.2.2; scale: Chen et al. 2023, arXiv:2306.15595; ntk: Peng et al. 2023,
 *   arXiv:2309.00071 §3.1; llama3: Dubey et al. 2024, arXiv:2407.21783, as released with Llama 3.1.
 * @example
 * import { rotaryEmbedding } from 'fovea/position';
 * toNested(rotaryEmbedding(fovea, [[1, 0], [1, 0]])); // [[1, 0], [0.54, 0.841]]
 */
export function rotaryEmbedding<X extends ArrayInput>(fovea: Fovea, x: X, options?: RotaryOptions): ResultArray<X> {
  const fn = 'rotaryEmbedding';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, [
    'interleaved',
    'rotaryWidth',
    'base',
    'scale',
    'ntk',
    'llama3',
    'start',
    'positions',
    'cos',
    'sin',
    'layout',
    'heads',
  ]);
  const { interleaved = false } = known;
  checkBoolean(fn, 'interleaved', interleaved);
  const choice = readLayout(fn, known);
  const operand = readOperand(instance, fn, 'x', x);
  const heads = readHeads(fn, operand, choice, choice.heads);
  const angles = readAngles(instance, fn, known, heads);
  const rotaryWidth = readWidth(fn, known.rotaryWidth, angles, heads.width, operand.shape);
  const { shape, ...to } = outputLayout(axesOf(operand, choice), choice, {
    batch: heads.batch,
    heads: heads.heads,
    queries: heads.tokens,
    valueWidth: heads.width,
  });

  const call = plan(instance, fn, (arena) => {
    const output = freshOutput(arena, shape, isTensor(x));
    const from = arena.place(operand);
    const ids = arena.placeIntegers(angles.positions?.ids ?? null);
    const [cos, sin] = angles.tables.map((table) => arena.place(table));
    const run = (): void =>
      arena.run('rotary', ROTARY_BLOCK, {
        interleaved: Number(interleaved),
        batch: heads.batch,
        heads: heads.heads,
        tokens: heads.tokens,
        width: heads.width,
        rotary: rotaryWidth,
        x: from.address,
        xBatch: heads.batchStride,
        xHead: heads.headStride,
        xToken: heads.tokenStride,
        output: output.ptr.address,
        outputBatch: to.batchStride,
        outputHead: to.headStride,
        outputToken: to.tokenStride,
        positions: ids.address,
        positionsBatch: angles.positions?.shape.length === 2 && heads.batch > 1 ? heads.tokens : 0,
        start: angles.start,
        ...angles.frequencies,
        cos: cos?.address ?? 0,
        sin: sin?.address ?? 0,
        tableRows: angles.rows,
      });
    arena.steps.push({ operation: null, run });
    return (): NDArray | Tensor => output.finish();
  });
  return finish(call) as ResultArray<X>;
}

function readWidth(fn: string, rotaryWidth: unknown, { pairs }: Angles, width: number, shape: readonly number[]): number {
  if (rotaryWidth !== undefined) {
    checkInteger(fn, 'rotaryWidth', rotaryWidth, 2, width);
    if (rotaryWidth % 2 !== 0) fail('value', fn, `rotaryWidth must be even, got ${rotaryWidth}`);
    if (pairs !== null && 2 * pairs !== rotaryWidth)
      fail('shape', fn, `cos and sin must have rotaryWidth / 2 = ${rotaryWidth / 2} columns, got ${pairs}`);
    return rotaryWidth;
  }
  if (pairs !== null && 2 * pairs > width)
    fail('shape', fn, `cos and sin must have at most half as many columns as x is wide, ${width}, got ${pairs}`);
  if (pairs === null && (width === 0 || width % 2 !== 0))
    fail('shape', fn, `x must have an even width, or rotaryWidth be given, got ${formatShape(shape)}`);
  return pairs === null ? width : 2 * pairs;
}
