/** Attention to a window around a real position of the source, with or without a Gaussian around it. */
import { fail } from '../../errors/errors.ts';
import { matmul, multiply, sigmoid, tanh } from '../../ops/index.ts';
import type { Score } from '../../score/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import { numberOption } from './option_values.ts';
import type { System } from './system.ts';

/** The window's half width, and the Gaussian's σ or null. */
export interface LocalWindow {
  readonly D: number;
  readonly sigma: number | null;
}

/** The options `D` (10) and `sigma` (D/2), which must be above 0 where there is a Gaussian. */
export function readLocalWindow(system: System, hasGaussian: boolean): LocalWindow {
  const D = numberOption(system, 'D', 10);
  if (D < 0) fail('value', system.fn, `D must be 0 or more, got ${D}`);
  const sigma = numberOption(system, 'sigma', D / 2);
  if (!hasGaussian) return { D, sigma: null };
  if (Math.fround(sigma) <= 0) fail('value', system.fn, `sigma must be above 0 (D/2 unless given), got ${sigma}`);
  return { D, sigma };
}

/** p = length·σ(vp·tanh(h Wp)), of states [B, steps, S]: [B, steps]. */
export function predictPositions(system: System, h: Tensor, { Wp, vp }: { Wp: Tensor; vp: Tensor }, lengths: Lengths): Tensor {
  const { fovea, batch } = system;
  const share = sigmoid(fovea, matmul(fovea, tanh(fovea, matmul(fovea, h, Wp)), vp));
  return multiply(fovea, share, fovea.tensor([...lengths.list], [batch, 1]));
}

/**
 * Softmax over the positions s of the window |s - p| ≤ D that exist, times exp(-(s - p)² / 2σ²), which is not renormalized.
 *
 * @param h [B, steps, S].
 * @param keys of the source, as the score compares them.
 * @param positions p, [B, steps].
 */
export function localAttention(
  system: System,
  [h, keys, source, positions]: readonly [h: Tensor, keys: Tensor, source: Tensor, positions: Tensor],
  score: Score,
  lengths: Lengths,
  { D, sigma }: LocalWindow,
): { alignment: Tensor; weights: Tensor; context: Tensor } {
  const { fovea, batch } = system;
  const [steps, Ts] = [h.shape[1]!, lengths.size];
  const inWindow = new Uint8Array(batch * steps * Ts);
  positions.data.forEach((p, row) => {
    const [from, to] = [Math.max(0, Math.ceil(p - D)), Math.min(Ts - 1, Math.floor(p + D))];
    if (from <= to) inWindow.fill(1, row * Ts + from, row * Ts + to + 1);
  });
  const options = {
    score,
    layout: 'btd',
    keyLengths: lengths.list,
    mask: { data: inWindow, shape: [batch, 1, steps, Ts] },
    returnWeights: true,
  } as const;
  const { output, weights: alignment } = fovea.attention(h, keys, source, options);
  if (sigma === null) return { alignment, weights: alignment.clone(), context: output };

  const weightScale = { gaussian: { center: positions.reshape([batch, 1, steps]), sigma } };
  const { output: context, weights } = fovea.attention(h, keys, source, { ...options, weightScale });
  return { alignment, weights, context };
}
