/** Layers by their papers' letters: matrices are [in, out]. */
import { fail } from '../../errors/errors.ts';
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

/** The one that is there of two inputs that exclude each other. */
export function oneOf<T extends string>(system: System, names: readonly [T, T]): T {
  const given = names.filter((name) => system.has(name));
  if (given.length !== 1)
    fail(
      'value',
      system.fn,
      `inputs must have exactly one of ${names.join(' and ')}, got ${given.length === 0 ? 'none' : 'both'}`,
    );
  return given[0]!;
}

/** The outputs of recurrent layers [B, T, D], whose params are a state dict under `prefix`; 0 in the padding. */
export function recurrent(system: System, layer: 'lstm' | 'gru', x: Tensor, prefix: string, lengths: Lengths): Tensor {
  const run = layer === 'lstm' ? lstm : gru;
  return run(system.fovea, x, system.group(prefix) as never, { lengths: lengths.list }).output;
}
