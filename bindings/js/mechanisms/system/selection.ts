/** Samples of a selection of tokens: draws of the core's generator. */
import { SELECTION_BLOCK } from '../../../../build/generated/blocks/selection.ts';
import { compute } from '../../call/call.ts';
import { copyOut } from '../../call/outputs.ts';
import { instanceOf } from '../../runtime/instances.ts';
import { readOperand } from '../../tensor/operands.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { System } from './system.ts';

/** 1 for each token that is selected, with its probability [B, T]; else 0. Roles of other numbers have other draws. */
export function sampleSelection({ fovea, fn }: System, role: number, probability: Tensor, seed: number): Int32Array {
  const instance = instanceOf(fn, fovea);
  const [batch, tokens] = probability.shape as [number, number];
  return compute(instance, fn, (arena) => {
    const from = arena.place(readOperand(instance, fn, 'probability', probability));
    const to = arena.reserve(4 * batch * tokens);
    return () => {
      const fields = { batch, tokens, role, seed, probability: from.address, samples: to.address };
      arena.run('selectionSamples', SELECTION_BLOCK, fields);
      return copyOut(arena, arena.heap.integers(to.address, batch * tokens) as Int32Array<ArrayBuffer>);
    };
  });
}
