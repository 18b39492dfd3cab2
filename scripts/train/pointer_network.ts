/** A pointer network sorts numbers: each step points at the next larger one. */
import type { Fovea, Tensor } from 'fovea';
import { pointerNetwork } from 'fovea/mechanisms';
import { concat, lstm, multiply } from 'fovea/ops';
import { padded, range, type Random } from './examples.ts';
import { choose } from './figures.ts';
import { layerShapes, meanOf, part, randomWeights, train, type Params, type Task } from './task.ts';

const [STATE, ALIGNMENT] = [32, 32];
const KEEP = [0, 300, 800, 3000];

interface Numbers {
  /** The set. */
  readonly key: string;
  readonly numbers: readonly number[];
  /** Where they stand, in rising order. */
  readonly order: readonly number[];
}

/** 3 to 7 different numbers from 0 to 0.99, in any order; held out are sets of numbers. */
function make(random: Random): Numbers {
  const numbers = random.sample(range(100), random.integer(3, 7));
  const order = range(numbers.length).sort((a, b) => numbers[a]! - numbers[b]!);
  return { key: order.map((n) => numbers[n]).join(' '), numbers, order };
}

function pointsOf(lists: readonly Numbers[]) {
  const { ids, lengths } = padded(lists.map(({ numbers }) => numbers));
  return { points: { data: Float32Array.from(ids.data, (number) => number / 100), shape: [...ids.shape, 1] }, lengths };
}

/** The losses where each step reads the number that was to be pointed at before: both LSTMs run over whole sequences, and all steps point at once. */
function losses(fovea: Fovea, params: Params, lists: readonly Numbers[]): Tensor {
  const { points, lengths } = pointsOf(lists);
  const { ids: targets } = padded(lists.map(({ order }) => order));
  const [count, most] = targets.shape as [number, number];
  const sorted = padded(lists.map(({ numbers, order }) => order.map((n) => numbers[n]!))).ids;
  const before = Float32Array.from(sorted.data, (number) => number / 100);
  const { output: encoder, hidden, cell } = lstm(fovea, fovea.tensor(points), part(params, 'encoder.'), { lengths });
  const start = multiply(fovea, fovea.tensor(new Float32Array(count).fill(1), [count, 1, 1]), params['start']!);
  const read = fovea.tensor(before, [count, most, 1]).slice(1, 0, most - 1);
  const { output: decoder } = lstm(fovea, concat(fovea, [start, read], { axis: 1 }), part(params, 'decoder.'), {
    initialState: { hidden, cell },
  });
  const { W1, W2, v } = params as { W1: Tensor; W2: Tensor; v: Tensor };
  const options = { sourceLengths: lengths, targetLengths: lengths };
  return pointerNetwork(fovea, { encoder, decoder, targets }, { W1, W2, v }, options).loss as Tensor;
}

export const sortingTask: Task<Numbers> = {
  name: 'pointer_network',
  facts: {
    task: 'points at 3 to 7 different hundredths in rising order',
    function: 'pointerNetwork',
    chance: (1 / 3 + 1 / 4 + 1 / 5 + 1 / 6 + 1 / 7) / 5,
  },
  make,
  counts: [20000, 200],
  shapes: {
    ...{ W1: [STATE, ALIGNMENT], W2: [STATE, ALIGNMENT], v: [ALIGNMENT], start: [1] },
    ...layerShapes('encoder', 4, 1, STATE),
    ...layerShapes('decoder', 4, 1, STATE),
  },
  factors: { start: 0 },
  loss: (fovea, params, lists) => meanOf(fovea, losses(fovea, params, lists)),
  predict(fovea, params, lists) {
    const { points, lengths } = pointsOf(lists);
    const { weights, indices } = pointerNetwork(fovea, { points }, params, { sourceLengths: lengths });
    const most = points.shape[1]!;
    const { lead } = choose(weights, most);
    return {
      right: lists.map(({ order }, n) => order.map((place, t) => indices.data[n * most + t] === place)),
      margin: lists.map(({ order }, n) => Math.min(...order.map((_, t) => lead[n * most + t]!))),
      loss: [...losses(fovea, params, lists).data],
    };
  },
  shown: ({ numbers }) => ({ numbers }),
  checkpoints: (fovea) =>
    train(fovea, sortingTask, randomWeights(fovea, sortingTask), KEEP, { rate: 5e-3, size: 64, steps: 3000 }),
};
