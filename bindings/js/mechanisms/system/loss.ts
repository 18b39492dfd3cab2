/** The loss of a sequence of distributions. */
import { fail } from '../../errors/errors.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { divide, gather, log, logSoftmax, multiply, scatterAdd, sum } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/**
 * The mean over the steps of each batch entry of -ln p(target), 0 where there is no step: [B].
 *
 * @param probability [B, T, V].
 * @param name of the integer input that has the targets.
 */
export function meanLoss(system: System, probability: Tensor, name: string, steps: Lengths): Tensor {
  const { fovea } = system;
  const [batch, tokens, words] = probability.shape as [number, number, number];
  const targets = system.ids(name);
  const places: number[] = [];
  const owners: number[] = [];
  steps.list.forEach((length, b) => {
    for (let t = 0; t < length; t++) {
      const id = targets[b * tokens + t]!;
      if (id < 0 || id >= words) fail('value', system.fn, `${name} must be ids from 0 to ${words - 1}, got ${id} at step ${t}`);
      places.push((b * tokens + t) * words + id);
      owners.push(b);
    }
  });
  const losses = multiply(fovea, log(fovea, gather(fovea, probability.reshape([batch * tokens * words]), places)), -1);
  return meanOfSums(fovea, scatterAdd(fovea, losses, owners, { length: batch }), steps);
}

/** The mean of values [B, T] over the steps of each batch entry, 0 where there is none: [B]. */
export function meanOverSteps(fovea: Fovea, values: Tensor, steps: Lengths): Tensor {
  return meanOfSums(fovea, sum(fovea, steps.masked(values)), steps);
}

/** Sums [B] over the steps of each batch entry, divided by how many there are; 0 where there is none. */
export function meanOfSums(fovea: Fovea, sums: Tensor, steps: Lengths): Tensor {
  const counts = steps.list.map((length) => Math.max(1, length));
  return divide(fovea, sums, counts);
}

/** Records the probability of the words at each step, [B, T, V]; its loss where there are targets, of the first `targetLengths` steps. */
export function wordLoss(system: System, probability: Tensor | undefined, size: number, formula: string): Tensor | undefined {
  const steps = system.lengths('targetLengths', size);
  if (probability === undefined) return undefined;
  system.record('probability', formula, ['step', 'word'], probability);
  return system.has('targets') ? meanLoss(system, probability, 'targets', steps) : undefined;
}

/**
 * -ln of the target's probability by the logits [B, C] of each batch entry: [B].
 *
 * @param name of the integer input that has a target for each entry.
 */
export function classLoss(system: System, logits: Tensor, name: string): Tensor {
  const { fovea } = system;
  const [batch, classes] = logits.shape as [number, number];
  const places = Array.from(system.ids(name), (id, b) => {
    if (id < 0 || id >= classes) fail('value', system.fn, `${name} must be a class from 0 to ${classes - 1}, got ${id}`);
    return b * classes + id;
  });
  return multiply(fovea, gather(fovea, logSoftmax(fovea, logits).reshape([batch * classes]), places), -1);
}
