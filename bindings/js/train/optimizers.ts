/** Optimizers: how a step changes the weights. Definitions and defaults are PyTorch's. */
import { ADAM_BLOCK } from '../../../build/generated/blocks/adam.ts';
import { SGD_BLOCK } from '../../../build/generated/blocks/sgd.ts';
import { describe, fail } from '../errors/errors.ts';
import { checkBoolean, checkFinite, isList, readOptions } from '../errors/options.ts';
import type { Heap } from '../runtime/heap.ts';
import { readLearningRate, type LearningRate } from './learning_rates.ts';

/** Addresses of one weight, of its gradient, and of what is kept for it. */
interface Arrays {
  readonly count: number;
  readonly gradient: number;
  readonly parameter: number;
  readonly moments: readonly number[];
}

/** The result of `sgd`, `adam` and `adamW`, for a Trainer. */
export interface Optimizer {
  /** PyTorch's names of what is kept for each weight, an array of its shape. */
  readonly moments: readonly string[];
  /** @internal */
  readonly operation: 'sgd' | 'adam';
  /** @internal Bytes of the block. */
  readonly bytes: number;
  /** @internal What a step writes for all weights. */
  readonly begin: (step: number) => (heap: Heap, block: number, arrays: Arrays) => void;
}

export interface SgdOptions {
  readonly learningRate: LearningRate;
  /** Default 0. */
  readonly momentum?: number | undefined;
  /** Default 0. */
  readonly dampening?: number | undefined;
  /** Default 0. */
  readonly weightDecay?: number | undefined;
  /** Default false; it needs momentum and no dampening. */
  readonly nesterov?: boolean | undefined;
}

/**
 * Stochastic gradient descent, as `torch.optim.SGD`: g ← g + weightDecay·p; m ← momentum·m + (1 − dampening)·g, in the first step m ← g; p ← p −
 * rate·m, with Nesterov's momentum p − rate·(g + momentum·m).
 *
 * @throws AttentionError `option` | `value`.
 * @example
 * import { sgd } from 'fovea/train';
 * const optimizer = sgd({ learningRate: 0.1, momentum: 0.9 });
 */
export function sgd(options: SgdOptions): Optimizer {
  const fn = 'sgd';
  const known = readOptions<SgdOptions>(fn, options, ['learningRate', 'momentum', 'dampening', 'weightDecay', 'nesterov']);
  const { momentum = 0, dampening = 0, weightDecay = 0, nesterov = false } = known;
  const rate = readLearningRate(fn, known.learningRate);
  checkNumbers(fn, { momentum, weightDecay });
  checkFinite(fn, 'dampening', dampening);
  checkBoolean(fn, 'nesterov', nesterov);
  if (nesterov && (momentum === 0 || dampening !== 0))
    fail('option', fn, `nesterov needs momentum and no dampening, got momentum ${momentum}, dampening ${dampening}`);
  return {
    moments: momentum === 0 ? [] : ['momentum_buffer'],
    operation: 'sgd',
    bytes: SGD_BLOCK.bytes,
    begin: (step) => {
      const numbers = { learningRate: rate(step), momentum, dampening, weightDecay };
      const flags = { nesterov: Number(nesterov), isFirst: Number(step === 1) };
      return (heap, block, { count, gradient, parameter, moments }) =>
        heap.write(SGD_BLOCK, block, { ...numbers, ...flags, count, gradient, parameter, moment: moments[0] ?? 0 });
    },
  };
}

export interface AdamOptions {
  readonly learningRate: LearningRate;
  /** Default [0.9, 0.999]. */
  readonly betas?: readonly [number, number] | undefined;
  /** Default 1e-8. */
  readonly eps?: number | undefined;
  /** Default 0; of adamW 0.01. */
  readonly weightDecay?: number | undefined;
}

/**
 * Adam, as `torch.optim.Adam`: g ← g + weightDecay·p; m ← β₁m + (1 − β₁)g; v ← β₂v + (1 − β₂)g²; p ← p − rate·m̂/(√v̂ + eps), m̂ = m/(1 − β₁ᵗ), v̂ = v/(1 −
 * β₂ᵗ).
 *
 * @throws AttentionError `option` | `value`.
 *
 * Source: Kingma, Ba 2015, arXiv:1412.6980, algorithm 1.
 * @example
 * import { adam } from 'fovea/train';
 * const optimizer = adam({ learningRate: 1e-3 });
 */
export function adam(options: AdamOptions): Optimizer {
  return adamLike('adam', options, 0, false);
}

/**
 * Adam with weight decay apart from the gradient, as `torch.optim.AdamW`: p ← p·(1 − rate·weightDecay), then Adam's step without it.
 *
 * @throws AttentionError `option` | `value`.
 *
 * Source: Loshchilov, Hutter 2019, arXiv:1711.05101, algorithm 2.
 * @example
 * import { adamW, warmupCosine } from 'fovea/train';
 * const optimizer = adamW({ learningRate: warmupCosine(3e-3, { warmup: 50, steps: 1000 }) });
 */
export function adamW(options: AdamOptions): Optimizer {
  return adamLike('adamW', options, 0.01, true);
}

function adamLike(fn: string, options: AdamOptions, decay: number, isDecoupled: boolean): Optimizer {
  const known = readOptions<AdamOptions>(fn, options, ['learningRate', 'betas', 'eps', 'weightDecay']);
  const { betas = [0.9, 0.999], eps = 1e-8, weightDecay = decay } = known;
  const rate = readLearningRate(fn, known.learningRate);
  checkNumbers(fn, { eps, weightDecay });
  if (!isList(betas) || betas.length !== 2) fail('option', fn, `betas must be two numbers, got ${describe(betas)}`);
  const [beta1, beta2] = betas;
  for (const beta of [beta1, beta2])
    if (typeof beta !== 'number' || !(beta >= 0 && beta < 1))
      fail('value', fn, `betas must be at least 0 and less than 1, got ${describe(beta)}`);
  return {
    moments: ['exp_avg', 'exp_avg_sq'],
    operation: 'adam',
    bytes: ADAM_BLOCK.bytes,
    begin: (step) => {
      const numbers = { learningRate: rate(step), beta1, beta2, eps, weightDecay, decoupled: Number(isDecoupled) };
      const powers = { beta1Power: power(beta1, step), beta2Power: power(beta2, step) };
      return (heap, block, { count, gradient, parameter, moments: [firstMoment, secondMoment] }) =>
        heap.write(ADAM_BLOCK, block, {
          ...{ ...numbers, ...powers, count, gradient, parameter },
          ...{ firstMoment: firstMoment!, secondMoment: secondMoment! },
        });
    },
  };
}

function checkNumbers(fn: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    checkFinite(fn, name, value);
    if (value < 0) fail('value', fn, `${name} must be at least 0, got ${value}`);
  }
}

/** base^exponent by products alone: engines differ in the last bits of Math.pow. */
function power(base: number, exponent: number): number {
  let [result, square] = [1, base];
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
