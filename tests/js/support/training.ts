/** One instance for the tests of fovea/train: the build that FOVEA_VARIANT names with FOVEA_THREADS threads, or what load() picks. */
import type { Fovea, LoadOptions, NDArray, Tensor } from 'fovea';
import { load, type TensorRecord, valueAndGrad } from 'fovea/train';
import { matmul } from 'fovea/ops';
import type { TruthTensor } from './truth_files.ts';

export async function loadForTraining(): Promise<Fovea> {
  const variant = process.env['FOVEA_VARIANT'] as LoadOptions['variant'] | '';
  return variant ? load({ variant, threads: Number(process.env['FOVEA_THREADS'] || 1) }) : load();
}

/** The gradients of Σ output·dout by each of the arrays. */
export function gradientsOf(
  fovea: Fovea,
  arrays: Readonly<Record<string, TruthTensor>>,
  dout: TruthTensor,
  run: (tensors: TensorRecord) => Tensor,
): Record<string, NDArray> {
  return fovea.scope(() => {
    const tensors = Object.fromEntries(
      Object.entries(arrays).map(([name, { data, shape }]) => [name, fovea.tensor({ data: Float32Array.from(data), shape })]),
    );
    const { gradients } = valueAndGrad(fovea, tensors, () => weighted(fovea, run(tensors), Float32Array.from(dout.data)));
    return Object.fromEntries(Object.entries(gradients).map(([name, gradient]) => [name, gradient.toArray()]));
  });
}

/** Σ x·weights, of as many numbers. */
export function weighted(fovea: Fovea, x: Tensor, weights: Float32Array): Tensor {
  return matmul(fovea, x.reshape([weights.length]), { data: weights, shape: [weights.length] });
}
