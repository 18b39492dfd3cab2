/** `Trainer`: the steps of an optimizer on the weights of a module, or on Tensors. */
import { describe, fail } from '../errors/errors.ts';
import { checkFinite, checkInteger, isFunction, readOptions } from '../errors/options.ts';
import type { HostSignal } from '../errors/host_types.ts';
import { Module } from '../nn/module.ts';
import type { Instance } from '../runtime/instance.ts';
import { anyStateOf, type Tensor } from '../tensor/tensor.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Optimizer } from './optimizers.ts';
import { Moments } from './moments.ts';
import { differentiate } from './value_and_grad.ts';
import { readVariables, type Differentiable, type Variables } from './variables.ts';

export interface TrainerOptions<Batch> {
  /** The loss of a batch, computed with the module or the Tensors: a Tensor of one element. */
  loss(batch: Batch): Tensor;
  /** `sgd`, `adam` or `adamW`. */
  readonly optimizer: Optimizer;
  /** Gradients whose norm, of all together, is larger are scaled to this norm; default: none is. */
  readonly clipNorm?: number | undefined;
  /** False for the name of a weight that stays as it is; default: none does. */
  readonly trainable?: ((name: string) => boolean) | undefined;
}

export interface StepResult {
  /** The loss of the batch, before the step. */
  readonly loss: number;
  /** √Σ g² of all gradients, before they are scaled. */
  readonly gradientNorm: number;
  /** How many steps have been done. */
  readonly step: number;
}

export interface RunOptions<Batch> {
  /** Steps to do. */
  readonly steps: number;
  /** The batch of a step: 1 is the first that this trainer has done. */
  batch(step: number): Batch;
  /** Ends the run between two steps; `run` rejects with its reason. */
  readonly signal?: HostSignal | undefined;
  readonly onStep?: ((result: StepResult) => void) | undefined;
  /** Milliseconds after which the event loop runs; default 30. */
  readonly sliceTime?: number | undefined;
}

/**
 * Trains a module, or Tensors by name.
 *
 * A step computes the loss and its gradients, clips them, updates the weights, and packs again the matrices that the module keeps packed: between
 * two steps the module computes with the weights as they are.
 *
 * @example
 * import { adamW, crossEntropy, Trainer } from 'fovea/train';
 * import { Linear } from 'fovea/nn';
 * const model = new Linear(fovea, { inFeatures: 2, outFeatures: 3, seed: 1 });
 * const trainer = new Trainer(model, {
 *   loss: ({ x, targets }) => crossEntropy(fovea, model.forward(x), targets),
 *   optimizer: adamW({ learningRate: 0.1 }),
 * });
 * const { loss } = trainer.step({ x: [[1, 0], [0, 1]], targets: [2, 0] });
 * console.assert(loss > 0 && trainer.step({ x: [[1, 0], [0, 1]], targets: [2, 0] }).loss < loss);
 * trainer.dispose();
 * model.dispose();
 */
export class Trainer<Batch> {
  readonly #instance: Instance;
  readonly #variables: Variables;
  readonly #moments: Moments;
  readonly #options: TrainerOptions<Batch>;
  readonly #model: Differentiable;
  #step = 0;

  /**
   * A trainer with no step done: the optimizer's moments are 0.
   *
   * @param model a module with weights, or Tensors by name; of an instance of the `load` of fovea/train.
   * @throws AttentionError `option` | `value` | `disposed` | `memory`.
   */
  constructor(model: Differentiable, options: TrainerOptions<Batch>) {
    const fn = 'Trainer';
    const known = readOptions<TrainerOptions<Batch>>(fn, options, ['loss', 'optimizer', 'clipNorm', 'trainable']);
    for (const name of ['loss', 'trainable'] as const)
      if (!isFunction(known[name]) && (name === 'loss' || known[name] !== undefined))
        fail('option', fn, `${name} must be a function, got ${describe(known[name])}`);
    if (known.clipNorm !== undefined) {
      checkFinite(fn, 'clipNorm', known.clipNorm);
      if (!(known.clipNorm > 0)) fail('value', fn, `clipNorm must be greater than 0, got ${known.clipNorm}`);
    }
    this.#instance = instanceOfModel(fn, model);
    this.#model = model;
    this.#options = known;
    this.#variables = readVariables(this.#instance, fn, model, known.trainable);
    this.#moments = new Moments(this.#instance, fn, this.#variables, known.optimizer);
  }

