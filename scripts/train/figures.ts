/** Figures of a checkpoint on the held-out examples. */
import type { Fovea } from 'fovea';
import { dispose, tensors, type Arrays, type Predictions, type Task } from './task.ts';
import type { Keyed } from './examples.ts';

/** A decision is close where the two largest probabilities differ by less: another order of float32's sums may turn it. */
const CLOSE = 1e-4;

/**
 * accuracy: share of right decisions; exact: share of examples without a wrong one; close: examples with a close decision; loss and further measures:
 * the mean. Computed in float32, of the weights as the file has them; means in double.
 */
export function figuresOf<E extends Keyed>(
  fovea: Fovea,
  task: Pick<Task<E>, 'predict'>,
  weights: Arrays,
  examples: readonly E[],
): Record<string, number> {
  const params = tensors(fovea, weights);
  const { right, margin, loss, measures = {} } = fovea.scope(() => task.predict(fovea, params, examples));
  dispose(params);
  const figures = {
    accuracy: mean(right.flat().map(Number)),
    exact: mean(right.map((decisions) => Number(decisions.every(Boolean)))),
    loss: mean(loss),
    ...Object.fromEntries(Object.entries(measures).map(([name, rows]) => [name, mean(rows.flat())])),
  };
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(9))]);
  return { ...Object.fromEntries(rounded), close: margin.filter((one) => one < CLOSE).length };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The likeliest of each row of `width` probabilities, and by how much it leads. */
export function choose({ data }: { data: ArrayLike<number> }, width: number): { chosen: number[]; lead: number[] } {
  const [chosen, lead]: [number[], number[]] = [[], []];
  for (let row = 0; row < data.length; row += width) {
    let [best, second] = [0, -Infinity];
    for (let n = 1; n < width; n++) {
      if (data[row + n]! > data[row + best]!) [best, second] = [n, data[row + best]!];
      else if (data[row + n]! > second) second = data[row + n]!;
    }
    chosen.push(best);
    lead.push(data[row + best]! - second);
  }
  return { chosen, lead };
}

/** Predictions of one decision an example, of `width` probabilities each. */
export function oneDecision(
  probability: { data: ArrayLike<number> },
  width: number,
  answers: readonly number[],
  loss: { data: ArrayLike<number> },
): Predictions {
  const { chosen, lead } = choose(probability, width);
  return { right: answers.map((answer, n) => [chosen[n] === answer]), margin: lead, loss: Array.from(loss.data) };
}
