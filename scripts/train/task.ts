/** A toy task and its model, and the training of all of them. */
import type { Fovea, NDArray, Tensor } from 'fovea';
import { randomParams } from 'fovea/mechanisms';
import { multiply, sum } from 'fovea/ops';
import { adam, batchIndices, Trainer, warmupLinear } from 'fovea/train';
import { draw, SEED, type Keyed, type Random } from './examples.ts';

/** By dotted names: params of the mechanism, and behind `network.` those of the layers around it. */
export type Params = Readonly<Record<string, Tensor>>;

/** Arrays by their names, as a file has them. */
export type Arrays = Readonly<Record<string, NDArray>>;

/** Decisions and losses of a model, for each example. */
export interface Predictions {
  /** Whether each of its decisions is right. */
  readonly right: readonly (readonly boolean[])[];
  /** By how much the likeliest leads, at the closest decision. */
  readonly margin: readonly number[];
  readonly loss: readonly number[];
  /** Further measures, one or several an example. */
  readonly measures?: Readonly<Record<string, readonly (readonly number[])[]>>;
}

export interface Schedule {
  /** Adam's rate: it rises for 50 steps, then falls linearly to a twentieth. */
  readonly rate: number;
  /** Examples of a step. */
  readonly size: number;
  readonly steps: number;
  /** The seed of the batches; default SEED. */
  readonly seed?: number;
}

/** After so many steps, the weights. */
export interface Checkpoint {
  readonly steps: number;
  readonly weights: Arrays;
}

export interface Task<E extends Keyed> {
  /** The files' name: the id of the mechanism. */
  readonly name: string;
  /** Entries of the JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly make: (random: Random) => E;
  /** How many examples are trained on, and how many are held out. */
  readonly counts: readonly [trained: number, heldOut: number];
  /** Shapes of the weights, and factors of those that begin with another variance than 1 / fan-in. */
  readonly shapes: Readonly<Record<string, readonly number[]>>;
  readonly factors?: Readonly<Record<string, number>>;
  /** The mean over the examples. */
  readonly loss: (fovea: Fovea, params: Params, examples: readonly E[]) => Tensor;
  readonly predict: (fovea: Fovea, params: Params, examples: readonly E[]) => Predictions;
  /** Makes the JSON's entry of an example. */
  readonly shown: (example: E) => object;
  /** The checkpoints, one after another: the next is trained when it is asked for. */
  readonly checkpoints: (fovea: Fovea) => Iterable<Checkpoint>;
  /** Other trainings, of which the JSON has the figures. */
  readonly comparisons?: (fovea: Fovea) => Readonly<Record<string, Checkpoint>>;
}

/** The weights that a training begins with. */
export function randomWeights(
  fovea: Fovea,
  { shapes, factors = {} }: Pick<Task<Keyed>, 'shapes' | 'factors'>,
  seed = SEED,
): Arrays {
  const weights = randomParams(fovea, shapes, { seed });
  for (const [name, factor] of Object.entries(factors)) {
    const { data } = weights[name]!;
    data.forEach((value, n) => (data[n] = value * factor));
  }
  return weights;
}

/** Trains from some weights on; what there is after the steps of `keep`. */
export function* train<E extends Keyed>(
  fovea: Fovea,
  { make, counts, loss }: Pick<Task<E>, 'make' | 'counts' | 'loss'>,
  weights: Arrays,
  keep: readonly number[],
  { rate, size, steps, seed = SEED }: Schedule,
): Generator<Checkpoint> {
  const examples = draw(make, counts[0], false);
  const params = tensors(fovea, weights);
  const trainer = new Trainer<readonly E[]>(params, {
    loss: (batch) => loss(fovea, params, batch),
    optimizer: adam({ learningRate: warmupLinear(rate, { warmup: 50, steps, final: rate / 20 }) }),
    clipNorm: 1,
  });
  try {
    for (let step = 0; step <= steps; step++) {
      if (keep.includes(step)) yield { steps: step, weights: arrays(params) };
      if (step === steps) return;
      const places = batchIndices(examples.length, size, { seed, step: step + 1 });
      trainer.step(Array.from(places, (n) => examples[n]!));
    }
  } finally {
    trainer.dispose();
    dispose(params);
  }
}

export function tensors(fovea: Fovea, weights: Arrays): Params {
  return Object.fromEntries(Object.entries(weights).map(([name, array]) => [name, fovea.tensor(array)]));
}

export function dispose(params: Params): void {
  for (const tensor of Object.values(params)) tensor.dispose();
}

function arrays(params: Params): Arrays {
  return Object.fromEntries(Object.entries(params).map(([name, tensor]) => [name, tensor.toArray()]));
}

/** The params whose names begin with `prefix`, without it. */
export function part(params: Params, prefix: string): Record<string, Tensor> {
  const own = Object.entries(params).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}

/** The params of the mechanism itself. */
export function mechanismPart(params: Params): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !name.startsWith('network.')));
}

/** The mean of losses [B]. */
export function meanOf(fovea: Fovea, losses: NDArray | undefined): Tensor {
  const all = losses as Tensor;
  return multiply(fovea, sum(fovea, all), 1 / all.shape[0]!);
}

/** Shapes of a recurrent layer: 3 gates are a GRU, 4 an LSTM. */
export function layerShapes(
  prefix: string,
  gates: 3 | 4,
  input: number,
  state: number,
  directions: 1 | 2 = 1,
): Record<string, number[]> {
  const entries = ['', '_reverse'].slice(0, directions).flatMap((end): [string, number[]][] => [
    [`${prefix}.weight_ih_l0${end}`, [gates * state, input]],
    [`${prefix}.weight_hh_l0${end}`, [gates * state, state]],
    [`${prefix}.bias_ih_l0${end}`, [gates * state]],
    [`${prefix}.bias_hh_l0${end}`, [gates * state]],
  ]);
  return Object.fromEntries(entries);
}