  /** How many steps have been done. */
  get steps(): number {
    return this.#step;
  }

  /**
   * One step.
   *
   * @throws AttentionError as `valueAndGrad`; `value` where the loss or a gradient is not finite. The weights are then as they were.
   */
  step(batch: Batch): StepResult {
    const fn = 'trainer.step';
    const step = this.#step + 1;
    this.#checkUsable(fn);
    this.#checkWeights(fn);
    const { loss, clipNorm } = this.#options;
    const { value } = differentiate(this.#instance, fn, this.#variables, this.#moments, () => loss(batch));
    if (!Number.isFinite(value)) fail('value', fn, `the loss of step ${step} is ${value}`);
    const gradientNorm = this.#moments.norm(fn, step);
    const scale = clipNorm !== undefined && gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
    this.#moments.update(fn, step, scale);
    this.#step = step;
    return { loss: value, gradientNorm, step };
  }

  /**
   * Many steps, between which the event loop runs.
   *
   * @returns what the last step returned.
   * @throws AttentionError as `step`; what `signal` was aborted with. The steps before are done.
   */
  async run(options: RunOptions<Batch>): Promise<StepResult | null> {
    const fn = 'trainer.run';
    const known = readOptions<RunOptions<Batch>>(fn, options, ['steps', 'batch', 'signal', 'onStep', 'sliceTime']);
    const { steps, batch, signal, onStep, sliceTime = 30 } = known;
    checkInteger(fn, 'steps', steps, 0, Number.MAX_SAFE_INTEGER);
    checkFinite(fn, 'sliceTime', sliceTime);
    if (!isFunction(batch)) fail('option', fn, `batch must be a function, got ${describe(batch)}`);
    let last: StepResult | null = null;
    let begin = performance.now();
    for (let n = 0; n < steps; n++) {
      signal?.throwIfAborted();
      last = this.step(batch(this.#step + 1));
      onStep?.(last);
      if (performance.now() - begin < sliceTime) continue;
      await new Promise<void>((resolve) => setTimeout(resolve));
      begin = performance.now();
    }
    return last;
  }

  /**
   * Copies of the weights, of what the optimizer keeps for each, `exp_avg.NAME`, and of the number of steps: `writeSafetensors` of fovea/files saves them.
   *
   * @throws AttentionError `disposed`.
   */
  stateDict(): Map<string, NDArray> {
    this.#checkUsable('trainer.stateDict');
    return this.#moments.stateDict(this.#step);
  }

  /**
   * Goes on where another trainer stood: the next steps have the bytes that it would have made.
   *
   * @param state what `stateDict` gave: every name must be there.
   * @throws AttentionError `value` | `shape` | `disposed`. Nothing is changed then.
   */
  loadStateDict(state: ReadonlyMap<string, NDArray>): void {
    const fn = 'trainer.loadStateDict';
    this.#checkUsable(fn);
    this.#step = this.#moments.load(fn, state);
  }

  /** Frees what the optimizer keeps; the weights stay. */
  dispose(): void {
    this.#moments.dispose();
  }

  #checkUsable(fn: string): void {
    if (this.#moments.disposed) fail('disposed', fn, 'the trainer has been disposed; make a new one');
  }

  /** Weights that were loaded since, or disposed, lie elsewhere. */
  #checkWeights(fn: string): void {
    const now = readVariables(this.#instance, fn, this.#model, this.#options.trainable);
    const isSame = now.list.every(({ from }, n) => from === this.#variables.list[n]!.from);
    if (!isSame) fail('value', fn, 'other weights were loaded since the trainer was made; make a new one');
  }
}

function instanceOfModel(fn: string, model: Differentiable): Instance {
  if (model instanceof Module) return model.instance;
  const [first] = Object.values(model ?? {});
  if (first === undefined) return fail('value', fn, `must be given a module or Tensors by name, got ${describe(model)}`);
  return anyStateOf(fn, first).instance;
}
