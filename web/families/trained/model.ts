import type { Fovea, NDArray } from 'fovea';
import type { Matrix } from '../../figures/matrix.ts';
import type { Localized } from '../../shell/localized.ts';
import type { Trained, Weights } from './checkpoints.ts';

/** The model's answer about an example, and its weights on the way. */
export interface Answer {
  readonly read: string;
  readonly said: string;
  readonly right: string;
  readonly pictures: readonly Picture[];
}

export interface Picture {
  readonly title: Localized;
  readonly weights: Matrix;
  readonly rows: readonly string[];
  readonly cols: readonly string[];
  /** 1 where a pair may not attend. */
  readonly masked?: Matrix;
}

/** A trained model of the page: it runs a held-out example with the weights of a checkpoint. */
export interface TrainedModel {
  readonly name: string;
  readonly task: Localized;
  /** How the picture changes with training. */
  readonly forms: Localized;
  run(fovea: Fovea, trained: Trained<never>, weights: Weights, example: number): Answer;
}

export const matrixOf = ({ data, shape }: NDArray, from = 0): Matrix => {
  const [rows = 0, cols = 0] = shape.slice(-2);
  return { data: Float32Array.from(data.subarray(from, from + rows * cols)), rows, cols };
};
