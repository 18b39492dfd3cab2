/** Learning rates that change from step to step. */
import { fail } from '../errors/errors.ts';
import { checkFinite, checkInteger, isFunction, readOptions } from '../errors/options.ts';

/** A number, or a function of the step: 1 is the first. */
export type LearningRate = number | ((step: number) => number);

export interface WarmupOptions {
  /** Steps over which the rate rises from 0; default 0. */
  readonly warmup?: number | undefined;
  /** The step of the end. */
  readonly steps: number;
  /** The rate from the end on; default 0. */
  readonly final?: number | undefined;
}

/**
 * A rate that rises in a line over `warmup` steps to `peak`, then falls along half a cosine to `final`, which it has from step `steps` on.
 *
 * Source: Loshchilov, Hutter 2017, arXiv:1608.03983 eq. 5.
 * @example
 * import { warmupCosine } from 'fovea/train';
 * const rate = warmupCosine(0.1, { warmup: 10, steps: 110 });
 * console.assert(rate(5) === 0.05 && rate(10) === 0.1 && rate(110) === 0);
 */
export function warmupCosine(peak: number, options: WarmupOptions): (step: number) => number {
  return warmup('warmupCosine', peak, options, (share) => (1 + cosine(share)) / 2);
}

/**
 * A rate that rises in a line over `warmup` steps to `peak`, then falls in a line to `final`, which it has from step `steps` on.
 *
 * @example
 * import { warmupLinear } from 'fovea/train';
 * const rate = warmupLinear(0.1, { warmup: 10, steps: 110 });
 * console.assert(rate(5) === 0.05 && rate(60) === 0.05);
 */
export function warmupLinear(peak: number, options: WarmupOptions): (step: number) => number {
  return warmup('warmupLinear', peak, options, (share) => 1 - share);
}

function warmup(fn: string, peak: number, options: WarmupOptions, fall: (share: number) => number): (step: number) => number {
  checkFinite(fn, 'peak', peak);
  const { warmup: rise = 0, steps, final = 0 } = readOptions<WarmupOptions>(fn, options, ['warmup', 'steps', 'final']);
  if (steps === undefined) fail('option', fn, 'the option steps must be given: the step of the end');
  checkInteger(fn, 'steps', steps, 1, Number.MAX_SAFE_INTEGER);
  checkInteger(fn, 'warmup', rise, 0, steps);
  checkFinite(fn, 'final', final);
  return (step) => {
    if (step <= rise) return (peak * step) / rise;
    if (step >= steps) return final;
    return final + (peak - final) * fall((step - rise) / (steps - rise));
  };
}

const PI = 3.141592653589793;

/** cos(π·share) for share in [0, 1], of sums and products alone: engines differ in the last bits of Math.cos. */
function cosine(share: number): number {
  // About the middle the cosine is odd, so that the series is short: cos(π s) = -sin(π (s - 1/2)).
  const x = PI * (share - 0.5);
  const square = x * x;
  let sum = 0;
  for (let n = 21; n >= 3; n -= 2) sum = (1 - sum) * (square / (n * (n - 1)));
  return -x * (1 - sum);
}

/** @internal */
export function readLearningRate(fn: string, rate: LearningRate | undefined): (step: number) => number {
  if (isFunction(rate))
    return (step) => {
      const value: unknown = (rate as (step: number) => unknown)(step);
      checkFinite(fn, `learningRate(${step})`, value as number);
      return value as number;
    };
  if (rate === undefined) return fail('option', fn, 'the option learningRate must be given');
  checkFinite(fn, 'learningRate', rate);
  return () => rate;
}
