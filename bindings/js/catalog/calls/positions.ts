/** The text of the entries of positions, and self-attention with positions added. */
import type { SelfAttentionOptions } from '../../attention/types/index.ts';
import type { ProjectionParams } from '../../attention/types/index.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { add } from '../../ops/index.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { TraceStage } from '../../trace/stages.ts';
import type { Localized, ResultStage } from '../entry/entry.ts';
import { valueAt } from '../entry/stage_values.ts';

/** The first lines of a poem. */
export const poems: Localized<readonly string[]> = {
  en: 'twinkle twinkle little star how I wonder what you are'.split(' '),
  zh: [...'床前明月光，疑是地上霜。举头望明月，低头思故乡。'],
};

/** cos and sin of 10000^(-2i/16): the angles by which a step of one position rotates the pairs of 16 numbers. */
export const cosines = [0.5403023059, 0.9504152803, 0.9950041653, 0.9995000417, 0.99995, 0.999995, 0.9999995, 0.99999995];
export const sines = [
  0.8414709848, 0.3109835929, 0.0998334166, 0.0316175064, 0.0099998333, 0.0031622724, 0.0009999998, 0.0003162278,
];

/** Whether every token but the first, which has none before it, gives the one before it at least this weight. */
export function findPrevious(trace: readonly TraceStage[], tokens: number, least: number): boolean {
  return Array.from({ length: tokens - 1 }, (_, n) => n + 1).every((i) => valueAt(trace, 'weights', [i, i - 1]) >= least);
}

export const positionStage: Readonly<Record<string, ResultStage>> = {
  positions: { formula: 'E', axes: ['token', 'feature'] },
};

export function shapeOf(fovea: Fovea, x: ArrayInput): readonly number[] {
  return fovea.scope(() => [...fovea.tensor(x as never).shape]);
}

/** Self-attention of embeddings and positions. */
export function attendWithPositions(
  fovea: Fovea,
  x: ArrayInput,
  positions: NDArray,
  params: ProjectionParams,
  options: SelfAttentionOptions,
): object {
  const { Wq, Wk, Wv } = params;
  const X = add(fovea, x, positions);
  return { positions, ...fovea.selfAttention(X, { Wq, Wk, Wv }, { returnWeights: true, ...options, trace: true }) };
}
