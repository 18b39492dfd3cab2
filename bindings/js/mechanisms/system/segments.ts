/** Softmax over groups of rows: the edges into a node, for each node. */
import type { Fovea } from '../../fovea/fovea.ts';
import { divide, exp, gather, maximum, scatterAdd, subtract } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/**
 * Softmax of scores [B, M, ...] over the rows that have one owner: exp(e - max) / Σ exp(e - max) of their group.
 *
 * @param owners [M], from 0 to count - 1.
 */
export function groupedSoftmax(fovea: Fovea, scores: Tensor, owners: Int32Array, count: number): Tensor {
  const take = (x: Tensor, indices: Int32Array): Tensor => gather(fovea, x, indices, { axis: 1 });
  const powers = exp(fovea, subtract(fovea, scores, groupedMaximum(fovea, scores, owners)));
  const totals = scatterAdd(fovea, powers, owners, { axis: 1, length: count });
  return divide(fovea, powers, take(totals, owners));
}

/** The maximum of each row's group, [B, M, ...]: running maxima of 1, 2, 4, … rows, one group after another. */
function groupedMaximum(fovea: Fovea, scores: Tensor, owners: Int32Array): Tensor {
  const order = Int32Array.from(owners.keys()).sort((a, b) => owners[a]! - owners[b]! || a - b);
  const groups = order.map((row) => owners[row]!);
  const last = new Map([...groups].map((owner, place) => [owner, place]));
  const starts = new Map([...groups].map((owner, place) => [owner, place] as const).reverse());
  const longest = groups.reduce((most, owner) => Math.max(most, last.get(owner)! - starts.get(owner)! + 1), 0);
  let running = gather(fovea, scores, order, { axis: 1 });
  for (let step = 1; step < longest; step *= 2) {
    const before = groups.map((owner, place) => (groups[place - step] === owner ? place - step : place));
    running = maximum(fovea, running, gather(fovea, running, before, { axis: 1 }));
  }
  return gather(
    fovea,
    running,
    owners.map((owner) => last.get(owner)!),
    { axis: 1 },
  );
}
