/** Convolution along the tokens. */
import { instanceOf } from '../runtime/instances.ts';
import { CONV1D_BLOCK } from '../../../build/generated/blocks/conv1d.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { checkChoice, checkInteger, readOptions } from '../errors/options.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { countWindows, readPadding, readPositive, type Padding } from './padding.ts';
import { computeArray, placeDense, placeOptional, readArray, readOptional } from './operands.ts';
import { checkShape } from '../tensor/operands.ts';

export interface Conv1dOptions {
  /** [Co]. */
  readonly bias?: ArrayInput | undefined;
  /** From one window to the next; default 1. */
  readonly stride?: number | undefined;
  /**
   * Zeros before and after the tokens; default 0. 'causal': (K - 1)·dilation before, so that a result sees no later token; 'same':
   * as many results as tokens, where the stride is 1.
   */
  readonly padding?: Padding | 'causal' | 'same' | undefined;
  /** From one entry of a window to the next; default 1. */
  readonly dilation?: number | undefined;
  /** Divides Ci and Co: each group of outputs sees its own Ci / groups inputs. Default 1. */
  readonly groups?: number | undefined;
  /** 'bct' (default): channels before tokens, as in PyTorch; 'btd': tokens before channels, as attention has them. */
  readonly layout?: 'bct' | 'btd' | undefined;
}

/**
 * y[o, t] = bias[o] + Σ weight[o, c, k]·x[c, t·stride + k·dilation - padding], as torch.nn.functional.conv1d.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [Ci, T] or [B, Ci, T]; with `layout: 'btd'` [T, Ci] or [B, T, Ci].
 * @param weight [Co, Ci / groups, K] in both layouts.
 * @returns [Co, To] or [B, Co, To]; with 'btd' [To, Co] or [B, To, Co]; To = ⌊(T + padding - dilation·(K - 1) - 1) / stride⌋ + 1.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: as ops.matmul.
 * @example
 * import { conv1d } from 'fovea/ops';
 * const tokens = [[1], [2], [3]];
 * toNested(conv1d(fovea, tokens, [[[1, 10]]], { padding: 'causal', layout: 'btd' })); // [[10], [21], [32]]
 */
export function conv1d<X extends ArrayInput>(fovea: Fovea, x: X, weight: ArrayInput, options?: Conv1dOptions): ResultArray<X> {
  const fn = 'conv1d';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['bias', 'stride', 'padding', 'dilation', 'groups', 'layout']);
  const { layout = 'bct' } = known;
  checkChoice(fn, 'layout', layout, ['bct', 'btd']);
  const source = readArray(instance, fn, 'x', x);
  const w = readArray(instance, fn, 'weight', weight);
  const rank = source.shape.length;
  const got = `got x ${formatShape(source.shape)}, weight ${formatShape(w.shape)}`;
  if (rank !== 2 && rank !== 3)
    fail('shape', fn, `x must be ${layout === 'bct' ? '[Ci, T] or [B, Ci, T]' : '[T, Ci] or [B, T, Ci]'}, ${got}`);
  if (w.shape.length !== 3 || w.shape.includes(0))
    fail('shape', fn, `weight must be [Co, Ci / groups, K], none of them 0, ${got}`);
  const [outChannels, groupIn, kernel] = w.shape as readonly [number, number, number];
  const [channelAxis, tokenAxis] = layout === 'bct' ? [rank - 2, rank - 1] : [rank - 1, rank - 2];
  const inChannels = source.shape[channelAxis]!;
  const tokens = source.shape[tokenAxis]!;
  const groups = readPositive(fn, 'groups', known.groups, 1);
  if (inChannels !== groups * groupIn || outChannels % groups !== 0)
    fail('shape', fn, `groups must divide Co, and weight's second axis must be Ci / groups, ${got}, groups ${groups}`);
  const stride = readPositive(fn, 'stride', known.stride, 1);
  const dilation = readPositive(fn, 'dilation', known.dilation, 1);
  const reach = (kernel - 1) * dilation;
  checkInteger(fn, '(K - 1)·dilation', reach, 0, 2 ** 30);
  const [before, after] = readConvPadding(fn, known.padding, reach, stride);
  const outTokens = countWindows(fn, before + tokens + after, reach + 1, stride);
  const bias = readOptional(instance, fn, 'bias', known.bias);
  if (bias !== null) checkShape(fn, bias, [outChannels], '[Co]');
  const batch = rank === 3 ? source.shape[0]! : 1;
  const shape = source.shape.map((own, axis) => (axis === channelAxis ? outChannels : axis === tokenAxis ? outTokens : own));
  return computeArray(instance, fn, x, shape, (arena, y) => {
    const [xPtr, weightPtr] = [placeDense(arena, source), placeDense(arena, w)];
    const biasPtr = placeOptional(arena, bias);
    // prettier-ignore
    return () =>
      arena.run('conv1d', CONV1D_BLOCK, {
        batch, inChannels, outChannels, groups, tokens, outTokens, kernel, stride, dilation,
        padding: before, channelsLast: Number(layout === 'btd'),
        x: xPtr.address, weight: weightPtr.address, bias: biasPtr.address, y: y.address,
      });
  });
}

function readConvPadding(
  fn: string,
  padding: Conv1dOptions['padding'],
  reach: number,
  stride: number,
): readonly [number, number] {
  if (typeof padding !== 'string') return readPadding(fn, padding ?? 0);
  checkChoice(fn, 'padding', padding, ['causal', 'same']);
  if (padding === 'causal') return [reach, 0];
  if (stride !== 1) fail('option', fn, `padding 'same' needs a stride of 1, got ${stride}`);
  return [Math.floor(reach / 2), Math.ceil(reach / 2)];
}
