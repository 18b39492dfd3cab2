/** Layers by their papers' letters: matrices are [in, out]. */
import type { Fovea } from '../../fovea/fovea.ts';
import { add, gru, lstm, matmul } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/** x·W + b. */
export function affine(fovea: Fovea, x: Tensor, W: Tensor, b?: Tensor): Tensor {
  const product = matmul(fovea, x, W);
  return b === undefined ? product : add(fovea, product, b);
}

/** The outputs of recurrent layers [B, T, D], whose params are a state dict under `prefix`; 0 in the padding. */
export function recurrent(system: System, layer: 'lstm' | 'gru', x: Tensor, prefix: string, lengths: Lengths): Tensor {
  const run = layer === 'lstm' ? lstm : gru;
  return run(system.fovea, x, system.group(prefix) as never, { lengths: lengths.list }).output;
}
