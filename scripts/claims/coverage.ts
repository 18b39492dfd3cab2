/** The coverage vector alone does not cure repetition, its loss does: a pointer-generator, fine-tuned three ways. */
import type { Fovea } from 'fovea';
import { draw } from '../train/examples.ts';
import { figuresOf } from '../train/figures.ts';
import { covered, reportLoss, reportTask } from '../train/pointer_generator.ts';
import { randomWeights, train, type Arrays } from '../train/task.ts';

const [BEFORE, AFTER] = [400, 150];

export function run(fovea: Fovea): void {
  const heldOut = draw(reportTask.make, 200, true);
  const steps = (weights: Arrays, count: number, lambda: number, seed: number): Arrays => {
    const task = { ...reportTask, loss: reportLoss(lambda) };
    const [last] = train(fovea, task, weights, [count], { rate: 3e-3, size: 32, steps: count, seed });
    return last!.weights;
  };
  console.log('| seed | | accuracy | repeats | coverage loss |\n|---|---|---|---|---|');
  for (const seed of [1, 2, 3]) {
    const before = steps(randomWeights(fovea, reportTask, seed), BEFORE, 0, seed);
    const trained = {
      before: before,
      'without coverage': steps(before, AFTER, 0, seed),
      'coverage without its loss': steps(covered(fovea, before), AFTER, 0, seed),
      'coverage with its loss': steps(covered(fovea, before), AFTER, 1, seed),
    };
    for (const [name, weights] of Object.entries(trained)) {
      const { accuracy, repeats, coverageLoss } = figuresOf(fovea, reportTask, weights, heldOut) as Record<string, number>;
      console.log(
        `| ${seed} | ${name} | ${accuracy!.toFixed(3)} | ${(100 * repeats!).toFixed(2)} % | ${coverageLoss!.toFixed(3)} |`,
      );
    }
  }
}
